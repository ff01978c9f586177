// A vending machine that takes one event after the other: its error lies behind a certain order of them.
//
// shows: Test-Comp's __VERIFIER_nondet_* and reach_error, a long-lived state
// run: untaken run examples/state_machine.c
// expect: branches=29/30 findings=1 args=""
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));

void reach_error(void) { __assert_fail("0", "state_machine.c", 14, "reach_error"); }

enum state { IDLE, PAYING, SERVING, SERVICE };
enum event { COIN = 1, CHOOSE = 2, CANCEL = 3, KEY = 4 };

struct machine {
    enum state state;
    int credit, stock;
};

static void coin(struct machine *machine, int value)
{
    if (value != 10 && value != 50)
        return;
    machine->credit += value;
    machine->state = PAYING;
}

static void step(struct machine *machine, int event)
{
    switch (machine->state) {
    case IDLE:
        if (event == COIN)
            coin(machine, __VERIFIER_nondet_uchar());
        else if (event == KEY && __VERIFIER_nondet_int() == 74656)
            machine->state = SERVICE;
        break;
    case PAYING:
        if (event == COIN)
            coin(machine, __VERIFIER_nondet_uchar());
        else if (event == CANCEL)
            machine->state = IDLE; // the credit is kept: that is the mistake
        else if (event == CHOOSE && machine->credit >= 60)
            machine->state = SERVING;
        break;
    case SERVING:
        machine->credit -= 60;
        machine->stock--;
        machine->state = IDLE;
        break;
    case SERVICE:
        if (machine->credit > 0)
            reach_error(); // opened while money is inside
        exit(0);
    }
}

int main(void)
{
    struct machine machine = {IDLE, 0, 2};
    for (int i = 0; i < 6; i++)
        step(&machine, __VERIFIER_nondet_int());
    return machine.stock;
}
