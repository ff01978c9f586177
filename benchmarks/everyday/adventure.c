// A text adventure: rooms, things, a lamp with oil, a troll.
#include <stdio.h>
#include <string.h>

enum { HALL, CELLAR, GARDEN, CAVE, VAULT, ROOMS };
enum { LAMP, KEY, SWORD, GOLD, BREAD, THINGS };
static const char *const names[THINGS] = {"lamp", "key", "sword", "gold", "bread"};
static int where[THINGS] = {HALL, GARDEN, CELLAR, VAULT, HALL};
enum { CARRIED = 100, GONE = 101 };
static int room = HALL, lit, oil = 6, troll = 2, door_open, moves, over;

static int thing(const char *word) {
    for (int i = 0; i < THINGS; i++)
        if (strcmp(names[i], word) == 0) return i;
    return -1;
}

static int has(int t) { return where[t] == CARRIED; }

static int is_dark(void) { return (room == CELLAR || room == CAVE || room == VAULT) && !(lit && has(LAMP)); }

static void go(char direction) {
    int next = -1;
    switch (room) {
    case HALL:
        if (direction == 'd') next = CELLAR;
        else if (direction == 'e') next = GARDEN;
        break;
    case CELLAR:
        if (direction == 'u') next = HALL;
        else if (direction == 'n') next = CAVE;
        break;
    case GARDEN:
        if (direction == 'w') next = HALL;
        break;
    case CAVE:
        if (direction == 's') next = CELLAR;
        else if (direction == 'e') {
            if (troll > 0) { puts("The troll is in your way."); return; }
            if (!door_open) { puts("The door is shut."); return; }
            next = VAULT;
        }
        break;
    case VAULT:
        if (direction == 'w') next = CAVE;
        break;
    }
    if (next < 0) { puts("No way."); return; }
    if (is_dark() && next != HALL) { puts("You stumble."); over = 2; return; }
    room = next;
    if (is_dark()) puts("It is dark.");
}

static void take(int t) {
    int carried = 0;
    if (where[t] != room) { puts("Not here."); return; }
    if (is_dark()) { puts("You feel nothing."); return; }
    for (int i = 0; i < THINGS; i++) carried += has(i);
    if (carried == 3) { puts("Too much."); return; }
    where[t] = CARRIED;
}

static void use(int t) {
    if (!has(t)) { puts("You have none."); return; }
    switch (t) {
    case LAMP:
        if (oil == 0) puts("Empty.");
        else lit = !lit;
        break;
    case KEY:
        if (room != CAVE) puts("No door here.");
        else if (troll > 0) puts("Not with him around.");
        else if (door_open) puts("Open already.");
        else door_open = 1;
        break;
    case SWORD:
        if (room != CAVE || troll == 0) puts("Whom do you fight?");
        else if (--troll == 0) puts("He falls.");
        else puts("He is hurt.");
        break;
    case BREAD:
        where[t] = GONE;
        if (room == CAVE && troll > 0) { troll = 0; puts("He takes it and leaves."); }
        break;
    default:
        puts("How?");
    }
}

int main(void) {
    char line[40], verb[12], noun[12];
    while (!over && fgets(line, sizeof line, stdin)) {
        int n = sscanf(line, "%11s %11s", verb, noun);
        moves++;
        if (lit && --oil == 0) { lit = 0; puts("The lamp goes out."); }
        if (n < 1) { puts("Yes?"); continue; }
        if (n == 1) {
            if (strlen(verb) == 1 && strchr("nsewud", verb[0])) go(verb[0]);
            else if (strcmp(verb, "look") == 0) {
                for (int i = 0; i < THINGS; i++)
                    if (where[i] == room && !is_dark()) puts(names[i]);
            } else if (strcmp(verb, "quit") == 0) over = 3;
            else puts("What?");
            continue;
        }
        int t = thing(noun);
        if (t < 0) { puts("No such thing."); continue; }
        if (strcmp(verb, "take") == 0) take(t);
        else if (strcmp(verb, "drop") == 0) {
            if (!has(t)) puts("You have none.");
            else {
                where[t] = room;
                if (t == GOLD && room == HALL) { puts("You win."); over = 1; }
            }
        } else if (strcmp(verb, "use") == 0) use(t);
        else puts("What?");
    }
    if (over == 1 && moves < 14) puts("Quick!");
    return over == 2;
}
