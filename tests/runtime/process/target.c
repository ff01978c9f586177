/* A program as instrumentation would make it, by hand: one function entry, one branch on the first input byte,
 * and various ends, chosen by the second. Run by the driver under its fork server. */
#include "abi.h"
#include "steps.h"
#include "include/untaken.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* main: entry and return at 16, 17; the branch at 18, 19; callee at 20, 21. */
__attribute__((section("untaken_ids"), used, aligned(16))) static const uint8_t ids[] = {
    'd', 'i', 'g', 'e', 's', 't', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 3, 1, 1, 2, 3, 0, 0};

static const uint8_t table[] = {3, 1, 4, 1, 5, 9, 2, 6};
__attribute__((section("untaken_globals"), used)) static const struct untaken_global globals[] = {
    {table, sizeof table}};

static void event(unsigned id) {
    uint32_t *cursor = __untaken_cursor >= __untaken_limit ? __untaken_room() : __untaken_cursor;
    *cursor = (uint32_t)(uintptr_t)&ids[id];
    __untaken_cursor = cursor + 1;
}

static void branch(untaken_label label, int taken) {
    uint32_t id = (uint32_t)(uintptr_t)&ids[taken ? 18 : 19];
    if (label != 0) {
        ask_branch(label, (uint32_t)taken, id);
    }
    event(taken ? 18 : 19);
}

/* if (table[byte & 7] > 4) */
static void look_up(unsigned char byte, untaken_label label) {
    untaken_label index = ask_binary(UNTAKEN_OP_AND | 8 << 8, label, 0, byte, 7, byte & 7);
    untaken_label wide = ask_cast(UNTAKEN_OP_ZEXT | 8 << 8 | 64 << 16, index, byte & 7, byte & 7);
    const uint8_t *address = &table[byte & 7];
    untaken_label where = ask_offset(0, wide, (uint64_t)(uintptr_t)table, byte & 7, 1, (uint64_t)(uintptr_t)address);
    untaken_label loaded = ask_load(address, 1, where, NULL, 0);
    branch(ask_binary(UNTAKEN_OP_UGT | 8 << 8, loaded, 0, *address, 4, *address > 4), *address > 4);
}

static void *threaded(void *unused) {
    for (int i = 0; i < 10; i++) {
        event(18);
    }
    return unused;
}

static void *volatile allocated;

static void end_by(unsigned char how) {
    pthread_t thread;
    pid_t child;
    jmp_buf back;
    switch (how) {
    case 1: abort();
    case 2: for (;;) {
        }
    case 3: untaken_assume(0); break;
    case 4: exit(7);
    case 5: /* a child that stays: it must not be recorded, and must not survive */
        child = fork();
        if (child == 0) {
            branch(1, 1);
            sleep(1000);
        }
        break;
    case 6:
        for (int i = 0; i < 300000; i++) { /* more events than there is room for, then one that is new */
            event(18);
        }
        event(19);
        break;
    case 7:
        pthread_create(&thread, NULL, threaded, NULL);
        pthread_join(thread, NULL);
        break;
    case 8: /* garbage in the trace */
        *__untaken_room() = 0xdeadbeef;
        __untaken_cursor++;
        break;
    case 9: allocated = malloc((size_t)1 << 30); /* more than the memory limit */
        exit(allocated == NULL ? 9 : 0);
    case 10:
        if (setjmp(back) == 0) {
            event(20); /* entered, and left by longjmp */
            longjmp(back, 1);
        }
        break;
    case 11: exit(getenv(UNTAKEN_ENV) != NULL || fcntl(3, F_GETFD) != -1 || fcntl(900, F_GETFD) != -1);
    default: break;
    }
}

int main(void) {
    unsigned char bytes[2];
    event(16);
    untaken_input(bytes, sizeof bytes, "bytes");
    untaken_label label = ask_load(bytes, 1, 0, NULL, 0);
    event(20);
    look_up(bytes[0], label);
    event(21);
    end_by(bytes[1]);
    branch(ask_binary(UNTAKEN_OP_EQ | 8 << 8, label, 0, bytes[0], 42, bytes[0] == 42), bytes[0] == 42);
    event(17);
    return 3;
}
