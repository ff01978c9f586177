/* Settings that earlier records switch on, and a feature that asks for three of them at once.
 *
 * Rewards stores, which knows from the program map where each setting is made, and puts that record before the one that
 * asks for it. Punishes cfg and cgs: no decision of the input is about a setting, so all they can do is to come upon the
 * right records in the right order.
 */
#include <untaken.h>

enum { RECORDS = 8 };
enum { PLAIN, HEX, TEXT };
static struct settings { int mode, strict, level; } settings;

static void set(struct settings *s, int key, int value)
{
    if (key == 'm')
        s->mode = value == 'h' ? HEX : value == 't' ? TEXT : PLAIN;
    else if (key == 's' && value == 'y')
        s->strict = 1;
    else if (key == 'u')
        s->level++;
}

static int is_found(const struct settings *s)
{
    return s->mode == TEXT && s->strict && s->level == 3;
}

int main(void)
{
    int found = 0;
    for (int i = 0; i < RECORDS; i++) {
        char record[3];
        untaken_input(record, sizeof record, "record");
        if (record[0] == 'S')
            set(&settings, record[1], record[2]);
        else if (record[0] == 'I')
            found |= is_found(&settings);
    }
    return found;
}
