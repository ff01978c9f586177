// A ledger: accounts are opened, filled, emptied, frozen and closed by commands, one a line.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum status { FREE, OPEN, FROZEN, CLOSED };
struct account { char name[8]; long balance; enum status status; int moves; };
static struct account accounts[4];
static int used, errors;

static struct account *find(const char *name) {
    for (int i = 0; i < used; i++)
        if (strcmp(accounts[i].name, name) == 0 && accounts[i].status != CLOSED) return &accounts[i];
    return NULL;
}

static int fail(const char *why) { printf("error: %s\n", why); errors++; return -1; }

static int do_open(const char *name) {
    size_t n = strlen(name);
    if (n == 0 || n >= sizeof accounts[0].name) return fail("bad name");
    for (size_t i = 0; i < n; i++)
        if (!isalnum((unsigned char)name[i])) return fail("bad name");
    if (find(name)) return fail("exists");
    if (used == 4) return fail("too many accounts");
    strcpy(accounts[used].name, name);
    accounts[used].status = OPEN;
    accounts[used].balance = 0;
    used++;
    return 0;
}

static int amount(const char *text, long *value) {
    char *end;
    if (text == NULL) return fail("amount missing");
    *value = strtol(text, &end, 10);
    if (end == text || *end != '\0') return fail("not a number");
    if (*value <= 0) return fail("must be positive");
    if (*value > 100000) return fail("too much");
    return 0;
}

static int withdraw(struct account *a, long value) {
    if (a->status == FROZEN) return fail("frozen");
    if (a->balance < value) {
        if (a->moves >= 3 && a->balance + 50 >= value) printf("overdraft\n");
        else return fail("not enough");
    }
    a->balance -= value;
    a->moves++;
    return 0;
}

static int command(char *line) {
    char *verb = strtok(line, " ");
    if (verb == NULL) return 0;
    char *name = strtok(NULL, " ");
    if (strcmp(verb, "report") == 0) {
        long total = 0;
        for (int i = 0; i < used; i++) {
            if (accounts[i].status == CLOSED) continue;
            printf("%s %ld%s\n", accounts[i].name, accounts[i].balance, accounts[i].status == FROZEN ? " *" : "");
            total += accounts[i].balance;
        }
        if (total < 0) printf("in debt\n");
        else if (total == 0) printf("even\n");
        return 0;
    }
    if (name == NULL) return fail("name missing");
    if (strcmp(verb, "open") == 0) return do_open(name);
    struct account *a = find(name);
    if (a == NULL) return fail("no such account");
    if (strcmp(verb, "close") == 0) {
        if (a->balance != 0) return fail("not empty");
        a->status = CLOSED;
        return 0;
    }
    if (strcmp(verb, "freeze") == 0) {
        if (a->status == FROZEN) return fail("already");
        a->status = FROZEN;
        return 0;
    }
    if (strcmp(verb, "thaw") == 0) {
        if (a->status != FROZEN) return fail("not frozen");
        a->status = OPEN;
        return 0;
    }
    char *third = strtok(NULL, " ");
    long value;
    if (strcmp(verb, "in") == 0) {
        if (amount(third, &value) < 0) return -1;
        if (a->balance + value > 150000) return fail("limit");
        a->balance += value;
        a->moves++;
        return 0;
    }
    if (strcmp(verb, "out") == 0) return amount(third, &value) < 0 ? -1 : withdraw(a, value);
    if (strcmp(verb, "pay") == 0) {
        if (third == NULL) return fail("to whom");
        struct account *b = find(third);
        if (b == NULL) return fail("nobody");
        if (a == b) return fail("to itself");
        if (amount(strtok(NULL, " "), &value) < 0) return -1;
        if (b->status == FROZEN) return fail("frozen there");
        if (withdraw(a, value) < 0) return -1;
        b->balance += value;
        if (b->balance == 777) printf("jackpot\n");
        return 0;
    }
    return fail("what");
}

int main(void) {
    char line[80];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#') continue;
        command(line);
        if (errors > 8) { printf("giving up\n"); return 2; }
    }
    return errors > 0;
}
