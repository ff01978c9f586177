// checks: tables of string literals, searched and indexed, and literals that share storage
#include "collection.h"

static const char *const months[] = {"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"};
static const char digits[] = "0123456789abcdef";
static const struct { const char *word; int value; } words[] = {
    {"zero", 0}, {"one", 1}, {"ten", 10}, {"hundred", 100}, {NULL, -1},
};

static int lookup(const char *word)
{
    int i = 0;
    while (words[i].word && strcmp(words[i].word, word) != 0)
        i++;
    return words[i].value;
}

int main(void)
{
    read_input();
    show("month", months[u8(0) % 12][u8(1) % 3]);
    show("digit", digits[u8(2) & 15]);
    show("literal", "constant"[u8(3) & 7]);
    char word[9] = {0};
    memcpy(word, input + 4, 8);
    show("lookup", lookup(word));
    int found = -1;
    for (int i = 0; i < 12; i++)
        if (strncmp(months[i], word, 3) == 0)
            found = i;
    show("found", found);
    char hex[17];
    for (unsigned i = 0; i < 8; i++) {
        hex[2 * i] = digits[u8(12 + i) >> 4];
        hex[2 * i + 1] = digits[u8(12 + i) & 15];
    }
    hex[16] = '\0';
    puts(hex);
    show("length", (long long)strlen(hex));
    int letters[26] = {0};
    for (const char *at = hex; *at; at++)
        if (*at >= 'a')
            letters[*at - 'a']++;
    show("letters", letters[0] + letters[5] * 10);
    return finish();
}
