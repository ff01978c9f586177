// Reads packets: a mark, a type, a length, fields inside it, and a CRC at the end.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum type { HELLO = 1, DATA = 2, ACK = 3, CLOSE = 4 };
enum field { NAME = 0x10, NUMBER = 0x11, FLAGS = 0x12, BLOB = 0x20 };

struct connection {
    int greeted, closed;
    uint32_t next_number;
    unsigned flags;
    char name[16];
    int received;
};

static uint16_t crc16(const uint8_t *data, size_t length)
{
    uint16_t crc = 0xffff;
    while (length--) {
        crc ^= *data++;
        for (int i = 0; i < 8; i++)
            crc = crc & 1 ? crc >> 1 ^ 0xa001 : crc >> 1;
    }
    return crc;
}

static uint32_t get32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static int parse_fields(struct connection *c, const uint8_t *p, size_t left, int *blobs)
{
    while (left > 0) {
        if (left < 2)
            return -1;
        uint8_t kind = p[0], size = p[1];
        p += 2;
        left -= 2;
        if (size > left)
            return -2;
        switch (kind) {
        case NAME:
            if (size == 0 || size >= sizeof c->name)
                return -3;
            memcpy(c->name, p, size);
            c->name[size] = '\0';
            break;
        case NUMBER:
            if (size != 4)
                return -3;
            if (get32(p) < c->next_number)
                return -4;
            c->next_number = get32(p) + 1;
            break;
        case FLAGS:
            if (size != 1)
                return -3;
            c->flags |= p[0];
            break;
        case BLOB:
            ++*blobs;
            break;
        default:
            if (kind & 0x80)
                return -5;
        }
        p += size;
        left -= size;
    }
    return 0;
}

static int handle(struct connection *c, enum type type, const uint8_t *body, size_t length)
{
    int blobs = 0;
    int error = parse_fields(c, body, length, &blobs);
    if (error)
        return error;
    switch (type) {
    case HELLO:
        if (c->greeted || !c->name[0])
            return -10;
        c->greeted = 1;
        if (strcmp(c->name, "root") == 0)
            puts("hello, root");
        return 0;
    case DATA:
        if (!c->greeted)
            return -11;
        if (blobs == 0)
            return -12;
        c->received += blobs;
        if (c->flags & 4)
            puts("urgent");
        return 0;
    case ACK:
        if (c->received == 0)
            return -13;
        c->received--;
        return 0;
    case CLOSE:
        c->closed = 1;
        return length ? -14 : 0;
    }
    return -15;
}

int main(void)
{
    uint8_t head[4], body[256], tail[2];
    struct connection connection = {0};
    int packets = 0;
    while (!connection.closed && fread(head, 1, 4, stdin) == 4) {
        if (head[0] != 0xA5) {
            puts("lost synchronisation");
            return 1;
        }
        if (head[2] != 0) {
            puts("too long");
            return 1;
        }
        size_t length = head[3];
        if (fread(body, 1, length, stdin) != length || fread(tail, 1, 2, stdin) != 2) {
            puts("truncated");
            return 2;
        }
        if (crc16(body, length) != (tail[0] << 8 | tail[1])) {
            puts("bad CRC");
            continue;
        }
        int error = handle(&connection, (enum type)head[1], body, length);
        if (error) {
            printf("error %d\n", error);
            if (error <= -10)
                return 3;
        }
        packets++;
    }
    if (connection.closed && connection.received > 0)
        puts("closed with data pending");
    if (connection.next_number > 1000 && packets >= 2)
        puts("busy");
    return 0;
}
