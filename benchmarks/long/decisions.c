// Paths of 10,000 branches, half of them decided by the input, in a dozen functions: what a decision costs.
#include <stdint.h>
#include <unistd.h>

enum { SIZE = 64, STEPS = 5000 };

static uint32_t mixed(uint32_t value, uint32_t step) { return (value + step) * 2654435761u >> 7 ^ step; }

static int rare(uint8_t a, uint8_t b) { return a == 17 && b == 203; }

static int odd(uint8_t value, uint32_t step)
{
    if (((value ^ step) & 31) > 15)
        return value & 1 ? 3 : 1;
    return 0;
}

static int steep(uint8_t value, uint32_t step) { return value > (step * 7 & 255) ? 2 : 0; }

int main(void)
{
    uint8_t data[SIZE] = {0};
    if (read(0, data, sizeof data) <= 0)
        return 1;
    uint32_t state = 0;
    for (uint32_t step = 0; step < STEPS; step++) {
        uint8_t value = data[step % SIZE];
        switch (step % 3) {
        case 0: state += (uint32_t)odd(value, step); break;
        case 1: state += (uint32_t)steep(value, step); break;
        default: state = mixed(state, step);
        }
        if (rare(value, data[(step + 1) % SIZE]))
            state++;
    }
    return state & 1;
}
