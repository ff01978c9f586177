// checks: flexible array members on the heap, grown with realloc, and arrays of zero length
#include "collection.h"

struct buffer {
    size_t length, capacity;
    uint16_t values[];
};

static struct buffer *append(struct buffer *buffer, uint16_t value)
{
    if (!buffer || buffer->length == buffer->capacity) {
        size_t capacity = buffer ? buffer->capacity * 2 : 2, length = buffer ? buffer->length : 0;
        buffer = realloc(buffer, sizeof *buffer + capacity * sizeof buffer->values[0]);
        if (!buffer)
            abort();
        buffer->capacity = capacity;
        buffer->length = length;
    }
    buffer->values[buffer->length++] = value;
    return buffer;
}

static struct { int count; char text[8]; } fixed = {3, "abc"};

int main(void)
{
    read_input();
    struct buffer *buffer = append(NULL, 7);
    for (unsigned i = 0; i < 20; i++)
        if (u8(i) & 3)
            buffer = append(buffer, u16(i));
    show("length", (long long)buffer->length);
    uint32_t sum = 0;
    for (size_t i = 0; i < buffer->length; i++)
        sum = sum * 3 + buffer->values[i];
    show("sum", sum);
    show("one", buffer->values[u8(24) % buffer->length]);
    show("capacity", (long long)buffer->capacity);
    free(buffer);
    fixed.text[u8(25) % 3] = 'z';
    show("text", fixed.text[0] + fixed.text[1] * 2 + fixed.text[2] * 4);
    return finish();
}
