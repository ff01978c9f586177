/* The side of a call, for `untaken-cc`: what client.py does where a resident compiler is there, in a millisecond
   instead of the twenty that Python takes to start. Compiled by the server, for one installation.

   client COMMAND WORD...: hands the words over; where that cannot be done, becomes `COMMAND cc WORD...`. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* UNTAKEN_INSTALLATION and UNTAKEN_FOLDER, strings, come from the command line: see meeting.py. */
#define COMMAND_NAME "untaken-cc"
#define STREAMS 3
#define INTERRUPTED 130

extern char **environ;
static const char *const read_at_start[] = {"PYTHON", "LD_", "LC_", "LANG", "MALLOC_", "GLIBC_"};
static const char *const other_streams[] = {"/dev/fd/", "/dev/stdin", "/proc/"};
static const int requests[] = {SIGINT, SIGTERM, SIGHUP};
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static int connection = -1;
static volatile sig_atomic_t asked;

static uint64_t digest(const char *text) {
  uint64_t value = 0xcbf29ce484222325;
  for (; *text; text++)
    value = (value ^ (unsigned char)*text) * 0x100000001b3;
  return value;
}

static int begins_with_one(const char *text) {
  for (size_t at = 0; at < COUNT(read_at_start); at++)
    if (!strncmp(text, read_at_start[at], strlen(read_at_start[at])))
      return 1;
  return 0;
}

static uint64_t meeting_name(void) {
  char nice_value[32];
  snprintf(nice_value, sizeof nice_value, "nice=%d", getpriority(PRIO_PROCESS, 0));
  uint64_t sum = digest(UNTAKEN_INSTALLATION) + digest(nice_value);
  for (char **variable = environ; *variable; variable++)
    if (begins_with_one(*variable) && strcmp(*variable, "LC_CTYPE=C.UTF-8"))
      sum += digest(*variable);
  return sum;
}

static int is_set(const char *name) {
  const char *value = getenv(name);
  return value && *value;
}

static int is_switched_off(void) {
  const char *seconds = getenv("UNTAKEN_RESIDENT");
  return seconds && (!*seconds || strspn(seconds, "0123456789") != strlen(seconds) || strspn(seconds, "0") == strlen(seconds));
}

static int is_fit(char **words) {
  if (is_switched_off() || is_set("LD_PRELOAD") || is_set("LD_AUDIT"))
    return 0;
  struct stat status;
  for (int stream = 0; stream < STREAMS; stream++)
    if (fstat(stream, &status))
      return 0;
  for (; *words; words++) {
    if (!strcmp(*words, "-"))
      return 0;
    for (size_t at = 0; at < COUNT(other_streams); at++)
      if (strstr(*words, other_streams[at]))
        return 0;
  }
  return 1;
}

static int connected(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  struct stat status;
  int folder = open(UNTAKEN_FOLDER, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0 || fstat(folder, &status) || status.st_uid != geteuid() || (status.st_mode & 07777) != 0700)
    return 0;
  snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%016llx", folder,
           (unsigned long long)meeting_name());
  connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int failed = connection < 0 || connect(connection, (struct sockaddr *)&address, sizeof address);
  close(folder);
  struct ucred owner;
  socklen_t size = sizeof owner;
  return !failed && !getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &owner, &size) && owner.uid == geteuid();
}

static char *append(char *at, const void *data, size_t size) {
  memcpy(at, data, size);
  return at + size;
}

static size_t size_of(char **texts) {
  size_t size = 0;
  for (; *texts; texts++)
    size += strlen(*texts) + 1;
  return size;
}

static char *append_texts(char *at, char **texts) {
  for (; *texts; texts++)
    at = append(at, *texts, strlen(*texts) + 1);
  return at;
}

static char *request(char **words, size_t *size) {
  uint32_t mask = umask(077), count = 1;
  umask(mask);
  for (char **word = words; *word; word++)
    count++;
  uint64_t body = 2 * sizeof count + sizeof COMMAND_NAME + size_of(words) + size_of(environ);
  *size = sizeof body + body;
  char *data = malloc(*size);
  if (data) {
    char *at = append(data, &body, sizeof body);
    at = append(at, &mask, sizeof mask);
    at = append(at, &count, sizeof count);
    at = append(at, COMMAND_NAME, sizeof COMMAND_NAME);
    append_texts(append_texts(at, words), environ);
  }
  return data;
}

/* The first part carries the descriptors: streams and current folder. */
static ssize_t sent_with_descriptors(const char *data, size_t size) {
  int descriptors[STREAMS + 1] = {0, 1, 2, open(".", O_PATH | O_DIRECTORY | O_CLOEXEC)};
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof descriptors)];
  } control = {{0}};
  struct iovec part = {(void *)data, size};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  control.header.cmsg_level = SOL_SOCKET;
  control.header.cmsg_type = SCM_RIGHTS;
  control.header.cmsg_len = CMSG_LEN(sizeof descriptors);
  memcpy(CMSG_DATA(&control.header), descriptors, sizeof descriptors);
  if (descriptors[STREAMS] < 0)
    return -1;
  ssize_t sent = sendmsg(connection, &message, MSG_NOSIGNAL);
  close(descriptors[STREAMS]);
  return sent;
}

static int send_request(char **words) {
  size_t size;
  char *data = request(words, &size);
  ssize_t sent = data ? sent_with_descriptors(data, size) : -1;
  for (size_t done = 0; sent > 0; sent = send(connection, data + done, size - done, MSG_NOSIGNAL))
    if ((done += (size_t)sent) == size)
      return 1;
  return 0;
}

static void pass_on(int number) {
  int before = errno;
  unsigned char byte = (unsigned char)number;
  asked = 1;
  send(connection, &byte, 1, MSG_NOSIGNAL);
  errno = before;
}

static void set_requests(void (*handler)(int)) {
  for (size_t at = 0; at < COUNT(requests); at++) {
    struct sigaction action;
    sigaction(requests[at], NULL, &action);
    if (action.sa_handler == SIG_IGN)
      continue;
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigaction(requests[at], &action, NULL);
  }
}

static int receive_status(uint32_t *status) {
  for (size_t got = 0; got < sizeof *status;) {
    ssize_t more = recv(connection, (char *)status + got, sizeof *status - got, 0);
    if (more == 0 || (more < 0 && errno != EINTR))
      return 0;
    got += more > 0 ? (size_t)more : 0;
  }
  return 1;
}

static void end_as(int status) {
  if (WIFSIGNALED(status)) {
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
  }
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

static int become(char **words) {
  static char command[] = "cc";
  char *path = words[0];
  words[-1] = path;
  words[0] = command;
  execv(path, words - 1);
  perror("untaken-cc");
  return 127;
}

int main(int count, char **words) {
  uint32_t status;
  if (count < 2)
    return 127;
  if (is_fit(words + 2) && connected() && send_request(words + 2)) {
    set_requests(pass_on);
    if (receive_status(&status))
      end_as((int)status);
    if (asked) {
      fputs("untaken: interrupted\n", stderr);
      return INTERRUPTED;
    }
    set_requests(SIG_DFL);
  }
  return become(words + 1);
}
