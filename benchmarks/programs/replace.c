/* replace PATTERN SUBSTITUTE < TEXT: writes the text with every match of the pattern replaced.
 *
 * The program that docs/measurements/comparison.md compares strategies on, with a pattern of 10, a substitute of 10 and a line of
 * 20 symbolic characters: untaken compare replace.c --arg 10 --arg 10 --stdin 20.
 *
 * Patterns:      c          that character
 *                .          any character but a newline
 *                [a-z_]     one of a class; [^...] one of all others; ] is a member if it comes first
 *                \d \w \s   a digit, a letter, digit or underscore, white space; \D \W \S the others
 *                \n \t \e   newline, tab, escape; any other escaped character is itself
 *                ^ $ \b     the beginning and the end of a line, a border of a word
 *                (...)      a group, which can be named in the substitute; a|b one or the other
 *                * + ?      as often as possible, at least once, at most once; with ? behind: as seldom as possible
 *                {m} {m,n}  so often
 * Substitutes:   &          the whole match; \1 to \9 a group
 *                \u \l      the next character as a capital, a small letter; \U \L all up to \E
 *                \# \%      the number of the match; its length
 *                \n \t \e   as in patterns
 *
 * A pattern is compiled to instructions of a small machine, which goes back to its last choice where it fails.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_CODE = 200,
    MOST_RANGES = 60,
    MOST_PARTS = 40,
    MOST_GROUPS = 10,
    MOST_REPEATS = 8,
    MOST_STEPS = 4000,
    LONGEST_LINE = 128,
    LONGEST_OUTPUT = 512,
};

/* ---- problems ---- */

enum problem {
    NO_PROBLEM,
    USAGE,
    PATTERN_TOO_LONG,
    OPEN_CLASS,
    REVERSED_RANGE,
    OPEN_GROUP,
    STRAY_PARENTHESIS,
    TOO_MANY_GROUPS,
    NOTHING_TO_REPEAT,
    BAD_COUNT,
    TRAILING_BACKSLASH,
    SUBSTITUTE_TOO_LONG,
    NO_SUCH_GROUP,
    OUTPUT_TOO_LONG,
    TOO_MANY_STEPS,
};

static const char *const MESSAGES[] = {
    "no problem",
    "usage: replace PATTERN SUBSTITUTE",
    "the pattern is too long",
    "a class is not closed",
    "a range ends before it begins",
    "a group is not closed",
    "a ) closes no group",
    "too many groups",
    "there is nothing to repeat",
    "a count cannot be understood",
    "a backslash at the end",
    "the substitute is too long",
    "the substitute names a group that is not in the pattern",
    "a line becomes too long",
    "the pattern takes too many steps",
};

static void fail(enum problem problem)
{
    fprintf(stderr, "replace: %s\n", MESSAGES[problem]);
    exit(2);
}

/* ---- characters: our own, for a class must mean the same everywhere ---- */

static int is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static int is_small(int c)
{
    return c >= 'a' && c <= 'z';
}

static int is_capital(int c)
{
    return c >= 'A' && c <= 'Z';
}

static int is_word(int c)
{
    return is_small(c) || is_capital(c) || is_digit(c) || c == '_';
}

static int to_capital(int c)
{
    return is_small(c) ? c - 'a' + 'A' : c;
}

static int to_small(int c)
{
    return is_capital(c) ? c - 'A' + 'a' : c;
}

/* ---- the machine ---- */

enum operation {
    CHARACTER, /* a: the character */
    ANY,
    CLASS,     /* a: first range, b: how many, negated */
    SPLIT,     /* go on at a; if that fails at b */
    JUMP,      /* a */
    SAVE,      /* a: the slot that gets the position */
    LINE_BEGIN,
    LINE_END,
    WORD_BORDER,
    MATCH,
};

struct instruction {
    enum operation operation;
    int a, b;
    int negated;
};

struct range {
    int first, last;
};

struct pattern {
    struct instruction code[MOST_CODE];
    int length;
    struct range ranges[MOST_RANGES];
    int range_count;
    int groups; /* with group 0, the whole */
    int anchored;
};

static struct pattern pattern;

static int emit(enum operation operation, int a, int b)
{
    if (pattern.length >= MOST_CODE)
        fail(PATTERN_TOO_LONG);
    struct instruction *made = &pattern.code[pattern.length];
    made->operation = operation;
    made->a = a;
    made->b = b;
    made->negated = 0;
    return pattern.length++;
}

static int moved_target(int target, int place, int is_moved)
{
    return target > place || (target == place && is_moved) ? target + 1 : target;
}

/* Makes room for one instruction at a place. What jumps past it is moved along; what leads to the place from before
 * leads to the new instruction. */
static void insert(int place, enum operation operation)
{
    emit(operation, 0, 0);
    struct instruction made = pattern.code[pattern.length - 1];
    for (int i = pattern.length - 1; i > place; i--)
        pattern.code[i] = pattern.code[i - 1];
    pattern.code[place] = made;
    for (int i = 0; i < pattern.length; i++) {
        struct instruction *now = &pattern.code[i];
        if (i != place && (now->operation == SPLIT || now->operation == JUMP)) {
            now->a = moved_target(now->a, place, i > place);
            now->b = moved_target(now->b, place, i > place);
        }
    }
}

static void add_range(int first, int last)
{
    if (first > last)
        fail(REVERSED_RANGE);
    if (pattern.range_count >= MOST_RANGES)
        fail(PATTERN_TOO_LONG);
    pattern.ranges[pattern.range_count].first = first;
    pattern.ranges[pattern.range_count].last = last;
    pattern.range_count++;
}

/* ---- reading patterns ---- */

static const char *at; /* the next character of the pattern */

static void read_alternatives(int depth);

/* The ranges of \d, \w and \s; 0 if the letter names no class. */
static int add_named_class(int letter)
{
    switch (to_small(letter)) {
    case 'd':
        add_range('0', '9');
        return 1;
    case 'w':
        add_range('a', 'z');
        add_range('A', 'Z');
        add_range('0', '9');
        add_range('_', '_');
        return 1;
    case 's':
        add_range(' ', ' ');
        add_range('\t', '\r');
        return 1;
    default:
        return 0;
    }
}

static int escaped(int letter)
{
    switch (letter) {
    case '\0':
        fail(TRAILING_BACKSLASH);
        return 0;
    case 'n':
        return '\n';
    case 't':
        return '\t';
    case 'e':
        return 27;
    default:
        return letter;
    }
}

static int class_member(void)
{
    int c = (unsigned char)*at++;
    if (c == '\0')
        fail(OPEN_CLASS);
    return c == '\\' ? escaped((unsigned char)*at++) : c;
}

static void read_class(void)
{
    int place = emit(CLASS, pattern.range_count, 0);
    if (*at == '^') {
        pattern.code[place].negated = 1;
        at++;
    }
    int first = 1;
    while (first || *at != ']') {
        first = 0;
        if (*at == '\\' && add_named_class((unsigned char)at[1])) {
            if (is_capital((unsigned char)at[1]))
                fail(OPEN_CLASS);
            at += 2;
            continue;
        }
        int low = class_member(), high = low;
        if (*at == '-' && at[1] != ']' && at[1] != '\0') {
            at++;
            high = class_member();
        }
        add_range(low, high);
    }
    at++;
    pattern.code[place].b = pattern.range_count - pattern.code[place].a;
}

static void read_escape(void)
{
    int letter = (unsigned char)*at++;
    int first = pattern.range_count;
    if (letter == 'b') {
        emit(WORD_BORDER, 0, 0);
    } else if (add_named_class(letter)) {
        int place = emit(CLASS, first, pattern.range_count - first);
        pattern.code[place].negated = is_capital(letter);
    } else {
        emit(CHARACTER, escaped(letter), 0);
    }
}

static void read_group(int depth)
{
    int group = pattern.groups++;
    if (group >= MOST_GROUPS)
        fail(TOO_MANY_GROUPS);
    emit(SAVE, 2 * group, 0);
    read_alternatives(depth + 1);
    if (*at != ')')
        fail(OPEN_GROUP);
    at++;
    emit(SAVE, 2 * group + 1, 0);
}

/* One thing that can be repeated; 0 if it is a place between characters, which cannot. */
static int read_atom(int depth)
{
    int c = (unsigned char)*at++;
    switch (c) {
    case '.':
        emit(ANY, 0, 0);
        return 1;
    case '[':
        read_class();
        return 1;
    case '(':
        read_group(depth);
        return 1;
    case '\\':
        read_escape();
        return pattern.code[pattern.length - 1].operation != WORD_BORDER;
    case '^':
        emit(LINE_BEGIN, 0, 0);
        return 0;
    case '$':
        emit(LINE_END, 0, 0);
        return 0;
    case '*':
    case '+':
    case '?':
    case '{':
        fail(NOTHING_TO_REPEAT);
        return 0;
    default:
        emit(CHARACTER, c, 0);
        return 1;
    }
}

static int read_number(void)
{
    int number = 0, digits = 0;
    while (is_digit((unsigned char)*at)) {
        number = number * 10 + (*at++ - '0');
        if (++digits > 2)
            fail(BAD_COUNT);
    }
    return digits ? number : -1;
}

/* A copy of what was compiled from `begin` to `end`. */
static void copy_code(int begin, int end)
{
    int distance = pattern.length - begin;
    for (int i = begin; i < end; i++) {
        struct instruction original = pattern.code[i];
        int copied = emit(original.operation, original.a, original.b);
        pattern.code[copied].negated = original.negated;
        if (original.operation == SPLIT || original.operation == JUMP)
            pattern.code[copied].a += distance;
        if (original.operation == SPLIT)
            pattern.code[copied].b += distance;
    }
}

/* A SPLIT that would rather go on at `first`; with lazy the other way round. */
static void set_split(int place, int first, int second, int lazy)
{
    pattern.code[place].a = lazy ? second : first;
    pattern.code[place].b = lazy ? first : second;
}

static int take_lazy(void)
{
    if (*at != '?')
        return 0;
    at++;
    return 1;
}

static void read_count(int begin)
{
    int least = read_number(), most = least;
    if (least < 0)
        fail(BAD_COUNT);
    if (*at == ',') {
        at++;
        most = read_number();
    }
    if (*at != '}' || most < least || most == 0 || most > MOST_REPEATS)
        fail(BAD_COUNT);
    at++;
    int lazy = take_lazy(), end = pattern.length;
    for (int copy = 1; copy < most; copy++) {
        if (copy < least) {
            copy_code(begin, end);
        } else {
            int split = emit(SPLIT, 0, 0);
            copy_code(begin, end);
            set_split(split, split + 1, pattern.length, lazy);
        }
    }
    if (least == 0) {
        insert(begin, SPLIT);
        set_split(begin, begin + 1, pattern.length, lazy);
    }
}

static void read_repetition(int begin)
{
    int kind = (unsigned char)*at++;
    if (kind == '{') {
        read_count(begin);
        return;
    }
    int lazy = take_lazy();
    if (kind == '+') {
        int split = emit(SPLIT, 0, 0);
        set_split(split, begin, split + 1, lazy);
        return;
    }
    insert(begin, SPLIT);
    if (kind == '*')
        emit(JUMP, begin, 0);
    set_split(begin, begin + 1, pattern.length, lazy);
}

static int repeats(int c)
{
    return c == '*' || c == '+' || c == '?' || c == '{';
}

static void read_sequence(int depth)
{
    while (*at != '\0' && *at != '|') {
        if (*at == ')') {
            if (depth == 0)
                fail(STRAY_PARENTHESIS);
            return;
        }
        int begin = pattern.length;
        int repeatable = read_atom(depth);
        if (repeats((unsigned char)*at)) {
            if (!repeatable)
                fail(NOTHING_TO_REPEAT);
            read_repetition(begin);
        }
    }
}

static void read_alternatives(int depth)
{
    int begin = pattern.length;
    read_sequence(depth);
    while (*at == '|') {
        at++;
        int jump = emit(JUMP, 0, 0);
        insert(begin, SPLIT);
        jump++;
        set_split(begin, begin + 1, jump + 1, 0);
        read_sequence(depth);
        pattern.code[jump].a = pattern.length;
        begin = jump + 1;
    }
}

static void compile(const char *text)
{
    at = text;
    pattern.groups = 1;
    emit(SAVE, 0, 0);
    read_alternatives(0);
    emit(SAVE, 1, 0);
    emit(MATCH, 0, 0);
    pattern.anchored = pattern.code[1].operation == LINE_BEGIN;
}

/* ---- substitutes ---- */

enum part_kind { LITERAL, GROUP, NUMBER, LENGTH, NEXT_CAPITAL, NEXT_SMALL, CAPITALS, SMALLS, AS_IS };

struct part {
    enum part_kind kind;
    int value; /* a character or a group */
};

static struct part parts[MOST_PARTS];
static int part_count;

static void add_part(enum part_kind kind, int value)
{
    if (part_count >= MOST_PARTS)
        fail(SUBSTITUTE_TOO_LONG);
    parts[part_count].kind = kind;
    parts[part_count].value = value;
    part_count++;
}

static void add_escaped_part(int letter)
{
    if (letter >= '1' && letter <= '9') {
        if (letter - '0' >= pattern.groups)
            fail(NO_SUCH_GROUP);
        add_part(GROUP, letter - '0');
        return;
    }
    switch (letter) {
    case 'u':
        add_part(NEXT_CAPITAL, 0);
        break;
    case 'l':
        add_part(NEXT_SMALL, 0);
        break;
    case 'U':
        add_part(CAPITALS, 0);
        break;
    case 'L':
        add_part(SMALLS, 0);
        break;
    case 'E':
        add_part(AS_IS, 0);
        break;
    case '#':
        add_part(NUMBER, 0);
        break;
    case '%':
        add_part(LENGTH, 0);
        break;
    default:
        add_part(LITERAL, escaped(letter));
    }
}

static void read_substitute(const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '&')
            add_part(GROUP, 0);
        else if (*text == '\\')
            add_escaped_part((unsigned char)*++text);
        else
            add_part(LITERAL, (unsigned char)*text);
    }
}

/* ---- matching ---- */

static const char *line;
static int line_length;
static int slots[2 * MOST_GROUPS];
static int steps;

static int in_class(const struct instruction *class, int c)
{
    for (int i = 0; i < class->b; i++) {
        const struct range *range = &pattern.ranges[class->a + i];
        if (c >= range->first && c <= range->last)
            return !class->negated;
    }
    return class->negated;
}

static int word_at(int position)
{
    return position >= 0 && position < line_length && is_word((unsigned char)line[position]);
}

static int consumes(const struct instruction *now, int position)
{
    if (position >= line_length)
        return 0;
    int c = (unsigned char)line[position];
    switch (now->operation) {
    case CHARACTER:
        return c == now->a;
    case ANY:
        return c != '\n';
    default:
        return in_class(now, c);
    }
}

/* Whether the machine, started at an instruction and a position, gets to a match. */
static int runs_to_match(int program_counter, int position)
{
    for (;;) {
        const struct instruction *now = &pattern.code[program_counter];
        if (++steps > MOST_STEPS)
            fail(TOO_MANY_STEPS);
        switch (now->operation) {
        case MATCH:
            return 1;
        case JUMP:
            program_counter = now->a;
            continue;
        case SPLIT:
            if (runs_to_match(now->a, position))
                return 1;
            program_counter = now->b;
            continue;
        case SAVE: {
            int before = slots[now->a];
            slots[now->a] = position;
            if (runs_to_match(program_counter + 1, position))
                return 1;
            slots[now->a] = before;
            return 0;
        }
        case LINE_BEGIN:
            if (position != 0)
                return 0;
            break;
        case LINE_END:
            if (position != line_length)
                return 0;
            break;
        case WORD_BORDER:
            if (word_at(position - 1) == word_at(position))
                return 0;
            break;
        default:
            if (!consumes(now, position))
                return 0;
            position++;
        }
        program_counter++;
    }
}

static int matches_at(int position)
{
    for (int i = 0; i < 2 * MOST_GROUPS; i++)
        slots[i] = -1;
    steps = 0;
    return runs_to_match(0, position);
}

/* ---- writing ---- */

static char output[LONGEST_OUTPUT];
static int output_length;
static int next_case, lasting_case; /* NEXT_CAPITAL, NEXT_SMALL, CAPITALS, SMALLS or AS_IS */

static void put(int c)
{
    if (output_length >= LONGEST_OUTPUT)
        fail(OUTPUT_TOO_LONG);
    output[output_length++] = (char)c;
}

static void put_cased(int c)
{
    if (next_case == NEXT_CAPITAL)
        c = to_capital(c);
    else if (next_case == NEXT_SMALL)
        c = to_small(c);
    else if (lasting_case == CAPITALS)
        c = to_capital(c);
    else if (lasting_case == SMALLS)
        c = to_small(c);
    next_case = AS_IS;
    put(c);
}

static void put_number(int number)
{
    if (number >= 10)
        put_number(number / 10);
    put('0' + number % 10);
}

static void put_group(int group)
{
    int begin = slots[2 * group], end = slots[2 * group + 1];
    if (begin < 0 || end < begin)
        return; /* the group was on the way not taken */
    for (int i = begin; i < end; i++)
        put_cased((unsigned char)line[i]);
}

static void put_substitute(int number)
{
    next_case = lasting_case = AS_IS;
    for (int i = 0; i < part_count; i++) {
        switch (parts[i].kind) {
        case LITERAL:
            put_cased(parts[i].value);
            break;
        case GROUP:
            put_group(parts[i].value);
            break;
        case NUMBER:
            put_number(number);
            break;
        case LENGTH:
            put_number(slots[1] - slots[0]);
            break;
        case NEXT_CAPITAL:
        case NEXT_SMALL:
            next_case = parts[i].kind;
            break;
        default:
            lasting_case = parts[i].kind;
        }
    }
}

/* Replaces all matches in the line; how many there were. */
static int replace_line(void)
{
    int count = 0, position = 0;
    output_length = 0;
    while (position <= line_length) {
        if ((!pattern.anchored || position == 0) && matches_at(position)) {
            int end = slots[1];
            put_substitute(++count);
            if (end > position) {
                position = end;
                continue;
            }
        }
        if (position < line_length)
            put((unsigned char)line[position]);
        position++;
    }
    return count;
}

static int read_line(char *into)
{
    int length = 0, c;
    while (length < LONGEST_LINE && (c = getchar()) != EOF) {
        if (c == '\n')
            return length;
        into[length++] = (char)c;
    }
    return length ? length : -1;
}

int main(int count, char **arguments)
{
    static char text[LONGEST_LINE];
    int lines = 0, replaced = 0;
    if (count != 3)
        fail(USAGE);
    compile(arguments[1]);
    read_substitute(arguments[2]);
    while ((line_length = read_line(text)) >= 0) {
        line = text;
        int matches = replace_line();
        if (matches > 0)
            lines++;
        replaced += matches;
        fwrite(output, 1, (size_t)output_length, stdout);
        putchar('\n');
    }
    if (replaced > 3 && lines > 1)
        fprintf(stderr, "%d matches in %d lines\n", replaced, lines);
    return replaced == 0;
}
