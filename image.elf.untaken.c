#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <untaken.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef unsigned __int128 u128;
typedef int8_t i8;
typedef int16_t i16;
typedef int32_t i32;
typedef int64_t i64;
typedef __int128 i128;
typedef u32 address;
typedef address function(address);

/* Decisions of these functions are no branches of the program. */
#define INLINE __attribute__((always_inline, unused)) static inline
#define HELPER __attribute__((noinline, unused)) static

/* ---- how a run ends */

/* ---- memories, and what they hold at first */
static u8 ram_1000[0x1010] =
    "\070\140\000\001\110";
static u8 ram_7f000000[0x10010];

/* With -DUNTAKEN_DUMP memory is printed at the end, bytes that are not 0: memory NAME ADDRESS BYTES. */
HELPER void untaken_dump_region(const char *name, u64 first, const u8 *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (!bytes[i])
            continue;
        printf("memory %s %llx ", name, (unsigned long long)(first + i));
        for (; i < size && bytes[i]; i++)
            printf("%02x", bytes[i]);
        printf("\n");
    }
}
HELPER void untaken_dump(void) {
#ifdef UNTAKEN_DUMP
    untaken_dump_region("ram", 0x1000, ram_1000, 0x1000);
    untaken_dump_region("ram", 0x7f000000, ram_7f000000, 0x10000);
#endif
}

_Noreturn HELPER void untaken_finish(void) {
    untaken_dump();
    exit(0);
}

_Noreturn HELPER void untaken_wrong(const char *what, u64 value, address pc) {
    char text[200];
    snprintf(text, sizeof text, what, (unsigned long long)value, (unsigned long long)pc);
    untaken_report_error(text);
}

_Noreturn HELPER void untaken_not_followed(address pc, const char *name) {
    char text[200];
    snprintf(text, sizeof text, "the instruction at 0x%llx is not followed (%s)", (unsigned long long)pc, name);
    untaken_report_error(text);
}

_Noreturn HELPER void untaken_invalid(address target, address pc) {
    untaken_wrong("no instruction at 0x%llx, where 0x%llx leads", target, pc);
}

/* Each bit of an address that is not lifted is a decision, so that the search finds all that it can be. */
_Noreturn HELPER void untaken_unknown(address target, address pc, int kind) {
    static const char *const ways[] = {"return", "jump", "call"};
    char text[200];
    u64 found = 0;
    for (unsigned bit = 0; bit < 8 * sizeof target; bit++) {
        if (target >> bit & 1)
            found |= 1ull << bit;
    }
    snprintf(text, sizeof text, "%s to 0x%llx from 0x%llx, which is not lifted", ways[kind], (unsigned long long)found,
             (unsigned long long)pc);
    untaken_report_error(text);
}

static u64 untaken_steps;

INLINE void tick(unsigned instructions, address pc) {
    untaken_steps += instructions;
    if (untaken_steps > 1000000ull)
        untaken_wrong("%llu instructions without an end or an input, the last at 0x%llx", 1000000, pc);
}

/* ---- numbers */

#define NUMBERS(width, order)                                                                                      \
    typedef u##width at##width __attribute__((aligned(1), may_alias));                                             \
    INLINE u##width get##width(const u8 *from) { return order(*(const at##width *)from); }                         \
    INLINE void put##width(u8 *to, u##width value) { *(at##width *)to = order(value); }                            \
    INLINE u##width left##width(u##width a, u64 by) {                                                              \
        return (u##width)((u##width)(a << (by & (width - 1))) & (u##width)-(u##width)(by < width));                \
    }                                                                                                              \
    INLINE u##width right##width(u##width a, u64 by) {                                                             \
        return (u##width)((u##width)(a >> (by & (width - 1))) & (u##width)-(u##width)(by < width));                \
    }                                                                                                              \
    INLINE u##width signed_right##width(i##width a, u64 by) {                                                      \
        return (u##width)(a >> (((by & (width - 1)) | (u64)-(i64)(by >= width)) & (width - 1)));                   \
    }
#define DIVISIONS(width, wide)                                                                                     \
    INLINE u##width divided##width(u##width a, u##width b, address pc) { return zero(b == 0, pc), (u##width)(a / b); } \
    INLINE u##width rest##width(u##width a, u##width b, address pc) { return zero(b == 0, pc), (u##width)(a % b); }    \
    INLINE u##width signed_divided##width(i##width a, i##width b, address pc) {                                    \
        return zero(b == 0, pc), (u##width)((i##wide)a / b);                                                       \
    }                                                                                                              \
    INLINE u##width signed_rest##width(i##width a, i##width b, address pc) {                                       \
        return zero(b == 0, pc), (u##width)((i##wide)a % b);                                                       \
    }

INLINE u8 as_is8(u8 a) { return a; }
INLINE u16 as_is16(u16 a) { return a; }
INLINE u32 as_is32(u32 a) { return a; }
INLINE u64 as_is64(u64 a) { return a; }
INLINE u128 as_is128(u128 a) { return a; }
INLINE u8 turned8(u8 a) { return a; }
INLINE u16 turned16(u16 a) { return __builtin_bswap16(a); }
INLINE u32 turned32(u32 a) { return __builtin_bswap32(a); }
INLINE u64 turned64(u64 a) { return __builtin_bswap64(a); }
INLINE u128 turned128(u128 a) { return (u128)turned64((u64)a) << 64 | turned64((u64)(a >> 64)); }

NUMBERS(8, turned8)
NUMBERS(16, turned16)
NUMBERS(32, turned32)
NUMBERS(64, turned64)
NUMBERS(128, turned128)

INLINE void zero(int is_zero, address pc) {
    if (is_zero)
        untaken_wrong("division by zero at 0x%llx", pc, pc);
}

DIVISIONS(8, 32)
DIVISIONS(16, 32)
DIVISIONS(32, 64)
DIVISIONS(64, 128)
DIVISIONS(128, 128)

INLINE u8 leading_zeros(u64 a, unsigned width) { return (u8)((a == 0 ? 64 : __builtin_clzll(a)) - (64 - width)); }

INLINE float float32(u32 bits) { float made; memcpy(&made, &bits, 4); return made; }
INLINE double float64(u64 bits) { double made; memcpy(&made, &bits, 8); return made; }
INLINE u32 bits32(float number) { u32 made; memcpy(&made, &number, 4); return made; }
INLINE u64 bits64(double number) { u64 made; memcpy(&made, &number, 8); return made; }
INLINE u32 truncated32(double a) { return (u32)(a >= 2147483648.0 ? INT32_MAX : a < -2147483648.0 ? INT32_MIN : (i32)a); }
INLINE u64 truncated64(double a) { return (u64)(a >= 9223372036854775808.0 ? INT64_MAX : a < -9223372036854775808.0 ? INT64_MIN : (i64)a); }

/* ---- inputs */

/* With -DUNTAKEN_DUMP what a run gets is printed, and UNTAKEN_READS says before which read of a port it ends. */
#ifdef UNTAKEN_DUMP
HELPER void untaken_before_read(address pc) {
    static unsigned long done;
    const char *most = getenv("UNTAKEN_READS");
    if (most != NULL && done++ == strtoul(most, NULL, 10)) {
        printf("stop %llx\n", (unsigned long long)pc);
        untaken_finish();
    }
}
HELPER void untaken_tell_input(unsigned number, const void *bytes, size_t size) {
    printf("input %u ", number);
    for (size_t i = 0; i < size; i++)
        printf("%02x", ((const u8 *)bytes)[i]);
    printf("\n");
}
#define BEFORE_READ(pc) untaken_before_read(pc)
HELPER void untaken_tell_read(address pc, address at, unsigned size, u64 value, const char *name) {
    unsigned long long place = at;
    printf("read %llx %llx %u %llx %s\n", (unsigned long long)pc, place, size, (unsigned long long)value, name);
}
#define TELL_READ(pc, at, value, name) untaken_tell_read(pc, at, sizeof(value), value, name)
#define TELL_PASSED(pc) printf("passed %llx\n", (unsigned long long)(pc))
#define TELL_INPUT(number, bytes, size) untaken_tell_input(number, bytes, size)
#else
#define BEFORE_READ(pc) ((void)(pc))
#define TELL_READ(pc, at, value, name) ((void)(at))
#define TELL_PASSED(pc) ((void)0)
#define TELL_INPUT(number, bytes, size) ((void)0)
#endif

#define PORTS(width, type, typed)                                                                                  \
    INLINE u##width port##width(const char *name, address at, address pc) {                                        \
        type made;                                                                                                 \
        untaken_steps = 0;                                                                                         \
        BEFORE_READ(pc);                                                                                           \
        untaken_input_##typed(&made, name);                                                                        \
        TELL_READ(pc, at, made, name);                                                                             \
        return made;                                                                                               \
    }
PORTS(8, u8, uchar)
PORTS(16, u16, ushort)
PORTS(32, u32, uint)
PORTS(64, unsigned long, ulong)

/* ---- registers */

static u32 r1;
static u32 r3;
static u32 LR;

/* ---- memory */

static const u8 untaken_code[0x9] =
    "\001\001\001\001\001\001\001\001";

INLINE u8 *place_of_read_ram(address a, unsigned size, address pc) {
    address offset;
    offset = (address)(a - 0x1000ull);
    if (offset <= 0x1000 - size) return ram_1000 + offset;
    offset = (address)(a - 0x7f000000ull);
    if (offset <= 0x10000 - size) return ram_7f000000 + offset;
    if ((address)(0x7f000000ull - a) <= 0x10000)
        untaken_wrong("stack overrun: read at 0x%llx by 0x%llx", a, pc);
    untaken_wrong("read outside known memory at 0x%llx by 0x%llx", a, pc);
}
INLINE u8 *place_of_write_ram(address a, unsigned size, address pc) {
    address offset;
    offset = (address)(a - 0x1000ull);
    if (offset <= 0x1000 - size) return ram_1000 + offset;
    offset = (address)(a - 0x7f000000ull);
    if (offset <= 0x10000 - size) return ram_7f000000 + offset;
    if ((address)(0x7f000000ull - a) <= 0x10000)
        untaken_wrong("stack overrun: write at 0x%llx by 0x%llx", a, pc);
    untaken_wrong("write outside known memory at 0x%llx by 0x%llx", a, pc);
}
INLINE u32 load32_ram(address a, address pc) {
    (void)pc;
    return get32(place_of_read_ram(a, 4, pc));
}


/* ---- functions */

static function fn_1000;

HELPER function *untaken_function_at(address pc, address from, int kind) {
    switch (pc) {
    case 0xfffffff0: untaken_finish();
    case 0x1000: return fn_1000;
    default: untaken_unknown(pc, from, kind);
    }
}
#define jump_at(pc, from) untaken_function_at(pc, from, 1)(pc)
#define call_at(pc, from) untaken_function_at(pc, from, 2)(pc)

/* A return to where no call came from goes on there, with all calls of C forgotten: the machine's own stack
 * is in its memory. */
static jmp_buf untaken_top;
static address untaken_next, untaken_from;
static char *untaken_deepest;
_Noreturn HELPER void untaken_leave(address pc, address from) {
    untaken_next = pc;
    untaken_from = from;
    longjmp(untaken_top, 1);
}
INLINE void returned(address pc, address expected, address from) {
    if (pc != expected)
        untaken_leave(pc, from);
}
INLINE void not_too_deep(address pc) {
    if ((char *)__builtin_frame_address(0) < untaken_deepest)
        untaken_leave(pc, pc);
}
HELPER void untaken_run(address entry) {
    untaken_next = entry;
    setjmp(untaken_top);
    for (;;)
        untaken_next = untaken_function_at(untaken_next, untaken_from, 0)(untaken_next);
}

HELPER void untaken_inputs(void) {
}
INLINE void inputs_once(void) {
    static int done;
    if (!done++)
        untaken_inputs();
}

INLINE void stack(address pc) {
    (void)pc;
    if (r1 < 0x7f000000u && r1 != 0u)
        untaken_wrong("stack overrun: the stack pointer is 0x%llx at 0x%llx", r1, pc);
}


int main(void) {
    untaken_deepest = (char *)__builtin_frame_address(0) - (4 << 20);
    r1 = 0x7f00ffc0u;
    LR = 0xfffffff0u;
    untaken_inputs();
    untaken_run(0x1000);
}
