/* What programs of SV-COMP and Test-Comp call. They declare these functions themselves, and some define a few of
 * them: all are weak, so that the program's own counts. */
#include "abi.h"
#include "interfaces/primitives.h"

#include <pthread.h>
#include <sys/types.h>

#define WEAK __attribute__((weak))

#define NONDET(name, type, kind)                                             \
    type __VERIFIER_nondet_##name(void);                                     \
    WEAK type __VERIFIER_nondet_##name(void) {                                    \
        type value;                                                          \
        untaken_fill(&value, sizeof value, kind, #name);                     \
        type result = value;                                                 \
        untaken_answer((void *)__VERIFIER_nondet_##name, &value, sizeof value); \
        return result;                                                       \
    }

NONDET(char, char, UNTAKEN_FIELD_CHARACTER)
NONDET(schar, signed char, UNTAKEN_FIELD_SIGNED)
NONDET(uchar, unsigned char, UNTAKEN_FIELD_UNSIGNED)
NONDET(unsigned_char, unsigned char, UNTAKEN_FIELD_UNSIGNED)
NONDET(short, short, UNTAKEN_FIELD_SIGNED)
NONDET(ushort, unsigned short, UNTAKEN_FIELD_UNSIGNED)
NONDET(unsigned_short, unsigned short, UNTAKEN_FIELD_UNSIGNED)
NONDET(int, int, UNTAKEN_FIELD_SIGNED)
NONDET(uint, unsigned int, UNTAKEN_FIELD_UNSIGNED)
NONDET(unsigned, unsigned int, UNTAKEN_FIELD_UNSIGNED)
NONDET(unsigned_int, unsigned int, UNTAKEN_FIELD_UNSIGNED)
NONDET(long, long, UNTAKEN_FIELD_SIGNED)
NONDET(ulong, unsigned long, UNTAKEN_FIELD_UNSIGNED)
NONDET(unsigned_long, unsigned long, UNTAKEN_FIELD_UNSIGNED)
NONDET(longlong, long long, UNTAKEN_FIELD_SIGNED)
NONDET(ulonglong, unsigned long long, UNTAKEN_FIELD_UNSIGNED)
NONDET(int128, __int128, UNTAKEN_FIELD_SIGNED)
NONDET(uint128, unsigned __int128, UNTAKEN_FIELD_UNSIGNED)
NONDET(u8, uint8_t, UNTAKEN_FIELD_UNSIGNED)
NONDET(u16, uint16_t, UNTAKEN_FIELD_UNSIGNED)
NONDET(u32, uint32_t, UNTAKEN_FIELD_UNSIGNED)
NONDET(u64, uint64_t, UNTAKEN_FIELD_UNSIGNED)
NONDET(size_t, size_t, UNTAKEN_FIELD_UNSIGNED)
NONDET(loff_t, long long, UNTAKEN_FIELD_SIGNED)
NONDET(sector_t, unsigned long, UNTAKEN_FIELD_UNSIGNED)
NONDET(pthread_t, pthread_t, UNTAKEN_FIELD_UNSIGNED)
NONDET(float, float, UNTAKEN_FIELD_FLOAT)
NONDET(double, double, UNTAKEN_FIELD_FLOAT)
NONDET(pointer, void *, UNTAKEN_FIELD_POINTER)
NONDET(charp, char *, UNTAKEN_FIELD_POINTER)
NONDET(pchar, char *, UNTAKEN_FIELD_POINTER)

_Bool __VERIFIER_nondet_bool(void);
WEAK _Bool __VERIFIER_nondet_bool(void) {
    uint8_t value;
    untaken_fill_bool(&value, "bool");
    _Bool result = value != 0;
    untaken_answer((void *)__VERIFIER_nondet_bool, &value, sizeof value);
    return result;
}

void __VERIFIER_nondet_memory(void *object, size_t size);
WEAK void __VERIFIER_nondet_memory(void *object, size_t size) {
    untaken_fill(object, size, UNTAKEN_FIELD_BYTES, "memory");
}

void __VERIFIER_assume(int condition);
WEAK void __VERIFIER_assume(int condition) { untaken_require((void *)__VERIFIER_assume, 0, (unsigned)condition); }

void __VERIFIER_error(void);
WEAK void __VERIFIER_error(void) { untaken_fail("__VERIFIER_error"); }

void reach_error(void);
WEAK void reach_error(void) { untaken_fail("reach_error"); }
