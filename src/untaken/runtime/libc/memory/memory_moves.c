/* Models of the functions that move and fill memory: the labels move with the bytes. */
#define _GNU_SOURCE
#include "libc/model.h"

#include <obstack.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

void *__memcpy_chk(void *to, const void *from, size_t size, size_t room);
void *__memmove_chk(void *to, const void *from, size_t size, size_t room);
void *__mempcpy_chk(void *to, const void *from, size_t size, size_t room);
void *__memset_chk(void *to, int byte, size_t size, size_t room);

/* After the bytes were moved. The result is a pointer that keeps no label: the addresses are pinned. */
static void record_copy(void *self, void *to, const void *from, size_t size) {
    untaken_label labels[3];
    if (!model_begin(self, labels, 3))
        return;
    model_pin_pointer(labels[0], to);
    model_pin_pointer(labels[1], from);
    model_pin_count(labels[2], size, to, from);
    untaken_memory_copy(to, from, size);
    model_end_concrete(self);
}

void *untaken_model_memcpy(void *to, const void *from, size_t size) {
    memcpy(to, from, size);
    record_copy(SELF(memcpy), to, from, size);
    return to;
}

void *untaken_model_memmove(void *to, const void *from, size_t size) {
    memmove(to, from, size);
    record_copy(SELF(memmove), to, from, size);
    return to;
}

void *untaken_model_mempcpy(void *to, const void *from, size_t size) {
    void *end = mempcpy(to, from, size);
    record_copy(SELF(mempcpy), to, from, size);
    return end;
}

void *untaken_model___memcpy_chk(void *to, const void *from, size_t size, size_t room) {
    __memcpy_chk(to, from, size, room);
    record_copy(SELF(__memcpy_chk), to, from, size);
    return to;
}

void *untaken_model___memmove_chk(void *to, const void *from, size_t size, size_t room) {
    __memmove_chk(to, from, size, room);
    record_copy(SELF(__memmove_chk), to, from, size);
    return to;
}

void *untaken_model___mempcpy_chk(void *to, const void *from, size_t size, size_t room) {
    void *end = __mempcpy_chk(to, from, size, room);
    record_copy(SELF(__mempcpy_chk), to, from, size);
    return end;
}

void untaken_model_bcopy(const void *from, void *to, size_t size) {
    memmove(to, from, size);
    untaken_label labels[3];
    if (!model_begin(SELF(bcopy), labels, 3))
        return;
    model_pin_pointer(labels[0], from);
    model_pin_pointer(labels[1], to);
    model_pin_count(labels[2], size, to, from);
    untaken_memory_copy(to, from, size);
    model_end_concrete(SELF(bcopy));
}

static void fill_labels(unsigned char *to, term byte, size_t size) {
    if (byte.label == 0) {
        untaken_memory_clear(to, size);
        return;
    }
    for (size_t index = 0; index < size; index++)
        untaken_memory_store(to + index, 1, byte.label);
}

static void record_fill(void *self, void *to, int byte, size_t size) {
    untaken_label labels[3];
    if (!model_begin(self, labels, 3))
        return;
    model_pin_pointer(labels[0], to);
    model_pin_count(labels[2], size, to, NULL);
    fill_labels(to, term_extract(model_argument(labels[1], 32, (uint32_t)byte), 0, 8), size);
    model_end_concrete(self);
}

void *untaken_model_memset(void *to, int byte, size_t size) {
    memset(to, byte, size);
    record_fill(SELF(memset), to, byte, size);
    return to;
}

void *untaken_model___memset_chk(void *to, int byte, size_t size, size_t room) {
    __memset_chk(to, byte, size, room);
    record_fill(SELF(__memset_chk), to, byte, size);
    return to;
}

static void record_zero(void *self, void *to, size_t size) {
    untaken_label labels[2];
    if (!model_begin(self, labels, 2))
        return;
    model_pin_pointer(labels[0], to);
    model_pin_count(labels[1], size, to, NULL);
    untaken_memory_clear(to, size);
    model_end_concrete(self);
}

void untaken_model_bzero(void *to, size_t size) {
    memset(to, 0, size);
    record_zero(SELF(bzero), to, size);
}

void untaken_model_explicit_bzero(void *to, size_t size) {
    explicit_bzero(to, size);
    record_zero(SELF(explicit_bzero), to, size);
}

/* Copies up to and with the first wanted byte. What that byte is decides the path. */
void *untaken_model_memccpy(void *to, const void *from, int byte, size_t size) {
    untaken_label labels[4];
    void *end = memccpy(to, from, byte, size);
    if (!model_begin(SELF(memccpy), labels, 4))
        return end;
    size_t copied = end ? (size_t)((char *)end - (char *)to) : size;
    model_pin_pointer(labels[0], to);
    model_pin_pointer(labels[1], from);
    model_pin(labels[3], size);
    term wanted = term_extract(model_argument(labels[2], 32, (uint32_t)byte), 0, 8), shape = term_true();
    untaken_memory_copy(to, from, copied);
    for (size_t index = 0; index < copied; index++) {
        term match = term_binary(UNTAKEN_OP_EQ, untaken_memory_byte((char *)to + index), wanted);
        shape = term_and(shape, end && index == copied - 1 ? match : term_not(match));
    }
    untaken_decide(UNTAKEN_LIBRARY, shape, 0);
    model_end_concrete(SELF(memccpy));
    return end;
}

/* ---- Objects that grow: the library moves them to a larger chunk, and may free where they were ---- */

/* The labels of the bytes, or NULL if they have none. */
static untaken_label *labels_of(const char *bytes, size_t size) {
    if (!runtime_begin())
        return NULL;
    untaken_label *labels = untaken_memory_symbolic(bytes, size) ? malloc(size * sizeof *labels) : NULL;
    for (size_t index = 0; labels && index < size; index++)
        labels[index] = untaken_memory_byte(bytes + index).label;
    runtime_leave();
    return labels;
}

static void give_labels(char *bytes, size_t size, const untaken_label *labels) {
    if (!runtime_begin())
        return;
    untaken_memory_clear(bytes, size);
    for (size_t index = 0; labels && index < size; index++)
        if (labels[index])
            untaken_memory_store(bytes + index, 1, labels[index]);
    runtime_leave();
}

void untaken_model__obstack_newchunk(struct obstack *stack, int length) {
    size_t size = (size_t)(stack->next_free - stack->object_base);
    untaken_label *kept = labels_of(stack->object_base, size);
    _obstack_newchunk(stack, length);
    untaken_label passed[2];
    if (model_begin(SELF(_obstack_newchunk), passed, 2)) {
        model_pin_pointer(passed[0], stack);
        untaken_pin_term(term_believed(passed[1], 32, (uint32_t)length));
        model_end_concrete(SELF(_obstack_newchunk));
    }
    give_labels(stack->object_base, size, kept);
    free(kept);
}
