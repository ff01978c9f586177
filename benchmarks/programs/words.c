// Strings: words are cut out, folded to lower case, counted in a hash table, and looked up in a list.
// bench: rounds=110000 stdin=512 data=text
#include "workload.h"

#include <ctype.h>

enum { SLOTS = 512, LONGEST = 15 };

struct entry {
    char word[LONGEST + 1];
    unsigned count, round;
};

static const char *const common[] = {"the", "and", "of", "to", "in", "that", "is", "was", "for", "with"};

static struct entry table[SLOTS];

static struct entry *find(const char *word, unsigned round)
{
    uint32_t hash = 5381;
    for (const char *at = word; *at; at++)
        hash = hash * 33 + (unsigned char)*at;
    for (unsigned tried = 0; tried < SLOTS; tried++) {
        struct entry *entry = &table[(hash + tried) % SLOTS];
        if (entry->round != round) {
            strcpy(entry->word, word);
            entry->count = 0;
            entry->round = round;
        }
        if (strcmp(entry->word, word) == 0)
            return entry;
    }
    return &table[0];
}

static int is_common(const char *word)
{
    for (size_t i = 0; i < sizeof common / sizeof common[0]; i++)
        if (strcmp(common[i], word) == 0)
            return 1;
    return 0;
}

static uint32_t work(const unsigned char *data, size_t size, uint32_t seed)
{
    static unsigned round;
    uint32_t result = seed;
    round++;
    for (size_t i = 0; i < size;) {
        char word[LONGEST + 1];
        size_t length = 0;
        while (i < size && !isalpha(data[i]))
            i++;
        for (; i < size && isalpha(data[i]); i++)
            if (length < LONGEST)
                word[length++] = (char)tolower(data[i]);
        word[length] = '\0';
        if (length > 0)
            result = result * 31 + ++find(word, round)->count + (is_common(word) ? 1u : (uint32_t)strlen(word));
    }
    return result;
}
