// checks: strtol and its family, atoi, in several bases, with signs, overflow and trailing text
#include "collection.h"
#include <errno.h>

static void parse(const char *text, int base)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, base);
    show("strtol", value);
    show("  used", end - text);
    show("  range", errno == ERANGE);
    errno = 0;
    show("strtoul", (long long)strtoul(text, &end, base));
    show("  used", end - text);
}

int main(void)
{
    read_input();
    char text[12] = {0};
    memcpy(text, input, 10);
    parse(text, 10);
    parse(text, 16);
    parse(text, 0);
    show("atoi", atoi(input[10] & 1 ? "-42x" : "17"));
    char number[6] = {(char)('0' + u8(11) % 10), (char)('0' + u8(12) % 10), (char)('0' + u8(13) % 10), 0};
    show("digits", atoi(number));
    show("long", strtol(number, NULL, 12));
    show("hex", (long long)strtoull(number, NULL, 16));
    parse("99999999999999999999", 10);
    parse(" -0x1fz", 16);
    char line[8];
    snprintf(line, sizeof line, "%d", s16(14));
    show("round trip", strtoll(line, NULL, 10));
    int scanned = 0, other = 0;
    int fields = sscanf(line, "%3d%d", &scanned, &other);
    show("sscanf", fields * 100000 + scanned + other);
    return finish();
}
