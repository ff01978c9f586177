// A scheduler: processes with priorities, a ready queue, semaphores; one byte a command with an argument.
#include <stdio.h>

enum { UNUSED, READY, RUNNING, BLOCKED, ZOMBIE };
struct process { int state, priority, parent, waits_for, ticks; };
static struct process table[6];
static int running = -1, semaphore[3] = {1, 0, 2}, now, idle;

static void pick(void) {
    int best = -1;
    for (int i = 0; i < 6; i++)
        if (table[i].state == READY && (best < 0 || table[i].priority > table[best].priority)) best = i;
    running = best;
    if (best >= 0) table[best].state = RUNNING;
    else idle++;
}

static int spawn(int priority) {
    if (priority > 9) return -1;
    for (int i = 0; i < 6; i++)
        if (table[i].state == UNUSED) {
            table[i] = (struct process){READY, priority, running, -1, 0};
            if (running >= 0 && priority > table[running].priority) {
                table[running].state = READY;
                pick();
                puts("preempted");
            } else if (running < 0) pick();
            return i;
        }
    puts("table full");
    return -2;
}

static int down(int s) {
    if (s > 2 || running < 0) return -1;
    if (semaphore[s] > 0) { semaphore[s]--; return 0; }
    table[running].state = BLOCKED;
    table[running].waits_for = s;
    pick();
    if (running < 0) {
        int blocked = 0;
        for (int i = 0; i < 6; i++) blocked += table[i].state == BLOCKED;
        if (blocked > 2) { puts("deadlock"); return -3; }
    }
    return 1;
}

static int up(int s) {
    if (s > 2) return -1;
    for (int i = 0; i < 6; i++)
        if (table[i].state == BLOCKED && table[i].waits_for == s) {
            table[i].state = READY;
            table[i].waits_for = -1;
            if (running < 0) pick();
            else if (table[i].priority > table[running].priority + 2) puts("inversion");
            return 1;
        }
    if (++semaphore[s] > 4) return -2;
    return 0;
}

static int leave(void) {
    if (running < 0) return -1;
    int me = running;
    if (table[me].parent >= 0 && table[table[me].parent].state != UNUSED) table[me].state = ZOMBIE;
    else table[me].state = UNUSED;
    for (int i = 0; i < 6; i++)
        if (table[i].state != UNUSED && table[i].parent == me) {
            table[i].parent = -1;
            if (table[i].state == ZOMBIE) table[i].state = UNUSED;
        }
    pick();
    return 0;
}

static int reap(void) {
    if (running < 0) return -1;
    for (int i = 0; i < 6; i++)
        if (table[i].state == ZOMBIE && table[i].parent == running) { table[i].state = UNUSED; return 0; }
    return -4;
}

int main(void) {
    int c;
    while ((c = getchar()) != EOF) {
        int result = 0, argument;
        now++;
        switch (c) {
        case 's':
            argument = getchar() - '0';
            result = argument < 0 ? -9 : spawn(argument);
            break;
        case 'd':
            argument = getchar() - '0';
            result = argument < 0 ? -9 : down(argument);
            break;
        case 'u':
            argument = getchar() - '0';
            result = argument < 0 ? -9 : up(argument);
            break;
        case 'x': result = leave(); break;
        case 'r': result = reap(); break;
        case 't':
            if (running >= 0 && ++table[running].ticks == 3) {
                table[running].ticks = 0;
                if (table[running].priority > 0) table[running].priority--;
                table[running].state = READY;
                pick();
            }
            break;
        case '\n': continue;
        default: puts("what"); return 1;
        }
        if (result == -3) return 3;
        if (result < 0) printf("%d\n", result);
    }
    if (idle > 3 && running >= 0) puts("woken");
    return 0;
}
