/* Starts the target under its fork server, as execute/ does, and checks what each run leaves behind. */
#define _GNU_SOURCE
#include "harness.h"

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static struct untaken_shared *shared;
static uint8_t *base;
static int control, status;
static pid_t server;

static char answer(void) {
    uint64_t report = 0;
    struct pollfd wait = {.fd = status, .events = POLLIN};
    CHECK(poll(&wait, 1, 10000) == 1 && read(status, &report, sizeof report) == sizeof report);
    CHECK((report << 8) >> 8 == UNTAKEN_REPORT);
    return (char)(report >> 56);
}

static void start_server(const char *program) {
    struct sizes sizes = usual_sizes;
    uint64_t size = lay_out(NULL, &sizes);
    int memory = memfd_create("trace", 0), down[2], up[2], snapshot[2];
    CHECK(memory >= 0 && ftruncate(memory, (off_t)size) == 0 && pipe(down) == 0 && pipe(up) == 0);
    CHECK(pipe(snapshot) == 0);
    base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    shared = (struct untaken_shared *)base;
    lay_out(shared, &sizes);
    shared->timeout_ms = 300;
    shared->memory_limit = 512 << 20;
    server = fork();
    if (server == 0) {
        char fds[64];
        close(down[1]);
        close(up[0]);
        close(snapshot[1]);
        snprintf(fds, sizeof fds, "%d,%d,%d,%d", memory, down[0], up[1], snapshot[0]);
        setenv(UNTAKEN_ENV, fds, 1);
        execl(program, program, (char *)NULL);
        _exit(127);
    }
    close(memory);
    close(down[0]);
    close(up[1]);
    close(snapshot[0]);
    control = down[1];
    status = up[0];
    CHECK(answer() == 'R');
    CHECK(shared->id_count == 24);
}

static void run(uint8_t first, uint8_t second) {
    base[shared->input.offset] = first;
    base[shared->input.offset + 1] = second;
    shared->input_size = 2;
    CHECK(write(control, "r", 1) == 1);
    answer();
}

static const uint32_t *events(void) { return (const uint32_t *)(base + shared->events.offset); }
static const struct untaken_constraint *constraints(void) {
    return (const struct untaken_constraint *)(base + shared->constraints.offset);
}
static const uint8_t *coverage(void) { return base + shared->coverage.offset; }
static const uint8_t *owners(void) { return base + shared->owners.offset; }

static void expect_end(enum untaken_exit_kind kind, int code) {
    if (shared->exit_kind != kind || shared->exit_code != code) {
        fprintf(stderr, "ended as %u, %d\n", shared->exit_kind, shared->exit_code);
    }
    CHECK(shared->exit_kind == kind && shared->exit_code == code);
}

static void check_plain_run(void) {
    static const uint32_t expected[] = {16, 20, 18, 21, 19, 17};
    run(4, 0);
    expect_end(UNTAKEN_EXIT_CODE, 3);
    CHECK(shared->event_count == 6 && memcmp(events(), expected, sizeof expected) == 0);
    CHECK(shared->new_ids == 6 && coverage()[18] && coverage()[19] && !coverage()[22]);
    CHECK(shared->constraint_count == 2);
    CHECK(constraints()[0].kind == UNTAKEN_BRANCH && constraints()[0].taken == 1 && constraints()[0].id == 18);
    CHECK(constraints()[0].position == 2 && constraints()[0].depth == 1);
    CHECK(constraints()[1].id == 19 && constraints()[1].taken == 0 && constraints()[1].position == 4);
    CHECK(constraints()[1].depth == 0);
    CHECK(shared->input_used == 2 && shared->field_count == 1 && shared->cut_off == 0 && shared->pins == 0);
}

/* The same expressions have the same nodes in every run. */
static void check_same_nodes(void) {
    uint32_t node = constraints()[0].node;
    uint64_t nodes = shared->node_count, tables = shared->table_bytes;
    run(42, 0);
    CHECK(constraints()[0].node == node && shared->node_count == nodes && shared->table_bytes == tables);
    CHECK(constraints()[1].taken == 1 && shared->new_ids == 0);
    shared->node_count = 0; /* clearing is just that */
    shared->table_bytes = 0;
    run(42, 0);
    CHECK(shared->node_count == nodes && shared->constraint_count == 2);
}

static void check_ends(void) {
    run(0, 1);
    expect_end(UNTAKEN_EXIT_SIGNAL, 6);
    CHECK(shared->event_count == 4);
    run(0, 2);
    expect_end(UNTAKEN_EXIT_TIMEOUT, 9);
    run(0, 3);
    expect_end(UNTAKEN_EXIT_ASSUME, 0);
    run(0, 4);
    expect_end(UNTAKEN_EXIT_CODE, 7);
    run(0, 9);
    expect_end(UNTAKEN_EXIT_CODE, 9);
    run(0, 11);
    expect_end(UNTAKEN_EXIT_CODE, 0);
}

static void check_child_of_target(void) {
    run(0, 5);
    expect_end(UNTAKEN_EXIT_CODE, 3);
    CHECK(shared->event_count == 6 && shared->constraint_count == 2);
}

static void check_overflow(void) {
    base[shared->coverage.offset + 19] = 0;
    run(42, 6);
    expect_end(UNTAKEN_EXIT_CODE, 3);
    CHECK(shared->cut_off == UNTAKEN_CUT_EVENTS);
    CHECK(shared->event_count == shared->events.capacity - UNTAKEN_EVENT_BLOCK - UNTAKEN_EVENT_SLACK);
    CHECK(coverage()[19] == 1 && shared->new_ids == 1);
    run(4, 0);
    CHECK(shared->cut_off == 0 && shared->event_count == 6 && events()[6] == 0);
}

static void check_threads(void) {
    run(4, 7);
    CHECK(shared->event_count == 6 && shared->thread_count == 2);
    uint64_t last = shared->owners.capacity - 2; /* the last block is the ring */
    CHECK(owners()[0] == 1 && owners()[last] == 2);
    CHECK(events()[last * UNTAKEN_EVENT_BLOCK] == 18 && events()[last * UNTAKEN_EVENT_BLOCK + 10] == 0);
}

static void check_garbage(void) {
    run(4, 8);
    CHECK(shared->event_count == 7 && events()[4] == 0 && events()[5] == 19);
    run(4, 10);
    CHECK(constraints()[1].depth == 1 && shared->event_count == 7); /* entered, never left */
}

static void check_concrete(void) {
    shared->run_flags = UNTAKEN_RUN_CONCRETE;
    run(4, 0);
    CHECK(shared->constraint_count == 0 && shared->event_count == 6 && shared->input_used == 2);
    shared->run_flags = 0;
}

int main(int argc, char **argv) {
    CHECK(argc == 2);
    start_server(argv[1]);
    check_plain_run();
    check_same_nodes();
    check_ends();
    check_child_of_target();
    check_overflow();
    check_threads();
    check_garbage();
    check_concrete();
    for (int i = 0; i < 200; i++) {
        run((uint8_t)i, 0);
        expect_end(UNTAKEN_EXIT_CODE, 3);
    }
    close(control);
    int end;
    CHECK(waitpid(server, &end, 0) == server && WIFEXITED(end) && WEXITSTATUS(end) == 0);
    return 0;
}
