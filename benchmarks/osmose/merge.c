// Sorts two lists and merges them into one.
#include <stdint.h>
#include <untaken.h>

enum { SIZE = 2 };
enum { DONE = 0, TOO_LONG = 1 };

static void swap(uint8_t *a, uint8_t *b)
{
    uint8_t kept = *a;
    *a = *b;
    *b = kept;
}

static void sort(uint8_t *values, uint8_t count)
{
    for (uint8_t i = 1; i < count; i++)
        for (uint8_t j = i; j > 0; j--) {
            uint8_t before = j - 1;
            if (values[j] >= values[before])
                break;
            swap(&values[j], &values[before]);
        }
}

int main(void)
{
    uint8_t a[SIZE], b[SIZE], merged[2 * SIZE], a_count, b_count;
    untaken_input(&a_count, sizeof a_count, "a_count");
    untaken_input(&b_count, sizeof b_count, "b_count");
    untaken_input(a, sizeof a, "a");
    untaken_input(b, sizeof b, "b");
    if (a_count > SIZE || b_count > SIZE)
        return TOO_LONG;
    sort(a, a_count);
    sort(b, b_count);
    uint8_t i = 0, j = 0;
    while (i < a_count && j < b_count) {
        if (a[i] < b[j]) {
            merged[i + j] = a[i];
            i++;
        } else {
            merged[i + j] = b[j];
            j++;
        }
    }
    for (; i < a_count; i++)
        merged[i + j] = a[i];
    for (; j < b_count; j++)
        merged[i + j] = b[j];
    return DONE;
}
