// checks: malloc, calloc, realloc and free: lists, queues, sizes that depend on the input
#include "collection.h"

struct item {
    struct item *next, *previous;
    uint8_t key;
    char payload[];
};

static struct item *create(uint8_t key)
{
    size_t extra = (key & 15) + 1u;
    struct item *item = malloc(sizeof *item + extra);
    if (!item)
        abort();
    *item = (struct item){NULL, NULL, key};
    memset(item->payload, key, extra);
    return item;
}

int main(void)
{
    read_input();
    struct item head = {&head, &head, 0};
    for (unsigned i = 0; i < 16; i++) {
        struct item *item = create(u8(i)), *at = head.next;
        while (at != &head && at->key < item->key)
            at = at->next;
        item->next = at, item->previous = at->previous;
        at->previous->next = item, at->previous = item;
    }
    int last = -1, length = 0;
    for (struct item *at = head.next; at != &head; at = at->next, length++) {
        expect(last <= at->key);
        last = at->key;
        show("payload", at->payload[at->key & 15]);
    }
    expect(length == 16);
    for (struct item *at = head.next, *next; at != &head; at = next) {
        next = at->next;
        if (at->key & 1) {
            at->previous->next = at->next, at->next->previous = at->previous;
            free(at);
            length--;
        }
    }
    show("left", length);
    while (head.next != &head) {
        struct item *at = head.next;
        head.next = at->next;
        free(at);
    }
    size_t count = (u8(20) & 31) + 1u;
    uint32_t *zeros = calloc(count, sizeof *zeros);
    if (!zeros)
        abort();
    zeros[u8(21) % count] = u32(24);
    zeros = realloc(zeros, 64 * sizeof *zeros);
    if (!zeros)
        abort();
    uint32_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += zeros[i] * (uint32_t)(i + 1);
    show("sum", sum);
    free(zeros);
    return finish();
}
