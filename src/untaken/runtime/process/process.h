/* Processes: how the program starts, the fork server and its runs, and what is done so that runs do not see each
 * other. */
#ifndef UNTAKEN_PROCESS_PROCESS_H
#define UNTAKEN_PROCESS_PROCESS_H

#include "state.h"

#include <setjmp.h>
#include <sys/types.h>

/* ---- startup.c ---- */
extern void (*const untaken_startup)(int, char **, char **);
void untaken_bind_libc(void) __attribute__((weak)); /* bind_libc.c, where the C library is a shared one */

/* ---- prologue.c: what the program does before it looks at its input, where that is done once ---- */
void untaken_prologue_begin(void); /* before main: the server starts later */
void untaken_prologue_end(void);   /* the program is about to look at its input: from here each run goes on */
void untaken_prologue_passed(const uint32_t *begin, const uint32_t *end); /* these events */
void untaken_prologue_tell(void); /* at the beginning of a run: what stands for it */
#define UNTAKEN_MOST_OPEN_FILES 4
bool untaken_prologue_opened(int fd); /* it left this file open, from which each run reads on */

/* ---- server.c ---- */
void untaken_server_prepare(void); /* before the program's own code, whenever the server starts */
void untaken_server(void);
void untaken_server_trace(uint64_t inode); /* of the memory that the trace is in; before the server starts */
/* libc/text/character_classes.c, if the program has models of these functions; once, in the server. */
void untaken_character_classes_start(void) __attribute__((weak));
int64_t untaken_now_ms(void);
extern int untaken_locale_errno; /* what loading the program's locale left there; 0: nothing, or it was not loaded */
bool untaken_fork_run(void); /* from a snapshot: forks a run and waits for its end; true in the child, which goes on */

#define UNTAKEN_MOST_ABANDONED 16
/* An object that a run has made and that would outlive it, see leftovers.c. */
#define UNTAKEN_MOST_LEFTOVERS 32
#define UNTAKEN_LEFTOVER_NAME 56
struct untaken_leftover {
    uint32_t kind;
    int32_t id;
    char name[UNTAKEN_LEFTOVER_NAME];
};

/* Memory that a fork server and its runs share: what they tell each other beside results. */
struct untaken_server_shared {
    int64_t started_ms; /* of the run under way, by the monotonic clock; 0: it waits as a snapshot */
    int32_t runner;     /* process of a run that nobody has reported yet; 0: none */
    int32_t followed;      /* the child that was last forked to be followed, see children.c; -1: it could not be */
    uint32_t abandoned_count; /* processes that the run under way has left, to go on in a child */
    int32_t abandoned[UNTAKEN_MOST_ABANDONED];
    int32_t turn;          /* the process that takes requests; 0: whoever is first; see turns.c */
    uint32_t asleep;       /* requests that are still to be waited for asleep, see turns.c */
    uint64_t processes;    /* that were to have more than one run, see reuse.c */
    uint64_t further_runs; /* that they had, and soon */
    int64_t burst_until;   /* by the monotonic clock: no run of a burst begins after that */
    uint64_t burst_files;  /* changes when files are made or removed */
    uint32_t has_forked;   /* 1: the run has started processes, which may outlive it */
    uint32_t changed_descriptors; /* 1: standard ones may have other flags or locks than at first */
    uint32_t leftover_count;
    struct untaken_leftover leftovers[UNTAKEN_MOST_LEFTOVERS];
};
extern struct untaken_server_shared *untaken_server_shared;

/* ---- run.c ---- */
#define UNTAKEN_STACK_IN_USE (3 * UNTAKEN_PAGE) /* below the frame that a run begins in, at least */
void untaken_run_descriptors(int control, int status, int snapshot);
void untaken_run_prepare(void); /* once, before any other exit handler is registered */
void untaken_run_when_asked(void); /* in a process that was forked ahead; leaves it if the driver is gone */
void untaken_begin_run(void); /* with the results reset, and labels unless the flags forbid them */
void untaken_note_end(enum untaken_exit_kind kind, const char *message);
void untaken_report_burst(void); /* it ends early, though the last run showed nothing */
void untaken_complete_results(uint32_t kind, int code); /* completes the results; `kind` unless the run noted its end */
bool untaken_report(char status);
bool untaken_refuse_run(const char *why);
bool untaken_driver_gone(void);
bool untaken_is_asked(void); /* whether a request waits to be taken */
bool untaken_snapshot_command(char *command);
/* Ends the run: sets exit kind and message, then leaves without running anything of the target's. */
_Noreturn void untaken_end_run(enum untaken_exit_kind kind, const char *message);
_Noreturn void untaken_leave_at_once(int code); /* what the program meant by _exit */
/* Notes why the program is about to fail (exit kind ERROR) and returns, so that it dies in its own way. */
void untaken_note_error(const char *message);

/* ---- reuse.c: processes that are used for more than one run ---- */
void untaken_reuse_start(void); /* once, in the server */
bool untaken_reuse_is_wanted(void);
jmp_buf *untaken_reuse_entry(void); /* where each further run of this process begins */
void untaken_reuse_copy_memory(void);       /* keeps what memory holds now */
bool untaken_reuse_is_possible(void);   /* whether this process may have another run */
bool untaken_reuse_has_run(void);       /* whether this process had one, and may have another */
void untaken_reuse_off(void);     /* this process is for one run: of one that wanders others are forked */
_Noreturn void untaken_next_run_or_exit(int code); /* the run is reported */
_Noreturn void untaken_next_run_of_burst(void); /* it is not, unless this process cannot be used again */
bool untaken_may_leave_traces(void); /* whether the run has done what memory and descriptors do not show */
void untaken_reuse_note_mapping(const void *mapping, size_t size, bool is_apart); /* the program maps something */
void untaken_reuse_note_unmapping(const void *mapping, size_t size);
bool untaken_reuse_goes_on(void); /* whether this process is to begin a run that nobody asks for; once */

/* ---- turns.c: which process takes the next request ---- */
void untaken_await_turn(void);              /* before a request is taken */
void untaken_give_turn_away(pid_t from);    /* that process, which ends, takes no more, if it did */

/* ---- burst.c: many runs for one request ---- */
void untaken_burst_begin(void);       /* after a request */
void untaken_burst_prepare_run(void); /* before each run: its input */
void untaken_burst_end_run(void);     /* after each run, when its trace is complete */
bool untaken_burst_goes_on(void);     /* whether another run follows, and nobody is told of this one */

/* ---- prefault.c ---- */
extern const size_t untaken_prefault_size;
void untaken_prefault_start(void *room); /* once, in the server, when all of its memory is there; runs share the room */
void untaken_prefault(void);    /* in a run that waits: there is no hurry */
void untaken_prefault_learn(void); /* in a run that is over */
void untaken_prefault_forget(void); /* in the server: some page is not there any more */

/* ---- snapshot.c ---- */
uint64_t untaken_position_in_input(int descriptor, void *file); /* of the input byte that comes next */
void untaken_wander_begin(void); /* before such a run */
void untaken_wander(int descriptor, void *file); /* at an input statement, see untaken_input_statement */
void untaken_note_asked(int descriptor, void *file); /* likewise, in a run from a snapshot */
void untaken_note_child(void); /* the program has forked */

/* ---- children.c: processes that the program forks ---- */
void untaken_children_start(void); /* once, in the server */
pid_t untaken_fork(void);          /* as the program's fork */
pid_t untaken_followed_child(void);  /* of this process, if the trace has followed it; else 0 */
pid_t untaken_followed_parent(void); /* of this process, if the trace came from there; else 0 */

/* ---- leftovers.c: what a run leaves behind outside of its process -----------------------------------------
 * Objects with a name or a key of their own, which the next run would find, and changes of the standard descriptors,
 * which it shares with the server. */
enum leftover_kind {
    LEFT_SEGMENT = 1, /* System V: shared memory, semaphores, messages */
    LEFT_SEMAPHORES = 2,
    LEFT_MESSAGES = 3,
    LEFT_MEMORY = 4, /* POSIX: the same, by name */
    LEFT_SEMAPHORE = 5,
    LEFT_QUEUE = 6
};
/* The run has made such an object: it goes when the run is over, however it ends. */
void untaken_note_leftover(enum leftover_kind kind, int id, const char *name);
/* The run may have changed how descriptors behave that others have, too: flags, locks. */
void untaken_note_changed_descriptors(void);
void untaken_leftovers_start(void);  /* once, in the server */
void untaken_leftovers_remove(void); /* after each run */
void untaken_descriptors_put_back(void); /* before each run */

#endif
