// checks: Duff's device and other switches that jump into the middle of things
#include "collection.h"

static void copy(unsigned char *to, const unsigned char *from, int count)
{
    int rounds = (count + 7) / 8;
    if (count <= 0)
        return;
    switch (count % 8) {
    case 0: do { *to++ = *from++; /* fall through */
    case 7: *to++ = *from++; /* fall through */
    case 6: *to++ = *from++; /* fall through */
    case 5: *to++ = *from++; /* fall through */
    case 4: *to++ = *from++; /* fall through */
    case 3: *to++ = *from++; /* fall through */
    case 2: *to++ = *from++; /* fall through */
    case 1: *to++ = *from++;
        } while (--rounds > 0);
    }
}

struct generator { int line, i; };

static int resume(struct generator *state)
{
    switch (state->line) {
    case 0:
        for (state->i = 0; state->i < 3; state->i++) {
            state->line = 1;
            return state->i * 10;
    case 1:
            if (input[state->i] & 1) {
                state->line = 2;
                return -1;
            }
    case 2:;
        }
    }
    state->line = 0;
    return 99;
}

int main(void)
{
    read_input();
    unsigned char buffer[64] = {0};
    int count = u8(0) & 63;
    copy(buffer, input, count);
    expect(memcmp(buffer, input, (size_t)count) == 0);
    expect(buffer[count] == 0);
    unsigned sum = 0;
    for (int i = 0; i < 64; i++)
        sum = sum * 17 + buffer[i];
    show("copied", sum);
    struct generator state = {0, 0};
    for (int i = 0; i < 8; i++)
        show("resumed", resume(&state));
    return finish();
}
