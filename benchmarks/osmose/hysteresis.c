// A heater with hysteresis: on below the lower bound, off above the upper one, and as it was in between.
#include <stdint.h>
#include <untaken.h>

enum { STEPS = 6, LOWER = 60, UPPER = 120, BROKEN = 250 };

static uint8_t smoothed(uint8_t before, uint8_t now) { return (before + now) >> 1; }

int main(void)
{
    uint8_t start, reading[STEPS];
    untaken_input(&start, sizeof start, "start");
    untaken_input(reading, sizeof reading, "reading");
    if (start > BROKEN)
        return 1;
    uint8_t temperature = start, on = 0;
    for (uint8_t i = 0; i < STEPS; i++) {
        temperature = smoothed(temperature, reading[i]);
        if (on) {
            if (temperature > UPPER)
                on = 0;
        } else {
            if (temperature < LOWER)
                on = 1;
        }
    }
    return on ? 2 : 0;
}
