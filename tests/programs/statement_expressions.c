// checks: statement expressions, typeof, comma operators, and _Generic
#include "collection.h"

#define LARGEST(a, b)             \
    ({                            \
        __typeof__(a) first = (a); \
        __typeof__(b) other = (b); \
        first > other ? first : other; \
    })
#define KIND(x) _Generic((x), char: 1, short: 2, int: 3, long: 4, unsigned char: 5, default: 6)

int main(void)
{
    read_input();
    int at = 0;
    show("largest", LARGEST(input[at++], input[at++] + 1));
    show("at", at);
    show("nested", LARGEST(LARGEST(s8(2), s8(3)), LARGEST(s16(4), s8(6))));
    int looped = ({
        int sum = 0;
        for (unsigned i = 8; i < 16; i++) {
            if (u8(i) == 0)
                continue;
            if (u8(i) == 255)
                break;
            sum += u8(i);
        }
        sum;
    });
    show("looped", looped);
    int comma = (at += u8(16), at *= 2, at - 1);
    show("comma", comma);
    show("kinds", KIND(u8(0)) * 100 + KIND(1L) * 10 + KIND(s16(0)));
    __typeof__(u64(0)) copied = u64(24);
    show("typeof", (long long)(copied >> 3));
    show("size", (long long)(sizeof(struct { char c; int i; }) + _Alignof(double)));
    return finish();
}
