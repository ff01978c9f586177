// Assembles a small machine's program in two passes, with labels, and runs it.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum op { LDI, ADD, SUB, JMP, JZ, OUT, HLT, OPS };
static const char *const names[OPS] = {"ldi", "add", "sub", "jmp", "jz", "out", "hlt"};
static const int operands[OPS] = {2, 2, 2, 1, 2, 1, 0};

struct label {
    char name[12];
    int address;
};

static struct label labels[8];
static int label_count;
static unsigned char code[64][3];
static int length;
static char lines[16][40];

static int find_label(const char *name)
{
    for (int i = 0; i < label_count; i++)
        if (strcmp(labels[i].name, name) == 0)
            return labels[i].address;
    return -1;
}

static int add_label(char *name)
{
    if (find_label(name) >= 0)
        return -1;
    if (label_count == 8 || strlen(name) > 11 || !isalpha((unsigned char)name[0]))
        return -1;
    strcpy(labels[label_count].name, name);
    labels[label_count++].address = length;
    return 0;
}

static int parse_register(const char *text)
{
    if (text[0] != 'r' || text[1] < '0' || text[1] > '3' || text[2])
        return -1;
    return text[1] - '0';
}

static int parse_operand(enum op op, int number, const char *text)
{
    if ((op == JMP && number == 0) || (op == JZ && number == 1))
        return find_label(text);
    if (op == LDI && number == 1) {
        char *end;
        long value = strtol(text, &end, 0);
        return *end || end == text || value < 0 || value > 255 ? -1 : (int)value;
    }
    return parse_register(text);
}

static int assemble(char *line, int pass, int number)
{
    char *comment = strchr(line, ';');
    if (comment)
        *comment = '\0';
    char *word = strtok(line, " \t\n,");
    if (!word)
        return 0;
    size_t size = strlen(word);
    if (word[size - 1] == ':') {
        word[size - 1] = '\0';
        if (pass == 1 && add_label(word) < 0) {
            printf("%d: bad label\n", number);
            return -1;
        }
        word = strtok(NULL, " \t\n,");
        if (!word)
            return 0;
    }
    int op;
    for (op = 0; op < OPS && strcmp(names[op], word) != 0; op++)
        ;
    if (op == OPS) {
        printf("%d: unknown instruction\n", number);
        return -1;
    }
    if (length == 64)
        return -1;
    code[length][0] = (unsigned char)op;
    for (int i = 0; i < operands[op]; i++) {
        char *text = strtok(NULL, " \t\n,");
        if (!text) {
            printf("%d: operand missing\n", number);
            return -1;
        }
        int value = pass == 1 ? 0 : parse_operand((enum op)op, i, text);
        if (value < 0) {
            printf("%d: bad operand\n", number);
            return -1;
        }
        code[length][i + 1] = (unsigned char)value;
    }
    if (strtok(NULL, " \t\n,")) {
        printf("%d: too many operands\n", number);
        return -1;
    }
    length++;
    return 0;
}

static int execute(void)
{
    int registers[4] = {0}, pc = 0;
    for (int steps = 0; steps < 200; steps++) {
        if (pc >= length)
            return 1;
        const unsigned char *at = code[pc++];
        switch (at[0]) {
        case LDI: registers[at[1]] = at[2]; break;
        case ADD: registers[at[1]] += registers[at[2]]; break;
        case SUB: registers[at[1]] -= registers[at[2]]; break;
        case JMP: pc = at[1]; break;
        case JZ:
            if (registers[at[1]] == 0)
                pc = at[2];
            break;
        case OUT: printf("%d\n", registers[at[1]]); break;
        case HLT: return 0;
        }
        if (registers[0] < 0)
            return 2;
    }
    return 3;
}

int main(void)
{
    int count = 0;
    while (count < 16 && fgets(lines[count], sizeof lines[count], stdin))
        count++;
    for (int pass = 1; pass <= 2; pass++) {
        length = 0;
        for (int i = 0; i < count; i++) {
            char copy[40];
            strcpy(copy, lines[i]);
            if (assemble(copy, pass, i + 1) < 0)
                return 1;
        }
    }
    int result = execute();
    if (result == 1)
        puts("ran off the end");
    else if (result == 2)
        puts("negative");
    else if (result == 3)
        puts("too many steps");
    return result;
}
