/* Models of the conversions between multibyte and wide characters. Characters of ASCII are the same in both, in all
 * locales that glibc has; whether there are others is a decision, and those are pinned. */
#define _GNU_SOURCE
#include "libc/wide_characters/wide_characters.h"

#include <stdlib.h>
#include <string.h>

#define INVALID ((size_t)-1)
#define UNFINISHED ((size_t)-2)

static bool unfinished; /* the state that the library keeps itself is in the middle of a character */

static bool is_between_characters(const mbstate_t *state) { return state ? mbsinit(state) != 0 : !unfinished; }

/* ---- One character ---- */

/* A call that looked at the first bytes of `from`, at most `size`, and returned `result`; `to` may be null. */
struct conversion {
    wchar_t *to;
    const char *from;
    size_t size;
    size_t result;
};

static void pin_bytes(const char *from, size_t count) {
    for (size_t index = 0; index < count; index++)
        if (untaken_memory_symbolic(from + index, 1))
            untaken_pin_term(untaken_memory_byte(from + index));
}

static size_t bytes_seen(const struct conversion *conversion) {
    if (conversion->result != INVALID && conversion->result != UNFINISHED)
        return conversion->result ? conversion->result : 1;
    return conversion->size < MB_CUR_MAX ? conversion->size : MB_CUR_MAX;
}

/* What the conversion returned, as an expression. */
static term converted(const struct conversion *conversion, bool from_start) {
    term concrete = term_constant(64, conversion->result);
    if (conversion->to)
        untaken_memory_clear(conversion->to, sizeof *conversion->to);
    if (!untaken_memory_symbolic(conversion->from, 1))
        return concrete;
    term byte = untaken_memory_byte(conversion->from);
    if (conversion->size == 0) { /* mblen looks at it all the same */
        pin_bytes(conversion->from, 1);
        return concrete;
    }
    if (!from_start || !wide_is_ascii(byte)) {
        pin_bytes(conversion->from, bytes_seen(conversion));
        return concrete;
    }
    if (conversion->to)
        untaken_memory_store(conversion->to, sizeof *conversion->to, term_extend(UNTAKEN_OP_ZEXT, byte, 32).label);
    return term_ite(term_equals(byte, 0), term_constant(64, 0), term_constant(64, 1));
}

static void record_conversion(void *self, struct conversion conversion, unsigned arguments, bool from_start, uint8_t width) {
    untaken_label labels[4];
    if (conversion.from == NULL || !model_begin(self, labels, arguments))
        return;
    model_pin(labels[arguments > 2 && conversion.to ? 2 : 1], conversion.size);
    term result = converted(&conversion, from_start);
    model_end(self, width == 32 ? term_extract(result, 0, 32) : result, conversion.result & width_mask(width));
}

size_t untaken_model_mbrtowc(wchar_t *to, const char *from, size_t size, mbstate_t *state) {
    bool from_start = is_between_characters(state);
    size_t result = mbrtowc(to, from, size, state);
    unfinished = state ? unfinished : result == UNFINISHED;
    record_conversion(SELF(mbrtowc), (struct conversion){to, from, size, result}, 4, from_start, 64);
    return result;
}

size_t untaken_model_mbrlen(const char *from, size_t size, mbstate_t *state) {
    bool from_start = state && mbsinit(state);
    size_t result = mbrlen(from, size, state);
    record_conversion(SELF(mbrlen), (struct conversion){NULL, from, size, result}, 3, from_start, 64);
    return result;
}

int untaken_model_mbtowc(wchar_t *to, const char *from, size_t size) {
    int result = mbtowc(to, from, size);
    record_conversion(SELF(mbtowc), (struct conversion){to, from, size, (size_t)result}, 3, true, 32);
    return result;
}

int untaken_model_mblen(const char *from, size_t size) {
    int result = mblen(from, size);
    record_conversion(SELF(mblen), (struct conversion){NULL, from, size, (size_t)result}, 2, true, 32);
    return result;
}

/* ---- Strings ---- */

/* Character by character: whether it is of ASCII, and whether it is the last. From one that is not of ASCII on, all is
 * pinned. `to` may be null. */
static void follow_string(wchar_t *to, const char *from, uint64_t room) {
    for (uint64_t index = 0; index < room; index++) {
        term byte = untaken_memory_byte(from + index);
        if (!wide_is_ascii(byte)) {
            pin_bytes(from + index, strnlen(from + index, (room - index) * MB_CUR_MAX) + 1);
            return;
        }
        if (to)
            untaken_memory_store(to + index, sizeof *to, byte.label ? term_extend(UNTAKEN_OP_ZEXT, byte, 32).label : 0);
        if (byte.label)
            untaken_decide(UNTAKEN_LIBRARY, term_equals(byte, 0), 0);
        if (byte.value == 0)
            return;
    }
}

size_t untaken_model_mbstowcs(wchar_t *to, const char *from, size_t room) {
    size_t result = mbstowcs(to, from, room);
    untaken_label labels[3];
    if (!model_begin(SELF(mbstowcs), labels, 3))
        return result;
    model_pin_pointer(labels[1], from);
    model_pin(labels[2], room);
    if (to)
        untaken_memory_clear(to, (result == INVALID ? 0 : result < room ? result + 1 : room) * sizeof *to);
    follow_string(to, from, to ? room : strlen(from) + 1);
    model_end_concrete(SELF(mbstowcs));
    return result;
}

/* ---- One byte ---- */

wint_t untaken_model_btowc(int character) {
    wint_t result = btowc(character);
    untaken_label label;
    if (model_begin(SELF(btowc), &label, 1)) {
        term value = model_argument(label, 32, (uint32_t)character);
        bool ascii = value.label && wide_is_ascii(value);
        model_end(SELF(btowc), ascii ? value : term_constant(32, result), result);
    }
    return result;
}

int untaken_model_wctob(wint_t character) {
    int result = wctob(character);
    untaken_label label;
    if (model_begin(SELF(wctob), &label, 1)) {
        term value = model_argument(label, 32, character);
        bool ascii = value.label && wide_is_ascii(value);
        model_end(SELF(wctob), ascii ? value : term_constant(32, (uint32_t)result), (uint32_t)result);
    }
    return result;
}
