// checks: inline assembly with outputs, inputs tied to outputs, memory operands and clobbers
#include "collection.h"

#if defined(__x86_64__)

static uint32_t add(uint32_t a, uint32_t b)
{
    __asm__("addl %1, %0" : "+r"(a) : "r"(b) : "cc");
    return a;
}

static void divide(uint32_t a, uint32_t b, uint32_t *quotient, uint32_t *rest)
{
    __asm__("divl %4" : "=a"(*quotient), "=d"(*rest) : "0"(a), "1"(0), "r"(b) : "cc");
}

static void store(uint32_t *to, uint32_t value) { __asm__ volatile("movl %1, %0" : "=m"(*to) : "r"(value) : "memory"); }

#else

static uint32_t add(uint32_t a, uint32_t b) { return a + b; }
static void divide(uint32_t a, uint32_t b, uint32_t *quotient, uint32_t *rest) { *quotient = a / b, *rest = a % b; }
static void store(uint32_t *to, uint32_t value) { *to = value; }

#endif

int main(void)
{
    read_input();
    uint32_t a = u32(0), b = u32(4) | 1, quotient, rest, cell = a;
    show("add", add(a, b));
    divide(a, b, &quotient, &rest);
    show("quotient", quotient);
    show("rest", rest);
    expect(quotient * b + rest == a);
    store(&cell, b);
    show("stored", cell);
    __asm__ volatile("" : "+r"(a), "+m"(cell) : : "memory");
    if (a > cell)
        show("barrier", 1);
    uint32_t after = a ^ u32(8);
    show("after", after);
    return finish();
}
