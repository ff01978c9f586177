// checks: C11 atomics: every operation on every width, exchange, compare and exchange, fences, flags
#include "collection.h"
#include <stdatomic.h>

#define ALL(name, type, a, b)                                                        \
    do {                                                                             \
        _Atomic type cell = (a);                                                     \
        type value = (b), expected;                                                  \
        show(name " add", (long long)atomic_fetch_add(&cell, value));                \
        show(name " sub", (long long)atomic_fetch_sub(&cell, (type)(value / 2)));    \
        show(name " and", (long long)atomic_fetch_and(&cell, (type)~value));         \
        show(name " or", (long long)atomic_fetch_or(&cell, (type)(value << 1)));     \
        show(name " xor", (long long)atomic_fetch_xor(&cell, (type)0x55));           \
        show(name " exchange", (long long)atomic_exchange(&cell, (type)(value + 1))); \
        expected = (a);                                                              \
        show(name " compared", atomic_compare_exchange_strong(&cell, &expected, 9)); \
        show(name " seen", (long long)expected);                                     \
        expected = cell;                                                             \
        expect(atomic_compare_exchange_strong(&cell, &expected, value));             \
        atomic_store_explicit(&cell, (type)(cell * 3), memory_order_release);        \
        show(name " loaded", (long long)atomic_load_explicit(&cell, memory_order_acquire)); \
        cell++;                                                                      \
        cell -= 5;                                                                   \
        show(name " plain", (long long)cell);                                        \
    } while (0)

static _Atomic(int *) pointer;
static atomic_flag flag = ATOMIC_FLAG_INIT;

int main(void)
{
    read_input();
    ALL("u8", uint8_t, u8(0), u8(1));
    ALL("u16", uint16_t, u16(2), u16(4));
    ALL("u32", uint32_t, u32(8), u32(12));
    ALL("u64", uint64_t, u64(16), u64(24));
    int pair[2] = {s16(32), s16(34)};
    atomic_init(&pointer, pair);
    atomic_store(&pointer, pair + (u8(36) & 1));
    show("pointer", *pointer);
    show("flag", atomic_flag_test_and_set(&flag) * 2 + atomic_flag_test_and_set(&flag));
    atomic_flag_clear(&flag);
    atomic_thread_fence(memory_order_seq_cst);
    int32_t largest = s32(40);
    for (unsigned i = 44; i < 60; i += 4)
        for (int32_t old = largest; old < s32(i) && !__sync_bool_compare_and_swap(&largest, old, s32(i)); old = largest)
            ;
    show("largest", largest);
    return finish();
}
