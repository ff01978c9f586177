// checks: bit-fields of many widths and signs, across byte and word borders, read, written and incremented
#include "collection.h"

struct packet {
    unsigned version : 4;
    unsigned length : 12;
    int offset : 7;
    unsigned long long serial : 37;
    signed char flag : 2;
    unsigned : 0;
    unsigned last : 31;
    unsigned top : 1;
};

struct __attribute__((packed)) tight {
    uint8_t kind : 3;
    uint16_t value : 13;
    int32_t change : 21;
    uint8_t rest : 3;
};

static struct packet packet;

int main(void)
{
    read_input();
    packet.version = u8(0) & 15;
    packet.length = u16(2) & 4095;
    packet.offset = (int)(u8(4) & 127) - 64;
    packet.serial = u64(8) & ((UINT64_C(1) << 37) - 1);
    packet.flag = (int)(u8(5) & 3) - 2;
    packet.last = u32(16) & 0x7fffffff;
    packet.top = u8(6) & 1;
    show("version", packet.version);
    show("length", packet.length);
    show("offset", packet.offset);
    show("serial", (long long)packet.serial);
    show("flag", packet.flag);
    show("last", packet.last);
    packet.version++;
    packet.length -= packet.version;
    packet.serial *= 3;
    packet.top ^= packet.version & 1;
    show("after", (long long)(packet.serial ^ packet.length ^ packet.version));
    expect(packet.offset == (int)(u8(4) & 127) - 64);
    struct tight tight = {u8(20) & 7, u16(22) & 8191, (int)(u32(24) & 0xfffff) - 0x80000, u8(21) & 7};
    show("kind", tight.kind);
    show("value", tight.value);
    show("change", tight.change);
    show("rest", tight.rest);
    struct tight copy = tight;
    copy.change = -copy.change;
    if (copy.value > tight.kind * 100u)
        copy.rest = 7;
    show("copy", copy.change * 8 + copy.rest);
    unsigned char bytes[sizeof copy];
    memcpy(bytes, &copy, sizeof copy);
    show("bytes", bytes[0] + bytes[1] * 256 + bytes[4] * 65536);
    return finish();
}
