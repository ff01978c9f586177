// checks: weak symbols, aliases, constructors and destructors, cleanup, sections, visibility
#include "collection.h"

__attribute__((weak)) extern int not_there(int value);
__attribute__((weak)) int replaceable(int value) { return value + 1; }
static int real_name(int value) { return value * 5; }
int other_name(int value);
extern __typeof__(real_name) exported_name;
int exported_name(int value) { return real_name(value) - 1; }
int other_name(int value) __attribute__((alias("exported_name")));

static int started;
__attribute__((constructor)) static void start(void) { started += 7; }
__attribute__((constructor(200))) static void start_early(void) { started = 1; }
__attribute__((destructor)) static void stop(void) { printf("stopped %d\n", started); }

__attribute__((section("our_data"), used)) static int placed[2] = {3, 4};
__attribute__((visibility("hidden"))) int hidden(int value);
int hidden(int value) { return value ^ placed[1]; }

static int released;
static void release(int *value) { released += *value; }

static int scoped(int value)
{
    __attribute__((cleanup(release))) int held = value;
    if (value & 1)
        return held + 1;
    __attribute__((cleanup(release))) int second = value * 2;
    return second;
}

int main(void)
{
    read_input();
    show("weak", not_there ? not_there(1) : -1);
    show("replaceable", replaceable(u8(0)));
    show("alias", other_name(s8(1)));
    show("started", started);
    show("placed", placed[u8(2) & 1]);
    show("hidden", hidden(u8(3)));
    show("scoped", scoped(u8(4)) + scoped(u8(5)));
    show("released", released);
    return finish();
}
