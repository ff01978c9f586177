/* Scenes with formats of printf and scanf that are drawn, not listed. */
#define _GNU_SOURCE
#include "harness.h"

#include <stdio.h>
#include <string.h>

#define MODEL(function) extern __typeof__(function) untaken_model_##function;
MODEL(snprintf)
MODEL(sscanf)
MODEL(fscanf)

#define ARGUMENTS 6
#define LONGEST 80

/* A format that is being drawn, with what its directives take. */
struct draft {
    uint64_t choices;
    char text[LONGEST];
    size_t size;
    uint64_t arguments[ARGUMENTS];
    untaken_label labels[ARGUMENTS];
    unsigned count;
};

static unsigned draw(struct draft *draft, unsigned below) {
    draft->choices = draft->choices * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)((draft->choices >> 33) % below);
}

static void add(struct draft *draft, const char *text) {
    for (; *text && draft->size < LONGEST - 1; text++)
        draft->text[draft->size++] = *text;
    draft->text[draft->size] = 0;
}

static void add_one_of(struct draft *draft, const char *const *texts, unsigned count) {
    add(draft, texts[draw(draft, count)]);
}
#define ADD_ONE_OF(draft, ...)                                                      \
    do {                                                                            \
        static const char *const texts_[] = {__VA_ARGS__};                          \
        add_one_of(draft, texts_, (unsigned)(sizeof texts_ / sizeof *texts_)); \
    } while (0)

/* ---- printf ---- */

static void add_argument(struct draft *draft, uint64_t value, untaken_label label) {
    draft->arguments[draft->count] = value;
    draft->labels[draft->count++] = label;
}

static void add_number(struct play *play, struct draft *draft, bool is_long) {
    unsigned which = draw(draft, NUMBERS);
    int64_t value = play->numbers[which];
    untaken_label label = play->number_labels[which];
    if (is_long && label)
        label = term_extend(UNTAKEN_OP_SEXT, term_of_label(label), 64).label;
    add_argument(draft, is_long ? (uint64_t)value : (uint32_t)value, label);
}

static void add_width(struct draft *draft) {
    if (draw(draft, 6) == 0) {
        add(draft, "*");
        add_argument(draft, (uint64_t)(int64_t)((int)draw(draft, 13) - 4), 0);
    } else {
        ADD_ONE_OF(draft, "", "", "", "1", "3", "7");
    }
}

static void add_precision(struct draft *draft) {
    if (draw(draft, 6) == 0) {
        add(draft, ".*");
        add_argument(draft, (uint64_t)(int64_t)((int)draw(draft, 9) - 2), 0);
    } else {
        ADD_ONE_OF(draft, "", "", ".", ".0", ".2", ".5");
    }
}

/* Of strings, characters and integers without a precision: all that is followed, and stays so for other inputs. */
static void add_followed(struct play *play, struct draft *draft) {
    ADD_ONE_OF(draft, "", ":", "%%", "a b");
    add(draft, "%");
    ADD_ONE_OF(draft, "", "", "", "-", "0", "+", " ", "-0", "+-", "0 ");
    add_width(draft);
    switch (draw(draft, 4)) {
    case 0:
        add_precision(draft);
        add(draft, "s");
        add_argument(draft, (uintptr_t)(draw(draft, 2) ? play->left : play->right), 0);
        return;
    case 1:
        add(draft, "c");
        add_number(play, draft, false);
        return;
    case 2:
        ADD_ONE_OF(draft, "", "h", "hh");
        ADD_ONE_OF(draft, "d", "i", "u", "x", "X", "o");
        add_number(play, draft, false);
        return;
    default:
        ADD_ONE_OF(draft, "l", "ll", "j", "z", "t");
        ADD_ONE_OF(draft, "d", "i", "u", "x", "X", "o");
        add_number(play, draft, true);
    }
}

/* All else that takes an integer or a pointer. */
static void add_unfollowed(struct play *play, struct draft *draft) {
    ADD_ONE_OF(draft, "", ":", "%%", "%m");
    add(draft, "%");
    ADD_ONE_OF(draft, "", "#", "'", "I", "#-", "#0", "+#", "--", "00");
    add_width(draft);
    add_precision(draft);
    switch (draw(draft, 4)) {
    case 0:
        add(draft, "p");
        add_argument(draft, draw(draft, 2) ? 0 : 0x1234, 0);
        return;
    case 1:
        add(draft, "n");
        add_argument(draft, (uintptr_t)(play->output + 48), 0);
        return;
    default:
        ADD_ONE_OF(draft, "", "h", "hh", "l", "ll", "j", "z", "t");
        ADD_ONE_OF(draft, "d", "i", "u", "x", "X", "o");
        add_number(play, draft, draft->text[draft->size - 2] != 'h' && strchr("lljzt", draft->text[draft->size - 2]));
    }
}

static void print(struct play *play, struct draft *draft) {
    size_t room = draw(draft, 48);
    if (play->symbolic) {
        for (unsigned i = 0; i < ARGUMENTS; i++)
            pass(play, SELF(snprintf), 3 + i, draft->labels[i]);
        __untaken_varargs_call("ggg|gggggg", 9);
    }
    const uint64_t *values = draft->arguments;
    CALL(play, 32, snprintf, play->output, room, draft->text, values[0], values[1], values[2], values[3], values[4],
         values[5]);
}

#define PRINT(name, directive)                                               \
    static void play_print_##name(struct play *play) {                       \
        struct draft draft = {.choices = play->choices};                     \
        for (unsigned i = 1 + draw(&draft, 2); i > 0; i--)                    \
            directive(play, &draft);                                         \
        print(play, &draft);                                                 \
    }
PRINT(followed, add_followed)
PRINT(unfollowed, add_unfollowed)

/* ---- scanf ---- */

static void add_conversion(struct draft *draft) {
    ADD_ONE_OF(draft, "", "", " ", ",", "a", "%%", "\n");
    add(draft, "%");
    ADD_ONE_OF(draft, "", "", "", "*");
    switch (draw(draft, 4)) {
    case 0:
        ADD_ONE_OF(draft, "1", "2", "5", "15");
        ADD_ONE_OF(draft, "s", "[ab]", "[^b]", "[]a]", "[^]1]", "[0-9a]", "[a-]", "c");
        return;
    case 1:
        ADD_ONE_OF(draft, "c", "n", "hhn", "ln");
        return;
    default:
        ADD_ONE_OF(draft, "", "", "1", "2", "3", "9");
        ADD_ONE_OF(draft, "", "h", "hh", "l", "ll", "j", "z", "t");
        ADD_ONE_OF(draft, "d", "i", "u", "x", "X", "o");
    }
}

static const char *scan_format(struct play *play, struct draft *draft) {
    *draft = (struct draft){.choices = play->choices};
    for (unsigned i = 1 + draw(draft, 3); i > 0; i--)
        add_conversion(draft);
    ADD_ONE_OF(draft, "", "", " ", "b");
    return draft->text;
}

static void play_scan_string(struct play *play) {
    struct draft draft;
    const char *format = scan_format(play, &draft);
    CALL(play, 32, sscanf, play->left, format, play->output, play->output + 16, play->output + 32);
}

static void play_scan_stream(struct play *play) {
    struct draft draft;
    const char *format = scan_format(play, &draft);
    CALL(play, 32, fscanf, play->file, format, play->output, play->output + 16, play->output + 32);
    CALL(play, 32, fscanf, play->file, "%c", play->output + 48);
}

#define DIGITS "0123x-+ ,ab\n"
const struct scene format_scenes[] = {
    {"printf formats", "abAB", play_print_followed, .uses_stream = false},
    {"other printf formats", "abAB", play_print_unfollowed, .only_same = true},
    {"sscanf formats", DIGITS, play_scan_string, .uses_stream = false},
    {"fscanf formats", DIGITS, play_scan_stream, .uses_stream = true},
    {0},
};
