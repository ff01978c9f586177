/* The program's side of the shared memory, by hand: what tests/execute/test_session.py runs instead of instrumented code.
 *
 * The first input byte says what the run does; everything else of the protocol is as abi.h has it.
 */
#include "abi.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct untaken_shared *shared;
static char **arguments;
static pid_t server;

static void *region(struct untaken_region place) { return (char *)shared + place.offset; }

static uint32_t add_node(uint8_t op, uint8_t width, uint32_t a, uint32_t b, uint32_t c, uint64_t value) {
    struct untaken_node *nodes = region(shared->nodes);
    for (uint32_t i = 1; i < shared->node_count; i++)
        if (nodes[i].op == op && nodes[i].width == width && nodes[i].a == a && nodes[i].b == b && nodes[i].c == c) {
            nodes[i].value = value;
            return i;
        }
    nodes[shared->node_count] = (struct untaken_node){op, width, 0, a, b, c, value};
    return (uint32_t)shared->node_count++;
}

static uint32_t add_table(void) {
    char *place = (char *)region(shared->tables) + shared->table_bytes;
    *(struct untaken_table *)place = (struct untaken_table){3, 8, 99};
    memcpy(place + 16, (uint64_t[]){10, 20, 30}, 24);
    memcpy(place + 40, (uint32_t[]){0, 0, 1}, 12);
    uint32_t offset = (uint32_t)shared->table_bytes;
    shared->table_bytes += 16 + 24 + 16;
    return offset;
}

/* input[0] + 1 < 200 */
static void record(const uint8_t *input) {
    uint8_t sum = (uint8_t)(input[0] + 1);
    uint32_t byte = add_node(UNTAKEN_OP_INPUT, 8, 0, 0, 0, input[0]);
    uint32_t one = add_node(UNTAKEN_OP_CONST, 8, 0, 1, 0, 1);
    uint32_t add = add_node(UNTAKEN_OP_ADD, 8, byte, one, 0, sum);
    uint32_t limit = add_node(UNTAKEN_OP_CONST, 8, 0, 200, 0, 200);
    uint32_t less = add_node(UNTAKEN_OP_ULT, 1, add, limit, 0, sum < 200);
    uint32_t side = sum < 200 ? 16 : 17;
    ((uint32_t *)region(shared->events))[0] = 18;
    ((uint32_t *)region(shared->events))[1] = side;
    shared->event_count = 2;
    ((struct untaken_constraint *)region(shared->constraints))[0] =
        (struct untaken_constraint){less, side, 1, UNTAKEN_BRANCH, sum < 200, 1};
    shared->constraint_count = 1;
}

static void declare(uint64_t used) {
    struct untaken_field *field = region(shared->fields);
    field[0] = (struct untaken_field){0, 1, UNTAKEN_FIELD_CHARACTER, 0, "what"};
    field[1] = (struct untaken_field){1, used - 1, UNTAKEN_FIELD_SIGNED, 0, "rest"};
    shared->field_count = used > 1 ? 2 : used;
    shared->input_used = used;
}

static void finish(enum untaken_exit_kind kind, const char *message) {
    shared->exit_kind = kind;
    snprintf(shared->message, sizeof shared->message, "%s", message);
    _exit(0);
}

static int writable(const char *path) {
    int descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY, 0600);
    return descriptor < 0 ? -errno : close(descriptor);
}

static int present(const char *directory, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return access(path, F_OK) == 0;
}

/* What a run can reach, one word each. */
static void probe(void) {
    const char *temporary = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
    char path[4096];
    snprintf(path, sizeof path, "%s/left-behind", temporary);
    int left = present(temporary, "left-behind");
    int scratch = writable(path);
    snprintf(path, sizeof path, "%s/folder", temporary);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/folder/inner", temporary);
    writable(path);
    int here = writable("written-here");
    int network = socket(AF_INET, SOCK_DGRAM, 0) < 0 ? -1 : 0;
    int descriptor = open("/dev/null", O_WRONLY);
    printf("pid=%d parent=%d left=%d scratch=%d here=%d network=%d descriptor=%d null=%d uid=%d proc=%d\n", getpid(),
           getppid(), left, scratch, here, network, descriptor, (int)write(descriptor, "x", 1), getuid(),
           access("/proc/self/exe", F_OK));
    for (char **argument = arguments; *argument; argument++)
        printf("argument=%s\n", *argument);
    if (getenv("ALLOWED")) {
        snprintf(path, sizeof path, "%s/kept", getenv("ALLOWED"));
        printf("allowed=%d\n", writable(path));
    }
    exit(0);
}

static void bomb(void) {
    for (int i = 0; i < 5000; i++)
        if (fork() == 0)
            for (;;)
                pause();
    exit(0);
}

static void target(const uint8_t *input) {
    switch (shared->input_size ? input[0] : 0) {
    case 'x': exit(7);
    case 's': raise(SIGSEGV); break;
    case 'e': finish(UNTAKEN_EXIT_ERROR, "failed: here"); break;
    case 'h': for (;;) pause();
    case 'p': probe(); break;
    case 'b': bomb(); break;
    case 'f': declare(1 + input[1]); break;
    case 'c': shared->concretised[UNTAKEN_BY_ASM] = 2; shared->pins = 3; break;
    case 'u': shared->cut_off = UNTAKEN_CUT_NODES | UNTAKEN_CUT_EVENTS; break;
    case 't': add_node(UNTAKEN_OP_INPUT, 8, 0, 0, 0, 't'); add_table(); break;
    case 'l': if (fork() == 0) for (;;) pause(); break; /* leaves a child behind */
    case 'K': kill(server, SIGKILL); for (;;) pause(); /* never a broader target than this one process */
    case 'q': /* asks for nothing */ break;
    default: declare(1); if (!(shared->run_flags & UNTAKEN_RUN_CONCRETE)) record(input);
    }
    exit(0);
}

/* Orphans of a run come to us. Each is ended by its own number: this code must be harmless wherever it runs. */
static void reap(void) {
    while (waitpid(-1, NULL, WNOHANG) >= 0) {
        FILE *children = fopen("/proc/thread-self/children", "r");
        int pid;
        while (children && fscanf(children, "%d", &pid) == 1)
            if (pid > 1)
                kill(pid, SIGKILL);
        if (children)
            fclose(children);
    }
}

static void serve_one(void) {
    memset(&shared->input_used, 0, offsetof(struct untaken_shared, message) - offsetof(struct untaken_shared, input_used));
    const uint8_t *input = region(shared->input);
    if (shared->input_size && input[0] == 'S') /* the server itself hangs, or ends */
        for (;;) pause();
    if (shared->input_size && input[0] == 'E')
        exit(5);
    pid_t pid = fork();
    if (pid < 0)
        exit(6);
    if (pid == 0) {
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){shared->file_limit, shared->file_limit});
        signal(SIGALRM, SIG_DFL);
        alarm((shared->timeout_ms + 999) / 1000);
        target(input);
    }
    int status;
    while (waitpid(pid, &status, 0) < 0) {}
    reap();
    if (WIFSIGNALED(status)) {
        shared->exit_kind = WTERMSIG(status) == SIGALRM ? UNTAKEN_EXIT_TIMEOUT : UNTAKEN_EXIT_SIGNAL;
        shared->exit_code = WTERMSIG(status);
    } else
        shared->exit_code = WEXITSTATUS(status);
    uint8_t *coverage = region(shared->coverage);
    uint32_t *events = region(shared->events);
    for (uint64_t i = 0; i < shared->event_count; i++) {
        shared->new_ids += !coverage[events[i]];
        coverage[events[i]] = 1;
    }
}

static int report(int status, char byte) {
    uint64_t text = UNTAKEN_REPORT | (uint64_t)byte << 56;
    return write(status, &text, sizeof text) == (ssize_t)sizeof text;
}

int main(int argc, char **argv) {
    (void)argc;
    arguments = argv;
    server = getpid();
    int memory, control, status;
    const char *text = getenv(UNTAKEN_ENV);
    if (getenv("FAIL_TO_START")) {
        fprintf(stderr, "nothing works today\n");
        return 3;
    }
    if (!text || sscanf(text, "%d,%d,%d", &memory, &control, &status) != 3)
        return 2;
    uint64_t size = (uint64_t)lseek(memory, 0, SEEK_END);
    shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    if (shared == MAP_FAILED || shared->magic != UNTAKEN_MAGIC || shared->abi_version != UNTAKEN_ABI_VERSION)
        return 4;
    shared->id_count = 20;
    char byte = 'R';
    if (!report(status, byte))
        return 1;
    while (read(control, &byte, 1) == 1) {
        serve_one();
        if (!report(status, UNTAKEN_DONE))
            return 1;
    }
    return 0;
}
