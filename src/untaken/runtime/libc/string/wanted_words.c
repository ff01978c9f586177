/* Words that the program looks for, where no change of the bytes at hand gives it one: "if" is there, and it was
 * compared with "function". Another input may have the longer word in the same place; which place that is, the
 * labels tell. */
#define _GNU_SOURCE /* memmem */
#include "libc/model.h"
#include "trace/trace.h"

#include <string.h>

#define MOST_OPERATIONS 8u /* on the way from what a program made of a byte (lower case, say) to the byte */
#define MOST_BACK 2u          /* bytes before an empty string that are looked at: one may have become its own end */
#define MOST_PARTS 4u         /* of a string that a program put together */
#define SHORTEST_ELSEWHERE 2u /* characters of a word that is noted without a place */

static bool find_input(untaken_label label, unsigned operations, uint32_t *input) {
    const struct untaken_node *node = node_of(label);
    switch (node->op) {
    case UNTAKEN_OP_INPUT:
        *input = node->a;
        return true;
    case UNTAKEN_OP_CONST:
    case UNTAKEN_OP_READ:
        return false;
    case UNTAKEN_OP_ITE: /* a letter of the other case, or else the letter; a byte that was read, or else EOF */
        return operations > 0 && (find_input(node->c, operations - 1, input) || find_input(node->b, operations - 1, input));
    default:
        return operations > 0 && find_input(node->a, operations - 1, input);
    }
}

/* The input byte that a character was made from; false if there is none, or it is not seen at once. */
static bool input_of(term character, uint32_t *input) {
    return character.label != 0 && find_input(character.label, MOST_OPERATIONS, input);
}

/* The input byte beside an address, if memory there came from the input. What no label speaks of is not read. */
static bool input_at(const char *address, uint32_t *input) {
    return untaken_memory_symbolic(address, 1) && input_of(untaken_memory_byte(address), input);
}

/* How many characters of the string come from input bytes that follow each other. */
static uint32_t run_of_inputs(const char *string, uint32_t first) {
    uint32_t length = 1, input;
    while (input_at(string + length, &input) && input == first + length && string[length])
        length++;
    return length;
}

/* Whether a string can be read here, too, where it could be before: the function that compared it stopped at the first
 * difference, and what follows need not be there. */
static bool goes_on(const char *at) { return (uintptr_t)at % UNTAKEN_PAGE != 0 || untaken_is_readable(at); }

/* How long the text is; 0 if it is longer than a word, or has no end that can be read. */
static uint64_t length_of_word(const char *text, uint64_t limit) {
    for (uint64_t size = 0; size <= UNTAKEN_WORD_SIZE; size++) {
        if (size == limit)
            return size;
        if (!goes_on(text + size))
            return 0;
        if (text[size] == '\0')
            return size;
    }
    return 0;
}

/* True if the string differs from the text in a character that does not depend on the input. */
static bool never_equal(const char *string, const char *text, uint64_t size) {
    for (uint64_t index = 0; index < size && goes_on(string + index); index++) {
        term character = untaken_memory_byte(string + index);
        if (character.label == 0 && (char)character.value != text[index])
            return true;
        if (string[index] == '\0')
            return false;
    }
    return false;
}

static bool is_same(const struct untaken_word *word, const struct untaken_word *other) {
    return other->input == word->input && other->length == word->length && other->size == word->size &&
           other->part == word->part && !memcmp(other->text, word->text, word->size);
}

static bool is_noted(const struct untaken_word *parts, unsigned count) {
    for (uint64_t i = 0; i + count <= untaken_shared->word_count; i++) {
        unsigned same = 0;
        while (same < count && is_same(&parts[same], &untaken_state.words[i + same]))
            same++;
        if (same == count)
            return true;
    }
    return false;
}

/* A word, and its further parts behind it. */
static void note_parts(struct untaken_word *parts, unsigned count) {
    uint64_t noted = untaken_shared->word_count;
    if (noted + count > untaken_shared->words.capacity || is_noted(parts, count))
        return;
    for (unsigned i = 0; i < count; i++) {
        parts[i].position = untaken_event_position();
        untaken_state.words[noted + i] = parts[i];
    }
    untaken_shared->word_count = noted + count;
}

void note_word(struct untaken_word *word) { note_parts(word, 1); }

/* How many characters the two begin with that are the same in any case. */
static uint64_t common_beginning(const char *string, const char *text, uint64_t limit) {
    uint64_t length = 0;
    while (length < limit && text[length] && string[length] == text[length] && !untaken_memory_symbolic(string + length, 1))
        length++;
    return length;
}

/* Where a string comes from. Of an empty one, which a program made by ending a word there, the neighbours tell. */
static bool find_place(const char *string, struct untaken_word *word) {
    if (input_at(string, &word->input)) {
        word->length = run_of_inputs(string, word->input);
        return true;
    }
    word->length = 0;
    if (input_at(string + 1, &word->input) && word->input > 0) {
        word->input--;
        return true;
    }
    for (uint32_t back = 1; back <= MOST_BACK; back++) {
        if (input_at(string - back, &word->input)) {
            word->input += back;
            return true;
        }
    }
    return false;
}

static void note(struct untaken_word *word, const char *text) {
    memcpy(word->text, text, word->size);
    note_word(word);
}

/* How many characters follow that are the program's own. */
static uint64_t own_characters(const char *string) {
    uint64_t length = 0;
    while (goes_on(string + length) && string[length] && !untaken_memory_symbolic(string + length, 1))
        length++;
    return length;
}

/* Where the text has what the program put behind a part: at its end, if it can be, where that is the end of the string. */
static const char *find_own(const char *text, const char *end, const char *own, uint64_t length, bool is_end) {
    if (is_end && length < (uint64_t)(end - text) && !memcmp(end - length, own, length))
        return end - length;
    return memmem(text, (size_t)(end - text), own, length);
}

/* The parts of a string that a program put together from its input and characters of its own ("net" "." "port"), each
 * with what the text has in its place; what it has behind all of them may come later, when there is such a part. How many
 * there are; 0 if the text is not put together so. */
static unsigned find_parts(const char *string, const char *text, uint64_t size, struct untaken_word *parts) {
    const char *end = text + size;
    for (unsigned count = 0; count < MOST_PARTS && text < end; count++) {
        struct untaken_word *word = &parts[count];
        *word = (struct untaken_word){.part = (uint8_t)count};
        if (!input_at(string, &word->input))
            return 0;
        word->length = run_of_inputs(string, word->input);
        string += word->length;
        uint64_t own = own_characters(string);
        bool is_end = string[own] == '\0';
        if (own == 0 && !is_end)
            return 0;
        const char *stop = own == 0 ? end : find_own(text, end, string, own, is_end);
        if (stop == NULL || stop == text)
            return 0;
        word->size = (uint16_t)(stop - text);
        memcpy(word->text, text, word->size);
        if (is_end)
            return count + 1;
        text = stop + own;
        string += own;
    }
    return 0;
}

void note_wanted_word(const char *string, const char *text, uint64_t limit) {
    uint64_t common = common_beginning(string, text, limit);
    string += common;
    text += common;
    limit -= common;
    uint64_t size = length_of_word(text, limit);
    struct untaken_word word = {.size = (uint16_t)size};
    if (size == 0 || untaken_memory_symbolic(text, size) ||
        !never_equal(string, text, size < limit ? size + 1 : size))
        return;
    struct untaken_word parts[MOST_PARTS];
    unsigned count = size < limit ? find_parts(string, text, size, parts) : 0;
    if (count > 0) {
        note_parts(parts, count);
        return;
    }
    if (!find_place(string, &word)) {
        if (common > 0 || size < SHORTEST_ELSEWHERE)
            return;
        word.input = UNTAKEN_NO_PLACE;
        word.length = 0;
    }
    note(&word, text);
}

void note_wanted_text(const char *string, const char *text, bool in_place_of_all) {
    uint64_t size = strlen(text);
    struct untaken_word word = {.size = (uint16_t)size, .is_made = 1};
    if (size == 0 || size > sizeof word.text || !find_place(string, &word))
        return;
    if (!in_place_of_all)
        word.length = 0;
    note(&word, text);
}
