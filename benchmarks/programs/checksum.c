// A tight loop: CRC-32 bit by bit, eight steps a byte.
// bench: rounds=110000 stdin=512
#include "workload.h"

static uint32_t work(const unsigned char *data, size_t size, uint32_t seed)
{
    uint32_t crc = ~seed;
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (0xedb88320u & -(crc & 1));
    }
    return ~crc;
}
