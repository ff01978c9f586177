/* Labels of memory: one for each byte, and a tag for each line of 64 bytes, with a bit for each word of 4 that may hold
 * any.
 *
 * Shadow labels name bytes of nodes whose width is a whole number of bytes. A label counts only while the byte
 * in memory is what the node says: code that we did not instrument may have written there. */
#include "memory/shadow.h"
#include "tracking/tracking.h"

#include <string.h>

static inline uint64_t to_line_end(uintptr_t address, uint64_t size) {
    uint64_t rest = LINE - (address & (LINE - 1));
    return rest < size ? rest : size;
}

/* Makes the bits of words of one line say whether they hold labels, so that memory which is used again is cheap
 * again. */
static void update_tag(uintptr_t address, unsigned words) {
    const uint32_t *labels = labels_of(address & ~(uintptr_t)(LINE - 1));
    uint16_t tag = *tag_of(address);
    for (; words != 0; words &= words - 1) {
        unsigned word = (unsigned)__builtin_ctz(words);
        uint16_t bit = (uint16_t)(1u << word);
        tag = are_all_zero(labels + WORD * word, WORD) ? tag & (uint16_t)~bit : tag | bit;
    }
    *tag_of(address) = tag;
}

static void clear_in_line(uintptr_t address, uint64_t size) {
    unsigned touched = *tag_of(address) & word_bits(address, size);
    if (touched != 0) {
        memset(labels_of(address), 0, size * sizeof(uint32_t));
        update_tag(address, touched);
    }
}

/* The first place from `address` on that is in a tagged line, or `end`. */
static uintptr_t next_tagged(uintptr_t address, uintptr_t end) {
    const uint16_t *first = tag_of(address), *tag = first, *behind = end > address ? tag_of(end - 1) + 1 : first;
    uint64_t four = 0;
    for (; behind - tag >= 4; tag += 4) {
        memcpy(&four, tag, sizeof four);
        if (four != 0) {
            break;
        }
    }
    while (tag < behind && *tag == 0) {
        tag++;
    }
    if (tag == behind) {
        return end;
    }
    return tag == first ? address : (address & ~(uintptr_t)(LINE - 1)) + (uintptr_t)(tag - first) * LINE;
}

void untaken_memory_clear(void *to, uint64_t size) {
    uintptr_t address = (uintptr_t)to, end = address + size;
    while ((address = next_tagged(address, end)) < end) {
        uint64_t piece = to_line_end(address, end - address);
        clear_in_line(address, piece);
        address += piece;
    }
}

bool untaken_memory_symbolic(const void *from, uint64_t size) {
    uintptr_t address = (uintptr_t)from, end = address + size;
    while ((address = next_tagged(address, end)) < end) {
        uint64_t piece = to_line_end(address, end - address);
        if (is_tagged(address, piece) && !are_all_zero(labels_of(address), (uint32_t)piece)) {
            return true;
        }
        address += piece;
    }
    return false;
}

/* ---- Loads ---- */

static inline untaken_label node_part(uint32_t label) { return label & UNTAKEN_NODE_MASK; }

static inline unsigned byte_part(uint32_t label) { return label >> UNTAKEN_BYTE_SHIFT; }

static bool is_true_of(uint32_t label, uint8_t byte) {
    untaken_label node = node_part(label);
    return node < untaken_shared->node_count && 8u * byte_part(label) < node_of(node)->width &&
           (uint8_t)(node_of(node)->value >> 8 * byte_part(label)) == byte;
}

static void drop_outdated(uintptr_t address, uint32_t size, uint64_t value) {
    uint32_t *labels = labels_of(address);
    for (uint32_t i = 0; i < size; i++) {
        if (labels[i] != 0 && !is_true_of(labels[i], (uint8_t)(value >> 8 * i))) {
            untaken_memory_clear((void *)(address + i), 1);
            untaken_count_concretised(UNTAKEN_BY_OVERWRITE);
        }
    }
}

/* How many of the labels go on where the first begins: the same node's next bytes, or no label at all. */
static uint32_t run_length(const uint32_t *labels, uint32_t size) {
    uint32_t step = labels[0] == 0 ? 0 : 1u << UNTAKEN_BYTE_SHIFT, length = 1;
    uint32_t longest = 8 - byte_part(labels[0]); /* after byte 7 the sum would wrap around to byte 0 */
    while (length < size && length < longest && labels[length] == labels[0] + length * step) {
        length++;
    }
    return length;
}

static term piece_of(uint32_t label, uint32_t size, uint64_t value) {
    uint8_t width = (uint8_t)(8 * size);
    if (label == 0) {
        return term_constant(width, value & width_mask(width));
    }
    return term_extract(term_of_label(node_part(label)), (uint8_t)(8 * byte_part(label)), width);
}

static term join_pieces(const uint32_t *labels, uint32_t size, uint64_t value) {
    uint32_t done = run_length(labels, size);
    term result = piece_of(labels[0], done, value);
    while (done < size) {
        uint32_t length = run_length(labels + done, size - done);
        result = term_concat(piece_of(labels[done], length, value >> 8 * done), result);
        done += length;
    }
    return result;
}

/* What was loaded from there, whether or not it is still there. */
term untaken_memory_loaded(const void *from, uint32_t size, uint64_t value) {
    uintptr_t address = (uintptr_t)from;
    term plain = term_constant((uint8_t)(8 * size), value);
    if (!untaken_recording || (*tag_of(address) | *tag_of(address + size - 1)) == 0) {
        return plain;
    }
    const uint32_t *labels = labels_of(address);
    if (name_nothing(labels, size)) {
        return plain;
    }
    if (name_bytes_in_order(labels, labels[0], size) && has_value(labels[0], 8 * size, value)) {
        return (term){labels[0], plain.width, value};
    }
    drop_outdated(address, size, value);
    return join_pieces(labels, size, value);
}

term untaken_memory_load(const void *from, uint32_t size) {
    uint64_t value = 0;
    memcpy(&value, from, size);
    return untaken_memory_loaded(from, size, value);
}

term untaken_memory_byte(const void *address) { return untaken_memory_load(address, 1); }

/* ---- Stores ---- */

/* A node of exactly 8 * size bits, or 0 if that cannot be had. */
static untaken_label in_whole_bytes(untaken_label label, uint32_t size) {
    if (label == 0 || size > 8 || node_of(label)->width == 8 * size) {
        return size > 8 ? 0 : label;
    }
    return term_extend(UNTAKEN_OP_ZEXT, term_of_label(label), (uint8_t)(8 * size)).label;
}

static void set_tags(uintptr_t address, uint64_t size) {
    while (size > 0) {
        uint64_t piece = to_line_end(address, size);
        *tag_of(address) |= (uint16_t)word_bits(address, piece);
        address += piece;
        size -= piece;
    }
}

void untaken_memory_store(void *to, uint32_t size, untaken_label label) {
    uintptr_t address = (uintptr_t)to;
    label = in_whole_bytes(label, size);
    if (label == 0) {
        untaken_memory_clear(to, size);
        return;
    }
    set_tags(address, size);
    for (uint32_t i = 0; i < size; i++) {
        labels_of(address)[i] = label | i << UNTAKEN_BYTE_SHIFT;
    }
}

static void copy_in_line(uintptr_t to, uintptr_t from, uint64_t size) {
    if ((*tag_of(from) | *tag_of(from + size - 1)) == 0) {
        clear_in_line(to, size);
        return;
    }
    if (!are_all_zero(labels_of(from), (uint32_t)size)) {
        memmove(labels_of(to), labels_of(from), size * sizeof(uint32_t));
        update_tag(to, word_bits(to, size));
    } else {
        clear_in_line(to, size);
    }
}

static void copy_forwards(uintptr_t to, uintptr_t from, uint64_t size) {
    while (size > 0) {
        uint64_t piece = to_line_end(to, size);
        copy_in_line(to, from, piece);
        to += piece;
        from += piece;
        size -= piece;
    }
}

static void copy_backwards(uintptr_t to, uintptr_t from, uint64_t size) {
    while (size > 0) {
        uint64_t piece = ((to + size - 1) & (LINE - 1)) + 1;
        piece = piece < size ? piece : size;
        size -= piece;
        copy_in_line(to + size, from + size, piece);
    }
}

void untaken_memory_copy(void *to, const void *from, uint64_t size) {
    uintptr_t target = (uintptr_t)to, source = (uintptr_t)from;
    if (target == source || size == 0) {
        return;
    }
    if (next_tagged(source, source + size) == source + size) {
        untaken_memory_clear(to, size);
    } else if (target < source || target >= source + size) {
        copy_forwards(target, source, size);
    } else {
        copy_backwards(target, source, size);
    }
}

/* ---- Calls from instrumented code ---- */

void __untaken_copied(void *to, const void *from, uint64_t size, untaken_label lsize) {
    if (!runtime_begin()) {
        return;
    }
    if (lsize != 0) {
        untaken_pin_count(term_believed(lsize, 64, size), to, from);
    }
    untaken_memory_copy(to, from, size);
    runtime_leave();
}

void untaken_memory_fill(void *to, uint64_t size, untaken_label lbyte) {
    if (lbyte == 0) {
        untaken_memory_clear(to, size);
        return;
    }
    untaken_label label = term_extend(UNTAKEN_OP_ZEXT, term_of_label(lbyte), 8).label;
    for (uint64_t i = 0; i < size; i++) {
        untaken_memory_store((uint8_t *)to + i, 1, label);
    }
}

void __untaken_filled(void *to, uint64_t size, untaken_label lbyte, untaken_label lsize) {
    if (!runtime_begin()) {
        return;
    }
    if (lsize != 0) {
        untaken_pin_count(term_believed(lsize, 64, size), to, NULL);
    }
    untaken_memory_fill(to, size, lbyte);
    runtime_leave();
}

void __untaken_written(void *to, int64_t size) {
    if (to != NULL && size > 0 && runtime_begin()) {
        untaken_memory_clear(to, (uint64_t)size);
        runtime_leave();
    }
}

void __untaken_written_behind(void *to, const uint32_t *size) { __untaken_written(to, to == NULL ? 0 : *size); }

void __untaken_written_string(char *to) { __untaken_written(to, to == NULL ? 0 : (int64_t)strlen(to) + 1); }
