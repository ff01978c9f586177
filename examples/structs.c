// A packet of several fields, checked one after the other, with an option list behind its header.
//
// shows: klee/klee.h on a struct, assumptions, a failing assertion
// run: untaken run examples/structs.c
// expect: branches=18/18 findings=1 args=""
#include <assert.h>
#include <klee/klee.h>
#include <stdint.h>
#include <stdio.h>

struct option {
    uint8_t kind, length;
    uint16_t value;
};

struct packet {
    uint32_t source, target;
    uint16_t length;
    uint8_t flags, option_count;
    struct option options[3];
};

enum { URGENT = 1, FRAGMENT = 2, REPLY = 4 };

static int total_of(const struct packet *packet)
{
    int total = 16;
    for (int i = 0; i < packet->option_count; i++) {
        const struct option *option = &packet->options[i];
        if (option->kind == 0)
            break;
        total += option->length;
    }
    return total;
}

static const char *judge(struct packet packet)
{
    if (packet.source == packet.target)
        return "loop";
    if ((packet.flags & URGENT) && (packet.flags & FRAGMENT))
        return "an urgent fragment";
    int total = total_of(&packet);
    if (packet.length < total)
        return "too short";
    // Nobody thought of a reply that carries 300 bytes of options.
    if (packet.flags & REPLY)
        assert(total < 300);
    return packet.flags == 0 ? "plain" : "special";
}

int main(void)
{
    struct packet packet;
    klee_make_symbolic(&packet, sizeof packet, "packet");
    klee_assume(packet.option_count <= 3);
    puts(judge(packet));
    return 0;
}
