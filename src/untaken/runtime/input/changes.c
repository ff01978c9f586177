/* Random changes of inputs, as fuzzers make them: bits, bytes, numbers and blocks, several at once.
 *
 * Kin: AFL's "havoc" stage, whose list of changes this follows. A change is made within one place of the input, so that
 * a stream that gets longer or shorter has its new length, and what comes after it stays where it is. Each run of a burst
 * has random numbers of its own: it does not matter whether those before it were made in the same process. */
#include "input/input.h"
#include "input/random.h"

#include <ctype.h>
#include <string.h>

#define MOST_PLACES 4u     /* that are changed in one input */
#define MOST_CHANGES 4u    /* of a place, as a power of two */
#define LARGEST_STEP 35u   /* that is added to a number, or taken from it */
#define LONGEST_BLOCK 32u
#define MOST_TOKENS 4u     /* that are taken from another input at once */
#define LOOSE_ROOM 2048u   /* for a place without bounds of its own while it is changed */

/* What is changed: `size` bytes, which may become `most`. */
struct text {
    uint8_t *bytes;
    uint64_t size, most;
};

struct block {
    uint64_t start, size;
};

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* ---- The burst, as the driver has laid it out ---- */

static const void *at(const struct untaken_burst *burst, uint64_t offset) { return (const uint8_t *)burst + offset; }

static const struct untaken_insert *word_of(const struct untaken_burst *burst, uint64_t number) {
    return (const struct untaken_insert *)at(burst, sizeof *burst) + number;
}

static const struct untaken_start *start_of(const struct untaken_burst *burst, uint64_t number) {
    return (const struct untaken_start *)(const void *)word_of(burst, burst->word_count) + number % burst->start_count;
}

/* ---- Room in a text ---- */

static void remove_bytes(struct text *text, uint64_t start, uint64_t count) {
    memmove(text->bytes + start, text->bytes + start + count, text->size - start - count);
    text->size -= count;
}

/* Makes room; what does not fit any more at the end is lost. How many of the bytes there is room for. */
static uint64_t make_room(struct text *text, uint64_t start, uint64_t count) {
    count = smaller(count, text->most - start);
    uint64_t kept = smaller(text->size - start, text->most - start - count);
    memmove(text->bytes + start + count, text->bytes + start, kept);
    text->size = start + count + kept;
    return count;
}

static void put_in(struct text *text, uint64_t start, const uint8_t *bytes, uint64_t count) {
    memcpy(text->bytes + start, bytes, make_room(text, start, count));
}

/* In the place of as many, or of those up to the end. */
static void put_over(struct text *text, uint64_t start, const uint8_t *bytes, uint64_t count) {
    count = smaller(count, text->most - start);
    memcpy(text->bytes + start, bytes, count);
    text->size = start + count > text->size ? start + count : text->size;
}

static struct block random_block(struct untaken_random *random, uint64_t size) {
    uint64_t length = 1 + random_below(random, smaller(LONGEST_BLOCK, size));
    return (struct block){random_below(random, size - length + 1), length};
}

/* A copy: what it is put into may move. */
static struct block copy_block(struct untaken_random *random, const uint8_t *from, uint64_t size, uint8_t *to) {
    struct block block = random_block(random, size);
    memcpy(to, from + block.start, block.size);
    return block;
}

/* ---- One change each, of a text that is not empty ---- */

static void flip(struct untaken_random *random, struct text *text) {
    uint64_t bit = random_below(random, 8 * text->size);
    text->bytes[bit >> 3] ^= (uint8_t)(1u << (bit & 7));
}

/* Any, or one of those that programs which read text decide by. */
static uint8_t random_byte(struct untaken_random *random) {
    static const char telling[] = "0123456789 \n\t.,;:=-+*/()[]{}<>\"'#%&|!?@$_\\^~aAbBeEfFnNxXzZ";
    return random_below(random, 2) == 0 ? (uint8_t)random_below(random, 256)
                                        : (uint8_t)telling[random_below(random, sizeof telling - 1)];
}

static void randomise(struct untaken_random *random, struct text *text) {
    text->bytes[random_below(random, text->size)] = random_byte(random);
}

/* A number of one, two or four bytes, in any order of bytes. */
struct number {
    uint8_t *bytes;
    unsigned size;
    bool is_big_endian;
};

static struct number random_number(struct untaken_random *random, struct text *text) {
    unsigned size = (unsigned)smaller(1u << random_below(random, 3), text->size);
    uint8_t *bytes = text->bytes + random_below(random, text->size - size + 1);
    return (struct number){bytes, size, random_below(random, 2) == 1};
}

static uint8_t *byte_of(struct number number, unsigned significance) {
    return number.bytes + (number.is_big_endian ? number.size - 1 - significance : significance);
}

static uint32_t value_of(struct number number) {
    uint32_t value = 0;
    for (unsigned i = 0; i < number.size; i++) {
        value |= (uint32_t)*byte_of(number, i) << 8 * i;
    }
    return value;
}

static void set_number(struct number number, uint32_t value) {
    for (unsigned i = 0; i < number.size; i++) {
        *byte_of(number, i) = (uint8_t)(value >> 8 * i);
    }
}

static void step(struct untaken_random *random, struct text *text) {
    struct number number = random_number(random, text);
    set_number(number, value_of(number) + (uint32_t)random_below(random, 2 * LARGEST_STEP + 1) - LARGEST_STEP);
}

/* A number becomes one at which programs like to decide. */
static void tell(struct untaken_random *random, struct text *text) {
    static const int64_t telling[] = {0,   1,   -1,  16,   32,   64,   100,   127,    -128,  255,
                                      256, 512, 1000, 1024, 4096, 32767, -32768, 65535, 1ll << 31};
    struct number number = random_number(random, text);
    set_number(number, (uint32_t)telling[random_below(random, sizeof telling / sizeof *telling)]);
}

/* One block is written over another. */
static void copy(struct untaken_random *random, struct text *text) {
    struct block block = random_block(random, text->size);
    memmove(text->bytes + random_below(random, text->size - block.size + 1), text->bytes + block.start, block.size);
}

static void delete(struct untaken_random *random, struct text *text) {
    struct block block = random_block(random, text->size);
    remove_bytes(text, block.start, block.size);
}

/* One block is put in once more, elsewhere. */
static void repeat(struct untaken_random *random, struct text *text) {
    uint8_t bytes[LONGEST_BLOCK];
    struct block block = copy_block(random, text->bytes, text->size, bytes);
    put_in(text, random_below(random, text->size + 1), bytes, block.size);
}

/* Random bytes, or one of them several times. */
static void insert(struct untaken_random *random, struct text *text) {
    uint8_t bytes[LONGEST_BLOCK];
    uint64_t size = 1 + random_below(random, 1 + random_below(random, LONGEST_BLOCK));
    bool is_one = random_below(random, 2) == 0;
    for (uint64_t i = 0; i < size; i++) {
        bytes[i] = is_one && i > 0 ? bytes[0] : random_byte(random);
    }
    put_in(text, random_below(random, text->size + 1), bytes, size);
}

/* A block of another input, in the place of as much. */
static void take(const struct untaken_burst *burst, struct untaken_random *random, struct text *text) {
    const struct untaken_start *other = start_of(burst, random_below(random, burst->start_count));
    uint8_t bytes[LONGEST_BLOCK];
    if (other->size > 0) {
        struct block block = copy_block(random, at(burst, other->offset), other->size, bytes);
        put_over(text, random_below(random, text->size), bytes, block.size);
    }
}

static bool is_of_word(uint8_t byte) { return isalnum(byte) || byte == '_'; }

/* The word around a place of the text, or the one byte there. */
static struct block token_around(const uint8_t *bytes, uint64_t size, uint64_t at) {
    uint64_t start = at, end = at + 1;
    if (is_of_word(bytes[at])) {
        while (start > 0 && is_of_word(bytes[start - 1])) {
            start--;
        }
        while (end < size && is_of_word(bytes[end])) {
            end++;
        }
    }
    return (struct block){start, end - start};
}

/* With blanks where it would become one with a neighbour: behind `print`, `substr` is no word of its own. */
static void put_in_apart(struct text *text, uint64_t start, const uint8_t *bytes, uint64_t count) {
    bool is_word = count > 0 && is_of_word(bytes[count - 1]);
    if (is_word && start < text->size && is_of_word(text->bytes[start])) {
        put_in(text, start, (const uint8_t *)" ", 1);
    }
    put_in(text, start, bytes, count);
    if (count > 0 && is_of_word(bytes[0]) && start > 0 && is_of_word(text->bytes[start - 1])) {
        put_in(text, start, (const uint8_t *)" ", 1);
    }
}

/* Before a token, behind all of them, or in the place of one. */
static void put_as_token(struct untaken_random *random, struct text *text, const uint8_t *bytes, uint64_t count) {
    uint64_t place = random_below(random, text->size + 1);
    struct block token = {text->size, 0};
    if (place < text->size) {
        token = token_around(text->bytes, text->size, place);
    }
    if (random_below(random, 2) == 0) {
        remove_bytes(text, token.start, token.size);
    }
    put_in_apart(text, token.start, bytes, count);
}

/* A word that the program asked for, as a token; or anywhere. */
static void put_word(const struct untaken_burst *burst, struct untaken_random *random, struct text *text) {
    if (burst->word_count == 0) {
        return;
    }
    const struct untaken_insert *word = word_of(burst, random_below(random, burst->word_count));
    if (random_below(random, 4) == 0) {
        put_over(text, random_below(random, text->size), at(burst, word->offset), word->size);
    } else {
        put_as_token(random, text, at(burst, word->offset), word->size);
    }
}

/* Some tokens of another input, one after the other. */
static void take_tokens(const struct untaken_burst *burst, struct untaken_random *random, struct text *text) {
    const struct untaken_start *other = start_of(burst, random_below(random, burst->start_count));
    if (other->size == 0) {
        return;
    }
    const uint8_t *bytes = at(burst, other->offset);
    struct block found = token_around(bytes, other->size, random_below(random, other->size));
    uint64_t end = found.start + found.size;
    for (uint64_t left = random_below(random, MOST_TOKENS); left > 0 && end < other->size; left--) {
        end += token_around(bytes, other->size, end).size;
    }
    put_as_token(random, text, bytes + found.start, smaller(end - found.start, LONGEST_BLOCK));
}

static void (*const in_place[])(struct untaken_random *, struct text *) = {flip, randomise, step, tell, copy};
static void (*const resizing[])(struct untaken_random *, struct text *) = {delete, insert, repeat};
enum { IN_PLACE = sizeof in_place / sizeof *in_place, RESIZING = sizeof resizing / sizeof *resizing };
static void (*const of_others[])(const struct untaken_burst *, struct untaken_random *, struct text *) = {
    take, take_tokens, put_word};
enum { OF_OTHERS = sizeof of_others / sizeof *of_others };

static void change_once(const struct untaken_burst *burst, struct untaken_random *random, struct text *text,
                        bool keeps_size) {
    uint64_t kind = random_below(random, keeps_size ? IN_PLACE : IN_PLACE + RESIZING + OF_OTHERS);
    if (kind < IN_PLACE) {
        in_place[kind](random, text);
    } else if (kind < IN_PLACE + RESIZING) {
        resizing[kind - IN_PLACE](random, text);
    } else {
        of_others[kind - IN_PLACE - RESIZING](burst, random, text);
    }
}

static void change(const struct untaken_burst *burst, struct untaken_random *random, struct text *text, bool keeps_size) {
    for (unsigned left = 1u << random_below(random, MOST_CHANGES); left > 0; left--) {
        if (text->size > 0) {
            change_once(burst, random, text, keeps_size);
        } else {
            insert(random, text);
        }
    }
}

/* ---- Places ---- */

static uint32_t length_of(const uint8_t *input, const struct untaken_changeable *place) {
    uint32_t length = place->size;
    if (place->length_offset != UNTAKEN_NO_LENGTH) {
        memcpy(&length, input + place->length_offset, sizeof length);
    }
    return length < place->size ? length : place->size;
}

/* How much of a place there is up to the last byte that is not zero, and one more: past that changes mostly show nothing. */
static uint64_t length_without_zeros(const uint8_t *bytes, uint64_t length) {
    while (length > 1 && bytes[length - 1] == 0 && bytes[length - 2] == 0) {
        length--;
    }
    return length;
}

/* A stream, argument or array: it keeps its room, with zeros behind what it holds. A stream that was full stays so,
 * every second time, since what follows may be zeros, too. */
static void change_bounded(const struct untaken_burst *burst, struct untaken_random *random,
                           const struct untaken_changeable *place, uint8_t *input) {
    uint32_t had = length_of(input, place);
    struct text text = {input + place->offset, had, place->size};
    if (place->keeps_size == 0 && random_below(random, 4) != 0) {
        text.size = length_without_zeros(text.bytes, had);
    }
    change(burst, random, &text, place->keeps_size != 0);
    memset(text.bytes + text.size, 0, text.most - text.size);
    bool is_full = had == place->size && random_below(random, 2) == 0;
    if (place->length_offset != UNTAKEN_NO_LENGTH && !is_full) {
        uint32_t length = (uint32_t)text.size;
        memcpy(input + place->length_offset, &length, sizeof length);
    }
}

/* A value that the program asked for by itself: what follows moves with its end. */
static void change_loose(const struct untaken_burst *burst, struct untaken_random *random,
                         const struct untaken_changeable *place, struct text *input) {
    uint8_t bytes[LOOSE_ROOM];
    struct text text = {bytes, place->size, sizeof bytes};
    memcpy(bytes, input->bytes + place->offset, place->size);
    change(burst, random, &text, false);
    remove_bytes(input, place->offset, place->size);
    put_in(input, place->offset, bytes, text.size);
}

/* ---- A whole input ---- */

static void change_place(const struct untaken_burst *burst, struct untaken_random *random,
                         const struct untaken_changeable *place, struct text *input) {
    if (place->offset + place->size > input->size) {
        return; /* what came before it has lost something */
    }
    if (place->is_loose == 0) {
        change_bounded(burst, random, place, input->bytes);
    } else if (place->size <= LOOSE_ROOM) {
        change_loose(burst, random, place, input);
    }
}

static void change_some(const struct untaken_burst *burst, struct untaken_random *random,
                        const struct untaken_start *start, struct text *input) {
    const struct untaken_changeable *places = at(burst, start->places_offset);
    uint64_t most = smaller(MOST_PLACES, start->place_count);
    for (uint64_t left = most == 0 ? 0 : 1 + random_below(random, most); left > 0; left--) {
        change_place(burst, random, &places[random_below(random, start->place_count)], input);
    }
}

/* Neighbours begin far apart. */
static struct untaken_random random_of(uint64_t seed, uint64_t run) {
    struct untaken_random numbers = {seed}, own = {next_random(&numbers) ^ run * 0xd1342543de82ef95ull};
    return (struct untaken_random){next_random(&own)};
}

uint64_t untaken_changed_input(const struct untaken_burst *burst, uint64_t seed, uint64_t run, uint8_t *input,
                               uint64_t capacity) {
    const struct untaken_start *start = start_of(burst, run / burst->copies);
    bool is_as_it_is = start->is_new != 0 && run % burst->copies == 0;
    struct untaken_random random = random_of(seed, run);
    struct text text = {input, start->size, capacity};
    memcpy(input, at(burst, start->offset), start->size);
    if (!is_as_it_is) {
        change_some(burst, &random, start, &text);
    }
    return text.size;
}
