/* Positions in streams of the input, and what is there, as expressions; see streams.h. */
#include "input/streams.h"
#include "memory/memory.h"
#include "tracking/tracking.h"

/* Where asking from `start` up to `position` leads. */
static term asked_position(const struct cursor *cursor) {
    term reached = term_binary(UNTAKEN_OP_UMIN, cursor->stream->size_term, term_constant(64, cursor->position));
    return term_binary(UNTAKEN_OP_UMAX, reached, term_constant(64, cursor->start));
}

static void place_cursor(struct cursor *cursor, uint64_t position) {
    cursor->start = cursor->position = position;
    cursor->at_end = false;
}

void cursor_confirm(struct cursor *cursor) {
    if (cursor->ended)
        untaken_decide(UNTAKEN_PIN, stream_has(cursor->stream, cursor->position), 0);
    cursor->ended = false;
}

/* A cursor past the data stands for all positions that asking so far would have led to; anything else that
 * the system disagrees with came of code that we did not see. */
void cursor_synchronise(struct cursor *cursor, uint64_t actual) {
    cursor_confirm(cursor);
    if (cursor->at_end)
        untaken_pin_term(cursor->stream->size_term);
    if (cursor->at_end || asked_position(cursor).value != actual)
        place_cursor(cursor, actual);
}

term cursor_position(const struct cursor *cursor, uint64_t actual) {
    term from_end = term_constant(64, (uint64_t)cursor->from_end);
    term position = cursor->at_end ? term_binary(UNTAKEN_OP_ADD, cursor->stream->size_term, from_end)
                                   : asked_position(cursor);
    return position.value == actual ? position : term_constant(64, actual);
}

term cursor_seek(struct cursor *cursor, int64_t offset, int whence, uint64_t result) {
    bool stays_at_end = whence == SEEK_CUR && cursor->at_end;
    if (whence == SEEK_CUR)
        cursor_confirm(cursor);
    cursor->read = cursor->ended = false;
    if (whence == SEEK_CUR && offset == 0)
        return cursor_position(cursor, result);
    if (whence == SEEK_CUR && !cursor->at_end) /* from a place that may depend on the size */
        untaken_pin_term(asked_position(cursor));
    cursor->from_end = offset + (stays_at_end ? cursor->from_end : 0);
    place_cursor(cursor, result);
    cursor->at_end = stays_at_end || whence == SEEK_END;
    return cursor_position(cursor, result);
}

term stream_remaining(const struct untaken_stream *stream, uint64_t position) {
    term left = term_binary(UNTAKEN_OP_SUB, stream->size_term, term_constant(64, position));
    term short_of = term_binary(UNTAKEN_OP_ULT, stream->size_term, term_constant(64, position));
    return term_ite(short_of, term_constant(64, 0), left);
}

term stream_available(const struct untaken_stream *stream, uint64_t position, uint64_t want) {
    return term_binary(UNTAKEN_OP_UMIN, stream_remaining(stream, position), term_constant(64, want));
}

term stream_has(const struct untaken_stream *stream, uint64_t position) {
    return term_binary(UNTAKEN_OP_ULT, term_constant(64, position), stream->size_term);
}

term stream_byte(const struct untaken_stream *stream, uint64_t position) {
    uint64_t index = stream->offset + position;
    uint8_t value = position < stream->capacity ? untaken_input_value(index) : 0;
    bool labelled = untaken_recording && position < stream->capacity;
    return (term){labelled ? untaken_input_node(index, value) : 0, 8, value};
}

/* A byte that is not what the input says was written by the program itself: it is concrete. */
void stream_label(const struct untaken_stream *stream, uint64_t position, void *to, uint64_t count) {
    unsigned char *bytes = to;
    for (uint64_t index = 0; index < count; index++) {
        term byte = stream_byte(stream, position + index);
        untaken_memory_store(bytes + index, 1, byte.value == bytes[index] ? byte.label : 0);
    }
}

const char *stream_path(const struct untaken_stream *stream, char *path) {
    snprintf(path, STREAM_PATH_SIZE, "/proc/self/fd/%d", stream->memfd);
    return path;
}
