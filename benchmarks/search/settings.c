// Records that switch settings on and off, and items that ask for several of them at once. No condition on a setting can
// be flipped: it lies in a struct behind a pointer, and only constants are stored there. Input: 10 records of 4 bytes.
#include <stdio.h>

enum mode { PLAIN, HEX, TEXT };

struct settings {
    enum mode mode;
    int verbose, strict, level, locked;
};

struct session {
    struct settings *settings;
    int errors, items;
};

static void set(struct session *session, char key, char value)
{
    struct settings *settings = session->settings;
    if (settings->locked) {
        session->errors++;
        return;
    }
    switch (key) {
    case 'm':
        if (value == 'h')
            settings->mode = HEX;
        else if (value == 't')
            settings->mode = TEXT;
        else
            settings->mode = PLAIN;
        break;
    case 'v':
        settings->verbose = value == 'y';
        break;
    case 's':
        if (value == 'y')
            settings->strict = 1;
        else if (value == 'n')
            settings->strict = 0;
        else
            session->errors++;
        break;
    case 'u':
        if (settings->level < 5)
            settings->level++;
        break;
    case 'd':
        if (settings->level > 0)
            settings->level--;
        break;
    case 'L':
        if (settings->strict)
            settings->locked = 1;
        break;
    default:
        session->errors++;
    }
}

static void show(const struct settings *settings, char first, char second)
{
    if (settings->mode == HEX) {
        if (settings->level == 3)
            puts("three digits");
        if (first == 'f')
            puts("a digit");
    } else if (settings->mode == TEXT) {
        if (settings->verbose) {
            if (second == '?')
                puts("a question");
            if (settings->level == 5)
                puts("all there is to say");
        } else if (first == 'Q')
            puts("quiet");
    } else if (settings->level >= 2)
        puts("plain, but much");
    if (settings->locked && settings->mode == TEXT && settings->level == 4)
        puts("locked text");
}

static int item(struct session *session, char first, char second)
{
    session->items++;
    show(session->settings, first, second);
    if (session->settings->strict && session->errors)
        return -1;
    if (session->items == 4 && session->errors == 0)
        puts("four without an error");
    if (session->errors >= 3 && !session->settings->strict)
        puts("sloppy");
    return 0;
}

static void unlock(struct session *session, char first, char second)
{
    if (session->settings->locked && first == 'k' && second == 'y') {
        session->settings->locked = 0;
        puts("unlocked");
    } else if (!session->settings->locked)
        session->errors++;
}

int main(void)
{
    struct settings settings = {0};
    struct session session = {&settings, 0, 0};
    char record[4];
    while (fread(record, 1, sizeof record, stdin) == sizeof record) {
        if (record[0] == 'S' && record[1] == ':')
            set(&session, record[2], record[3]);
        else if (record[0] == 'I' && record[1] == ':') {
            if (item(&session, record[2], record[3]))
                return 2;
        } else if (record[0] == 'U' && record[1] == ':')
            unlock(&session, record[2], record[3]);
        else if (++session.errors > 5)
            return 3;
    }
    return 0;
}
