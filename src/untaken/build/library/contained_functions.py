"""The C library's functions by what they leave behind, for build/library/contained.py. A name that is in no list may do
anything.
"""

from __future__ import annotations

_MEMORY = """
    malloc calloc realloc reallocarray free aligned_alloc memalign posix_memalign alloca valloc malloc_usable_size
    memcpy memmove memset memcmp memchr memrchr mempcpy memccpy memmem bcmp bcopy bzero rawmemchr explicit_bzero
    __memcpy_chk __memmove_chk __memset_chk __mempcpy_chk __explicit_bzero_chk __stack_chk_fail sbrk brk
    _obstack_begin _obstack_begin_1 _obstack_newchunk _obstack_free _obstack_memory_used _obstack_allocated_p
    hcreate hdestroy hsearch tsearch tfind tdelete twalk tdestroy lsearch lfind insque remque
    hcreate_r hdestroy_r hsearch_r twalk_r swab memfrob pvalloc cfree
    obstack_free obstack_printf obstack_vprintf
    argz_add argz_add_sep argz_append argz_count argz_create argz_create_sep argz_delete argz_extract argz_insert
    argz_next argz_replace argz_stringify envz_add envz_entry envz_get envz_merge envz_remove envz_strip
"""
_STRINGS = """
    strlen strnlen strcpy strncpy stpcpy stpncpy strcat strncat strcmp strncmp strcasecmp strncasecmp strcoll strxfrm
    strchr strrchr strchrnul strstr strcasestr strpbrk strspn strcspn strtok strtok_r strsep strdup strndup strerror
    strerror_r index rindex ffs ffsl ffsll strverscmp basename dirname
    __strcpy_chk __strncpy_chk __strcat_chk __strncat_chk __stpcpy_chk __stpncpy_chk __strdup __strndup
    __strtok_r __rawmemchr __xpg_strerror_r strlcpy strlcat __xpg_basename strsignal fnmatch
    regcomp regexec regerror regfree re_compile_pattern re_compile_fastmap re_search re_search_2 re_match re_match_2
    re_set_syntax re_set_registers rpmatch getsubopt
    strcasecmp_l strncasecmp_l strcoll_l strxfrm_l strerror_l strerrorname_np strerrordesc_np sigabbrev_np sigdescr_np
    strfry a64l l64a inet_addr inet_aton inet_ntoa inet_ntop inet_pton inet_network inet_makeaddr inet_lnaof inet_netof
    hstrerror
"""
_CHARACTERS = """
    isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit
    tolower toupper toascii __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc
    __ctype_get_mb_cur_max
    isalnum_l isalpha_l isblank_l iscntrl_l isdigit_l isgraph_l islower_l isprint_l ispunct_l isspace_l isupper_l
    isxdigit_l tolower_l toupper_l
"""
_WIDE_CHARACTERS = """
    mblen mbtowc wctomb mbstowcs wcstombs mbrlen mbrtowc wcrtomb mbsinit btowc wctob wcwidth mbrtoc32 c32rtomb
    iswalnum iswalpha iswblank iswcntrl iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit
    towlower towupper wcslen wcscpy wcsncpy wcscat wcscmp wcsncmp wcschr wcsrchr wcsstr wmemcpy wmemset wmemcmp wmemchr
    wctype iswctype wctrans towctrans wcswidth mbsrtowcs mbsnrtowcs wcsrtombs wcsnrtombs wcsncat wcsdup wcsnlen
    wcscasecmp wcsncasecmp wcstol wcstoul wcstoll wcstoull wcstof wcstod wmemmove wmempcpy wcspbrk wcsspn wcscspn wcstok
    wcscoll wcsxfrm fputwc putwc putwchar fputws ungetwc fwide wprintf fwprintf swprintf
    vwprintf vfwprintf vswprintf
    swscanf vswscanf wcpcpy wcpncpy wcschrnul wcsftime wcstoimax wcstoumax wcstold wcswcs c8rtomb c16rtomb mbrtoc8
    mbrtoc16 iswalnum_l iswalpha_l iswblank_l iswcntrl_l iswctype_l iswdigit_l iswgraph_l iswlower_l iswprint_l
    iswpunct_l iswspace_l iswupper_l iswxdigit_l towlower_l towupper_l towctrans_l wctype_l wctrans_l wcscoll_l
    wcsxfrm_l wcscasecmp_l wcsncasecmp_l fputwc_unlocked putwc_unlocked putwchar_unlocked fputws_unlocked
    open_wmemstream
"""
_NUMBERS = """
    atoi atol atoll atof strtol strtoul strtoll strtoull strtoimax strtoumax strtof strtod strtold
    __isoc23_strtol __isoc23_strtoul __isoc23_strtoll __isoc23_strtoull __isoc23_strtoimax __isoc23_strtoumax
    abs labs llabs imaxabs div ldiv lldiv rand srand rand_r random srandom initstate setstate drand48 srand48 lrand48
    mrand48 erand48 nrand48 jrand48 seed48 qsort qsort_r bsearch htons htonl ntohs ntohl
    getrandom getentropy arc4random
    arc4random_buf arc4random_uniform random_r srandom_r initstate_r setstate_r drand48_r erand48_r lrand48_r nrand48_r
    mrand48_r jrand48_r srand48_r seed48_r lcong48 lcong48_r imaxdiv isnan isnanf isnanl isinf isinff isinfl
    ecvt fcvt gcvt ecvt_r fcvt_r qecvt qfcvt qgcvt strfromd strfromf strfroml strfmon strtoq strtouq
    strtod_l strtof_l strtold_l strtol_l strtoul_l strtoll_l strtoull_l
    strtof32 strtof64 strtof32x strtof64x strtof128 wcstof32 wcstof64 wcstof32x wcstof64x wcstof128
    strfromf32 strfromf64 strfromf32x strfromf64x strfromf128
"""
# All of libm, for double, and with an f or l for float and long double, or the size. Flags and rounding are put back.
_MATHEMATICS = """
    acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh drem erf erfc exp exp10 exp2 expm1 fabs fdim
    finite floor fma fmax fmin fmod frexp gamma hypot ilogb j0 j1 jn ldexp lgamma llogb llrint llround log log10 log1p
    log2 logb lrint lround modf nan nearbyint nextafter nextdown nexttoward nextup pow pow10 remainder remquo rint round
    roundeven scalb scalbln scalbn significand sin sincos sinh sqrt tan tanh tgamma trunc y0 y1 yn
    cabs cacos cacosh carg casin casinh catan catanh ccos ccosh cexp cimag clog clog10 conj cpow cproj creal csin csinh
    csqrt ctan ctanh __isnan __isinf __finite __fpclassify __signbit fmaximum fmaximum_mag fmaximum_mag_num fmaximum_num
    fminimum fminimum_mag fminimum_mag_num fminimum_num fmaxmag fminmag fromfp fromfpx ufromfp ufromfpx
"""
# They look at numbers in memory.
_NUMBERS_IN_MEMORY = "canonicalize getpayload setpayload setpayloadsig totalorder totalordermag"
_FLOATING_POINT_STATE = """
    feclearexcept fedisableexcept feenableexcept fegetenv fegetexcept fegetexceptflag fegetround feholdexcept
    feraiseexcept fesetenv fesetexceptflag fesetround fetestexcept feupdateenv lgamma_r lgammaf_r lgammal_r
"""
_INPUT_STREAMS = """
    getchar getc fgetc getchar_unlocked getc_unlocked fgets gets fread getline getdelim ungetc _IO_getc
    __fgets_chk __fread_chk __read_chk fread_unlocked fgets_unlocked __uflow read
    scanf fscanf vscanf vfscanf __isoc99_scanf __isoc99_fscanf __isoc99_vscanf __isoc99_vfscanf
    __isoc23_scanf __isoc23_fscanf __isoc23_vscanf __isoc23_vfscanf
    fgetwc getwc getwchar fgetws wscanf fwscanf
    vwscanf vfwscanf fgetc_unlocked getw fgetwc_unlocked getwc_unlocked getwchar_unlocked fgetws_unlocked
"""
_STREAMS = """
    putchar putc fputc putchar_unlocked putc_unlocked puts fputs fwrite perror _IO_putc
    printf fprintf sprintf snprintf vprintf vfprintf vsprintf vsnprintf dprintf vdprintf asprintf vasprintf
    __printf_chk __fprintf_chk __sprintf_chk __snprintf_chk __vprintf_chk __vfprintf_chk __vsprintf_chk __vsnprintf_chk
    __asprintf_chk __vasprintf_chk sscanf vsscanf __isoc99_sscanf __isoc99_vsscanf __isoc23_sscanf __isoc23_vsscanf
    feof ferror clearerr fflush fileno fseek ftell fseeko ftello fseeko64 ftello64 rewind setbuf setvbuf setlinebuf
    fgetpos fsetpos fgetpos64 fsetpos64 flockfile funlockfile ftrylockfile
    feof_unlocked ferror_unlocked fputs_unlocked fwrite_unlocked fileno_unlocked __overflow
    clearerr_unlocked fflush_unlocked fputc_unlocked __fpending __freading __fwriting __fpurge __fbufsize __flbf
    __fsetlocking error error_at_line err errx verr verrx warn warnx vwarn vwarnx open_memstream fmemopen
    write lseek lseek64 isatty
    setbuffer putw fopencookie argp_error argp_failure argp_help argp_state_help argp_usage
"""
_FILES = """
    open open64 openat openat64 creat creat64 close dup dup2 dup3 pipe pipe2 fopen fopen64 fdopen freopen freopen64
    fclose tmpfile tmpfile64 mkstemp mkstemp64 mkdtemp mkstemps mkstemps64 mkostemps mkostemps64
    __open_2 __open64_2 __openat_2 __openat64_2 opendir readdir readdir64 closedir rewinddir scandir alphasort
    pread pwrite pread64 pwrite64 preadv preadv64 readv writev truncate truncate64 ftruncate ftruncate64 fsync fdatasync
    posix_fadvise posix_fadvise64 posix_fallocate posix_fallocate64 copy_file_range sendfile sendfile64 splice
    stat fstat lstat stat64 fstat64 lstat64 access readlink realpath getcwd unlink remove rename mkdir rmdir
    __readlink_chk __realpath_chk __getcwd_chk __pread_chk __pread64_chk
    symlink link setlocale localeconv nl_langinfo bindtextdomain bind_textdomain_codeset textdomain
    gettext dcgettext dgettext ngettext dngettext dcngettext newlocale uselocale duplocale freelocale
    fdopendir dirfd mkostemp mkostemp64 mktemp tmpnam tempnam chmod fchmod fchmodat chown fchown lchown fchownat
    utime utimes lutimes futimes futimesat futimens utimensat unlinkat renameat renameat2 linkat symlinkat readlinkat
    mkdirat mknod mknodat mkfifo mkfifoat getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr
    faccessat eaccess euidaccess fstatat fstatat64 statfs fstatfs statfs64 fstatfs64 statvfs fstatvfs statvfs64
    fstatvfs64 pathconf fpathconf __xstat __fxstat __lxstat __fxstatat __xstat64 __fxstat64 __lxstat64 __fxstatat64
    statx scandir64 scandirat alphasort64 versionsort versionsort64 seekdir telldir readdir_r readdir64_r preadv2
    pwritev pwritev64 pwritev2 fallocate fallocate64 canonicalize_file_name get_current_dir_name getwd tmpnam_r catopen
    catgets catclose nl_langinfo_l glob_pattern_p
"""
_PROCESS = """
    exit _exit _Exit quick_exit abort atexit on_exit __cxa_atexit __assert_fail __assert __assert_perror_fail
    reach_error __errno_location getenv secure_getenv setjmp _setjmp __sigsetjmp longjmp _longjmp siglongjmp
    __longjmp_chk
    getopt getopt_long getopt_long_only argp_parse time clock clock_gettime clock_getres gettimeofday difftime gmtime_r
    asctime_r gmtime localtime localtime_r mktime timegm timelocal asctime ctime ctime_r strftime strptime tzset times
    setenv putenv unsetenv clearenv getrlimit getrlimit64 getrusage sigemptyset sigfillset sigaddset sigdelset
    sigismember sleep usleep nanosleep clock_nanosleep sched_yield pause select pselect poll ppoll __fdelt_chk
    __poll_chk getpid getppid getpgrp getpgid getsid gettid getuid geteuid getgid getegid getgroups sysconf getpagesize
    confstr uname gethostname get_nprocs getauxval sched_getcpu getcpu __sched_cpucount
    __sched_cpualloc __sched_cpufree ttyname ttyname_r ctermid tcgetattr tcgetpgrp
    cfgetispeed cfgetospeed cfsetispeed cfsetospeed __libc_current_sigrtmin __libc_current_sigrtmax psignal
    pthread_self pthread_equal pthread_once pthread_getspecific pthread_setspecific pthread_key_create
    pthread_key_delete pthread_mutex_init pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock
    pthread_mutex_destroy pthread_mutexattr_init pthread_mutexattr_settype pthread_mutexattr_destroy
    pthread_rwlock_init pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_rwlock_unlock pthread_rwlock_destroy
    pthread_cond_init pthread_cond_signal pthread_cond_broadcast pthread_cond_destroy
    posix_spawn_file_actions_init posix_spawn_file_actions_destroy posix_spawn_file_actions_addopen
    posix_spawn_file_actions_addclose posix_spawn_file_actions_adddup2 posix_spawn_file_actions_addchdir_np
    posix_spawn_file_actions_addfchdir_np posix_spawn_file_actions_addclosefrom_np posix_spawnattr_init
    posix_spawnattr_destroy posix_spawnattr_setflags posix_spawnattr_getflags posix_spawnattr_setsigmask
    posix_spawnattr_getsigmask posix_spawnattr_setsigdefault posix_spawnattr_getsigdefault posix_spawnattr_setpgroup
    posix_spawnattr_getpgroup
    getpriority getresuid getresgid getdtablesize get_nprocs_conf get_phys_pages get_avphys_pages sysinfo
    gnu_get_libc_version gnu_get_libc_release gnu_dev_major gnu_dev_minor gnu_dev_makedev group_member getitimer
    timespec_get timespec_getres strftime_l strptime_l dysize ftime getdate sigandset sigorset sigisemptyset
    sched_get_priority_max sched_get_priority_min sched_getscheduler sched_getparam sem_getvalue tcgetsid ptsname_r
    cfmakeraw cfsetspeed backtrace backtrace_symbols backtrace_symbols_fd dl_iterate_phdr
    pthread_attr_init pthread_attr_destroy pthread_attr_setdetachstate pthread_attr_setstacksize
    pthread_attr_getstacksize pthread_mutexattr_gettype pthread_mutexattr_setpshared pthread_condattr_init
    pthread_condattr_destroy pthread_condattr_setclock pthread_rwlock_tryrdlock pthread_rwlock_trywrlock
    pthread_rwlockattr_init pthread_rwlockattr_destroy pthread_spin_init pthread_spin_lock pthread_spin_trylock
    pthread_spin_unlock pthread_spin_destroy pthread_setcancelstate pthread_setcanceltype mtx_init mtx_lock mtx_trylock
    mtx_unlock mtx_destroy call_once tss_create tss_get tss_set tss_delete
"""
_SIGNALS = """
    signal sigaction sigprocmask pthread_sigmask sigaltstack siginterrupt sigpending sigsuspend raise umask
    chdir fchdir __sysv_signal bsd_signal sysv_signal sigignore sighold sigrelse
"""
_NOTED = """
    system popen pclose fork vfork _Fork wait waitpid wait3 wait4 waitid kill killpg sigqueue posix_spawn posix_spawnp
    execl execlp execle execv execvp execve execvpe fexecve fcntl fcntl64 ioctl chroot flock lockf lockf64
    alarm ualarm setitimer timer_create timerfd_create setrlimit setrlimit64 prlimit prlimit64 nice setpriority
    getpwuid getpwnam getgrgid getgrnam getpwuid_r getpwnam_r getgrgid_r getgrnam_r getpwent setpwent endpwent
    getgrent setgrent endgrent getlogin getlogin_r getgrouplist initgroups setgroups crypt getpass
    setuid seteuid setreuid setresuid setgid setegid setregid setresgid setpgid setpgrp setsid daemon
    tcsetattr tcsetpgrp tcflush tcflow tcdrain tcsendbreak posix_openpt grantpt unlockpt ptsname openpty forkpty
    login_tty mmap mmap64 munmap mremap mprotect madvise posix_madvise msync mincore mlock munlock mlockall
    munlockall shm_open shm_unlink shmget shmat shmdt shmctl semget semop semctl msgget msgsnd msgrcv msgctl
    sem_open sem_close sem_unlink sem_init sem_destroy sem_wait sem_trywait sem_post
    socket socketpair bind listen accept accept4 connect shutdown send sendto sendmsg recv recvfrom recvmsg setsockopt
    getsockopt getsockname getpeername getaddrinfo freeaddrinfo gai_strerror getnameinfo gethostbyname gethostbyaddr
    getservbyname getservbyport getprotobyname res_init if_nametoindex getifaddrs freeifaddrs
    epoll_create epoll_create1 epoll_ctl epoll_wait eventfd signalfd inotify_init inotify_init1 inotify_add_watch
    pthread_create pthread_join pthread_detach pthread_exit pthread_cancel pthread_kill pthread_atfork
    pthread_cond_wait pthread_cond_timedwait pthread_setname_np thrd_create thrd_join
    dlopen dlsym dlvsym dlclose dlerror dladdr iconv_open iconv iconv_close syslog vsyslog openlog closelog setlogmask
    syscall prctl ptrace personality unshare setns mount umount umount2 sethostname reboot acct sync
    mallopt malloc_trim mtrace muntrace mallinfo mallinfo2 malloc_stats
    glob globfree glob64 globfree64 ftw ftw64 nftw nftw64 fts_open fts_read fts_close wordexp wordfree
    sigwait sigwaitinfo sigtimedwait sched_setscheduler sched_setaffinity pthread_setaffinity_np
    setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr utmpname setutent getutent getutline endutent
    setmntent getmntent endmntent getloadavg gethostid clock_settime settimeofday adjtime adjtimex clock_adjtime stime
"""
# Asked for by few programs; they may leave what those above do.
_SELDOM = """
    adjtime adjtimex ntp_adjtime ntp_gettime clock_adjtime clock_settime settimeofday ulimit vlimit setfsuid setfsgid
    memfd_create close_range closefrom fcloseall tee vmsplice readahead sync_file_range syncfs getdents64 ustat quotactl
    eventfd_read eventfd_write epoll_pwait epoll_pwait2 inotify_rm_watch fanotify_init fanotify_mark sendmmsg sockatmark
    isfdtype name_to_handle_at open_by_handle_at pidfd_open pidfd_getfd pidfd_send_signal process_vm_writev
    timer_delete timer_gettime timer_getoverrun timer_settime timerfd_settime timerfd_gettime sigblock sigsetmask
    siggetmask sigpause sigvec sigset ssignal gsignal tgkill psiginfo getcontext setcontext makecontext swapcontext
    arch_prctl pkey_alloc pkey_free pkey_get pkey_mprotect pkey_set mlock2 remap_file_pages malloc_info mcheck mprobe
    iopl ioperm
    aio_write aio_write64 aio_error aio_error64 aio_return aio_return64 aio_suspend aio_suspend64 aio_cancel
    aio_cancel64 aio_fsync aio_fsync64 aio_init mq_send mq_timedsend mq_notify mq_close mq_unlink mq_getattr mq_setattr
    semtimedop sem_clockwait pututline pututxline getutxent getutxid getutxline setutxent endutxent getutent_r
    getutid getutid_r getutline_r updwtmp updwtmpx logwtmp login logout cuserid ttyslot lckpwdf ulckpwdf
    getpwent_r getgrent_r fgetpwent_r fgetgrent_r fgetspent_r getspent getspent_r getspnam_r putspent sgetspent_r getpw
    getsgent getsgnam setspent endspent sethostid getdomainname setdomainname getservbyname_r getservbyport_r
    getservent setservent endservent getprotobyname_r getprotobynumber getprotobynumber_r getprotoent setprotoent
    endprotoent gethostbyname2_r gethostbyaddr_r gethostent sethostent endhostent getnetbyaddr getnetent setnetent
    endnetent if_nameindex if_freenameindex if_indextoname getaddrinfo_a gai_error gai_suspend herror
    getmntent_r getfsent getfsfile getfsspec setfsent endfsent fts_children fts_set scandirat64 ether_aton_r
    register_printf_function register_printf_modifier register_printf_specifier register_printf_type printf_size
    printf_size_info fmtmsg addseverity re_comp re_exec step advance ecvt_r qecvt_r qfcvt_r
    sched_setparam sched_rr_get_interval pthread_barrier_init pthread_barrier_wait pthread_barrier_destroy
    pthread_barrierattr_init pthread_barrierattr_destroy pthread_attr_getaffinity_np pthread_attr_getdetachstate
    pthread_attr_getguardsize pthread_attr_getinheritsched pthread_attr_getschedparam pthread_attr_getschedpolicy
    pthread_attr_getscope pthread_attr_getstack pthread_attr_getstackaddr pthread_attr_setaffinity_np
    pthread_attr_setguardsize pthread_attr_setinheritsched pthread_attr_setschedparam pthread_attr_setschedpolicy
    pthread_attr_setscope pthread_attr_setstack pthread_attr_setstackaddr pthread_getattr_np pthread_getattr_default_np
    pthread_setattr_default_np pthread_getconcurrency pthread_setconcurrency pthread_getcpuclockid pthread_getschedparam
    pthread_setschedparam pthread_setschedprio pthread_sigqueue pthread_testcancel pthread_timedjoin_np
    pthread_tryjoin_np pthread_clockjoin_np pthread_yield pthread_cond_clockwait pthread_condattr_getclock
    pthread_condattr_getpshared pthread_condattr_setpshared pthread_mutex_clocklock pthread_mutex_consistent
    pthread_mutex_getprioceiling pthread_mutex_setprioceiling pthread_mutexattr_getprioceiling
    pthread_mutexattr_getprotocol pthread_mutexattr_getpshared pthread_mutexattr_getrobust
    pthread_mutexattr_setprioceiling pthread_mutexattr_setprotocol pthread_mutexattr_setrobust
    pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock pthread_rwlock_clockrdlock pthread_rwlock_clockwrlock
    pthread_rwlockattr_getkind_np pthread_rwlockattr_getpshared pthread_rwlockattr_setkind_np
    pthread_rwlockattr_setpshared cnd_init cnd_signal cnd_broadcast cnd_wait cnd_timedwait cnd_destroy mtx_timedlock
    thrd_current thrd_detach thrd_equal thrd_exit thrd_sleep thrd_yield
    posix_spawnattr_getschedparam posix_spawnattr_setschedparam posix_spawnattr_getschedpolicy
    posix_spawnattr_setschedpolicy
"""
# What is only asked, or goes with the descriptor: F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC; TCGETS,
# TIOCGWINSZ, FIONREAD. And F_SETFL, because flags are put back before each run.
_OF_FCNTL = (0, 1, 2, 3, 4, 1030)
QUESTIONS = {"fcntl": _OF_FCNTL, "fcntl64": _OF_FCNTL, "ioctl": (0x5401, 0x5413, 0x541B)}
READING = frozenset(_INPUT_STREAMS.split())
_COMPUTING = (_MEMORY, _STRINGS, _CHARACTERS, _WIDE_CHARACTERS, _NUMBERS, _FLOATING_POINT_STATE)
_WIDTHS = ("", "f", "l", "f32", "f64", "f32x", "f64x", "f128")


def _with_widths(names: str) -> frozenset[str]:
    return frozenset(name + width for name in names.split() for width in _WIDTHS)


_OF_LIBM = _with_widths(_MATHEMATICS)
COMPUTES = frozenset(" ".join(_COMPUTING).split()) | _with_widths(_NUMBERS_IN_MEMORY)
PURE = COMPUTES | frozenset(" ".join((_INPUT_STREAMS, _STREAMS, _PROCESS)).split()) | _OF_LIBM
HANDLES_FILES = frozenset(_FILES.split())
CHANGES_PROCESS = frozenset(_SIGNALS.split())
LEAVES_TRACES = frozenset((_NOTED + _SELDOM).split())
# Of those, what notes it by itself, since it depends on what is mapped.
MAPS = frozenset({"mmap", "mmap64", "munmap"})
# They leave nothing behind, but what they tell is a matter of where the program is let run.
ASKS_PROCESSORS = frozenset({"sched_getaffinity", "pthread_getaffinity_np"})
ABOUT_PROCESSORS = ASKS_PROCESSORS | {"sched_setaffinity", "pthread_setaffinity_np"}
