// Sorting: quicksort with insertion sort at the end, on 32-bit numbers made of the data.
// bench: rounds=20000 stdin=512
#include "workload.h"

static void insertion(uint32_t *v, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        uint32_t moved = v[i];
        size_t k = i;
        for (; k > 0 && v[k - 1] > moved; k--)
            v[k] = v[k - 1];
        v[k] = moved;
    }
}

static void swap(uint32_t *a, uint32_t *b)
{
    uint32_t old = *a;
    *a = *b;
    *b = old;
}

static void sort(uint32_t *v, size_t count)
{
    while (count > 12) {
        swap(&v[0], &v[count / 2]);
        uint32_t pivot = v[0];
        size_t left = 0;
        for (size_t i = 1; i < count; i++)
            if (v[i] < pivot)
                swap(&v[++left], &v[i]);
        swap(&v[0], &v[left]);
        if (left < count - left - 1) {
            sort(v, left);
            v += left + 1, count -= left + 1;
        } else {
            sort(v + left + 1, count - left - 1);
            count = left;
        }
    }
    insertion(v, count);
}

static uint32_t work(const unsigned char *data, size_t size, uint32_t seed)
{
    static uint32_t numbers[MOST_DATA];
    size_t count = 0;
    for (size_t i = 0; i + 4 <= size; i++) {
        memcpy(&numbers[count], data + i, 4);
        numbers[count++] ^= seed;
    }
    sort(numbers, count);
    uint32_t result = seed;
    for (size_t i = 0; i < count; i += 7)
        result = result * 31 + numbers[i];
    return result;
}
