/* What compilers for the MSP430 expect of their library: the processor neither multiplies nor divides, and shifts by one. */
#include <stddef.h>
#include <stdint.h>

#define MULTIPLY(type, name)             \
    type name(type a, type b)            \
    {                                    \
        type product = 0;                \
        for (; b; b >>= 1, a += a)       \
            product += b & 1 ? a : 0;    \
        return product;                  \
    }

#define DIVIDE(type, bits, quotient, remainder)                  \
    type quotient(type a, type b)                                \
    {                                                            \
        type result = 0, rest = 0;                               \
        for (int i = 0; i < bits; i++) {                         \
            rest = (type)(rest + rest) | (a & (type)1 << (bits - 1) ? 1 : 0); \
            a += a;                                              \
            result += result;                                    \
            if (rest >= b) {                                     \
                rest -= b;                                       \
                result |= 1;                                     \
            }                                                    \
        }                                                        \
        return result;                                           \
    }                                                            \
    type remainder(type a, type b) { return a - __mspabi_times_##type(quotient(a, b), b); }

#define DIVIDE_SIGNED(type, wide, quotient, remainder, by)       \
    type quotient(type a, type b)                                \
    {                                                            \
        wide found = by(a < 0 ? -(wide)a : (wide)a, b < 0 ? -(wide)b : (wide)b); \
        return (a < 0) != (b < 0) ? -found : found;              \
    }                                                            \
    type remainder(type a, type b) { return a - (type)__mspabi_times_##wide(quotient(a, b), b); }

#define SHIFT(type, name, step)          \
    type name(type value, int by)        \
    {                                    \
        while (by-- > 0)                 \
            value = step;                \
        return value;                    \
    }

MULTIPLY(uint16_t, __mspabi_mpyi)
MULTIPLY(uint32_t, __mspabi_mpyl)
#define __mspabi_times_uint16_t __mspabi_mpyi
#define __mspabi_times_uint32_t __mspabi_mpyl
DIVIDE(uint16_t, 16, __mspabi_divu, __mspabi_remu)
DIVIDE(uint32_t, 32, __mspabi_divul, __mspabi_remul)
DIVIDE_SIGNED(int16_t, uint16_t, __mspabi_divi, __mspabi_remi, __mspabi_divu)
DIVIDE_SIGNED(int32_t, uint32_t, __mspabi_divli, __mspabi_remli, __mspabi_divul)
SHIFT(uint32_t, __mspabi_slll, value + value)
SHIFT(uint32_t, __mspabi_srll, value >> 1)
SHIFT(int32_t, __mspabi_sral, value >> 1)
SHIFT(uint16_t, __mspabi_slli, value + value)
SHIFT(uint16_t, __mspabi_srli, value >> 1)
SHIFT(int16_t, __mspabi_srai, value >> 1)

void *memcpy(void *to, const void *from, size_t size)
{
    for (char volatile *place = to; size; size--)
        *place++ = *(const char *)from, from = (const char *)from + 1;
    return to;
}

void *memset(void *to, int byte, size_t size)
{
    for (char volatile *place = to; size; size--)
        *place++ = byte;
    return to;
}
