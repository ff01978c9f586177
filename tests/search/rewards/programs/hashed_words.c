/* Rewards: words. A language whose words are looked up in a table by their hash: nothing is compared with the input that
 * tells a word, and a hash is hard to turn round. But the program spells its words.
 * Misleads: strategies that solve. */
#include <stdio.h>
#include <string.h>
#include <untaken.h>

static const char *const words[] = {"begin", "while", "repeat", "until", "procedure", "return"};
static unsigned hashes[64];

static unsigned hash_of(const char *text) {
    unsigned hash = 2166136261u;
    for (; *text != 0; text++) {
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    }
    return hash ^ hash >> 15;
}

int main(void) {
    char text[16] = "";
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
        hashes[i] = hash_of(words[i]);
    }
    untaken_input(text, sizeof text - 1, "text");
    text[strcspn(text, "\n ")] = 0;
    unsigned hash = hash_of(text), found = 0;
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
        found |= (unsigned)(hashes[i] == hash) << i;
    }
    if (found & 1) {
        puts("a block");
    }
    if (found & 6) {
        puts("a loop");
    }
    if (found & 32) {
        puts("an end");
    }
    return 0;
}
