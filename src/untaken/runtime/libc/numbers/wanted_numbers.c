/* Numbers that the program looks for, where none of so few digits will do: 7 was read, and it is compared with 1969. The
 * comparison has one outcome whatever the digit is, so no decision depends on it. But another input may have the longer
 * number in the same place. */
#include "libc/numbers/digits.h"

#define MOST_NUMBERS 64u /* of a run: the later ones are found as well in other runs */
#define MOST_DIGITS 20u

struct read_number {
    untaken_label label; /* of its value, in as many bits as so many digits need */
    uint32_t input;      /* the byte of the first digit */
    uint32_t length;
    unsigned base;
    bool has_sign; /* in the byte before */
    bool is_negative;
};

static struct read_number numbers[MOST_NUMBERS];
static unsigned number_count;
static uint64_t of_run;

static const struct read_number *find(untaken_label label) {
    for (unsigned i = 0; of_run == untaken_shared->run_count && i < number_count; i++) {
        if (numbers[i].label == label) {
            return &numbers[i];
        }
    }
    return NULL;
}

/* The digits of a value, without leading zeros; returns how many there are. */
static unsigned write_digits(uint64_t value, unsigned base, char *text) {
    char reversed[UNTAKEN_WORD_SIZE];
    unsigned count = 0;
    do {
        reversed[count++] = "0123456789abcdefghijklmnopqrstuvwxyz"[value % base];
        value /= base;
    } while (value != 0 && count < MOST_DIGITS);
    for (unsigned i = 0; i < count; i++) {
        text[i] = reversed[count - 1 - i];
    }
    return count;
}

/* Of all values with which the comparison would come out otherwise, the one nearest to the constant. `swapped`: the number
 * stands on its right. */
static int64_t other_side(unsigned op, bool swapped, int64_t constant) {
    bool strict = op == UNTAKEN_OP_ULT || op == UNTAKEN_OP_SLT, is_above = constant >= 0;
    if (op == UNTAKEN_OP_EQ || strict == (swapped != is_above)) {
        return constant;
    }
    return is_above ? constant + 1 : constant - 1;
}

/* The value without the sign is what was compared: the sign goes where it changes. */
static void note(const struct read_number *number, int64_t wanted) {
    bool other_sign = wanted < 0;
    struct untaken_word word = {.input = number->input, .length = number->length, .is_made = 1};
    if (other_sign && number->has_sign) {
        word.input--;
        word.length++;
    }
    if (other_sign && !number->is_negative) {
        word.text[word.size++] = '-';
    }
    uint64_t magnitude = other_sign ? 0 - (uint64_t)wanted : (uint64_t)wanted;
    word.size += write_digits(magnitude, number->base, word.text + word.size);
    note_word(&word);
}

static void is_beyond(unsigned op, bool swapped, term narrow, int64_t constant) {
    const struct read_number *number = find(narrow.label);
    bool can_move = constant != INT64_MAX && constant != INT64_MIN;
    if (number != NULL && can_move) {
        note(number, other_side(op, swapped, constant));
    }
}

/* Whether all its digits are bytes of the input, one after the other. */
static bool are_inputs(const char *digits, uint32_t length, uint32_t *first) {
    for (uint32_t i = 0; i < length; i++) {
        const struct untaken_node *node = node_of(untaken_memory_byte(digits + i).label);
        if (node->op != UNTAKEN_OP_INPUT || (i > 0 && node->a != *first + i)) {
            return false;
        }
        *first = i == 0 ? node->a : *first;
    }
    return length > 0;
}

void note_read_number(const struct number *number, term narrow) {
    struct read_number read = {.label = narrow.label, .length = (uint32_t)(number->end - number->digits), .base = number->base,
                               .has_sign = number->digits > number->sign && !number->prefixed,
                               .is_negative = number->negative};
    if (of_run != untaken_shared->run_count) {
        of_run = untaken_shared->run_count;
        number_count = 0;
    }
    if (narrow.label != 0 && number_count < MOST_NUMBERS && read.length <= MOST_DIGITS &&
        are_inputs(number->digits, read.length, &read.input)) {
        numbers[number_count++] = read;
        untaken_on_beyond = is_beyond;
    }
}
