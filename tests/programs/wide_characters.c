// checks: wide and Unicode literals, multi-character constants, and a UTF-8 decoder written out
#include "collection.h"
#include <wchar.h>

static int32_t decode(const unsigned char *at, int *used)
{
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    int more = *at < 0x80 ? 0 : *at >> 5 == 6 ? 1 : *at >> 4 == 14 ? 2 : *at >> 3 == 30 ? 3 : -1;
    *used = 1;
    if (more <= 0)
        return more < 0 ? -1 : *at;
    uint32_t value = *at & (0x3fu >> more);
    for (int i = 1; i <= more; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return -2;
        value = value << 6 | (at[i] & 0x3f);
    }
    *used = more + 1;
    return value < least[more] ? -3 : value > 0x10ffff ? -4 : (int32_t)value;
}

int main(void)
{
    read_input();
    static const wchar_t wide[] = L"w\u00e4h\u20ac";
    static const char *narrow = u8"\u00e4\u20ac";
    show("wide", wide[u8(0) & 3]);
    show("narrow", (long long)strlen(narrow));
    show("constant", L'\u20ac' + 'a');
    wchar_t copy[4];
    wmemcpy(copy, wide, 4);
    copy[u8(1) & 3] = (wchar_t)u16(2);
    show("copied", copy[0] ^ copy[1] ^ copy[2] ^ copy[3]);
    int used;
    show("known", decode((const unsigned char *)narrow, &used));
    for (unsigned i = 4; i < 60; i += (unsigned)used)
        show("decoded", decode(input + i, &used));
    return finish();
}
