/* Scenes that scan stdin and strings by formats. */
#define _GNU_SOURCE
#include "harness.h"

#include <stdio.h>
#include <string.h>

#define MODEL(function) extern __typeof__(function) untaken_model_##function;
MODEL(fscanf)
MODEL(sscanf)
MODEL(strtod)
MODEL(strtof)
MODEL(fgetc)
MODEL(feof)
#undef feof
#undef fgetc

/* All formats store to two places, 16 bytes apart; some leave one of them alone. */
static const char *const NUMBERS_FORMATS[] = {"%d%d", "%d %*d %ld", "%i%i", "%x%o", "%2d%hd", "%u,%d", " %d-%d ", "%hhd%n"};
static const char *const TEXT_FORMATS[] = {"%s%s",      "%3s%3c", "%c %c",   "%*s %s",  "%[ab]%[^b]",
                                           "%5[a-b1]%c", "a%c b%c", "%%%s%d", "%[]a]%s", "%15c%s"};
static const char *const FRACTION_FORMATS[] = {"%lf%d", " %f %f", "%*lf,%2d", "%*f %*f%d"};
#define COUNT(array) (sizeof(array) / sizeof *(array))

static void scan_stream(struct play *play, const char *const *formats, unsigned count) {
    const char *first = formats[play->choices % count], *second = formats[play->choices / 16 % count];
    CALL(play, 32, fscanf, play->file, first, play->output, play->output + 16);
    CALL(play, 32, feof, play->file);
    CALL(play, 32, fscanf, play->file, second, play->output + 32, play->output + 48);
    CALL(play, 32, fgetc, play->file);
    CALL(play, 32, feof, play->file);
}

static void play_fscanf_numbers(struct play *play) { scan_stream(play, NUMBERS_FORMATS, COUNT(NUMBERS_FORMATS)); }
static void play_fscanf_text(struct play *play) { scan_stream(play, TEXT_FORMATS, COUNT(TEXT_FORMATS)); }

static void play_sscanf_numbers(struct play *play) {
    CALL(play, 32, sscanf, play->left, NUMBERS_FORMATS[play->choices % COUNT(NUMBERS_FORMATS)], play->output,
         play->output + 32);
}

static void play_sscanf_text(struct play *play) {
    CALL(play, 32, sscanf, play->left, TEXT_FORMATS[play->choices % COUNT(TEXT_FORMATS)], play->output,
         play->output + 32);
}

static void play_fscanf_fractions(struct play *play) { scan_stream(play, FRACTION_FORMATS, COUNT(FRACTION_FORMATS)); }

static void play_sscanf_fractions(struct play *play) {
    CALL(play, 32, sscanf, play->left, play->choices % 2 ? "%lf" : "%f", play->output);
}

/* Of a value that is not a number there are many; which one is read is not followed. */
static void play_strtod(struct play *play) {
    char *end;
    double value = play->symbolic ? untaken_model_strtod(play->left, &end) : strtod(play->left, &end);
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    note(play, play->symbolic ? SELF(strtod) : NULL, 64, bits);
    note(play, NULL, 64, (uintptr_t)end);
}

static void play_strtof(struct play *play) {
    char *end;
    float value = play->symbolic ? untaken_model_strtof(play->left, &end) : strtof(play->left, &end);
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    note(play, play->symbolic ? SELF(strtof) : NULL, 32, bits);
}

#define DIGITS "0123x-+ ,\n"
#define FRACTIONS "01..-+ ,\n"
#define LETTERS "ab1]% \n"
const struct scene scan_scenes[] = {
    {"fscanf numbers", DIGITS, play_fscanf_numbers, true},
    {"fscanf fractions", FRACTIONS, play_fscanf_fractions, true},
    {"strtod", FRACTIONS "exiInN", play_strtod, false},
    {"strtof", "0123456789.", play_strtof, false},
    {"fscanf text", LETTERS, play_fscanf_text, true},
    {"sscanf numbers", DIGITS, play_sscanf_numbers, false},
    {"sscanf fractions", "0123456789..-", play_sscanf_fractions, false},
    {"sscanf text", LETTERS, play_sscanf_text, false},
    {0},
};
