/* Scenes with patterns, wide and multibyte characters, and the order of a locale. */
#define _GNU_SOURCE
#include "harness.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#define MODEL(function) extern __typeof__(function) untaken_model_##function;
MODEL(strcoll)
MODEL(fnmatch)
MODEL(iswalpha)
MODEL(iswdigit)
MODEL(iswspace)
MODEL(iswupper)
MODEL(iswpunct)
MODEL(towlower)
MODEL(towupper)
MODEL(btowc)
MODEL(wctob)
MODEL(mbrtowc)
MODEL(mbtowc)
MODEL(mblen)
MODEL(mbrlen)
MODEL(mbstowcs)
MODEL(wcslen)
MODEL(wcscmp)
MODEL(wcsncmp)
MODEL(wcschr)
MODEL(wcscpy)
MODEL(fgetwc)

static void play_strcoll(struct play *play) { CALL(play, 32, strcoll, play->left, play->right); }

/* Patterns are drawn too, but have no labels. */
static void play_fnmatch(struct play *play) {
    static const char *const parts[] = {"*", "?", "a", "b", "[ab]", "[!a]", "[^b.]", "\\a", "\\*", "/", ".", "[a-c/]",
                                        "[]a]", "[[:alpha:]]", "[", "A", "**", "*.", "[a", "[\\]b]"};
    static const int flags[] = {0, FNM_PATHNAME, FNM_PERIOD, FNM_NOESCAPE, FNM_CASEFOLD, FNM_PATHNAME | FNM_PERIOD};
    char pattern[48] = "";
    uint64_t choices = play->choices;
    for (unsigned i = choices % 5; i > 0; i--) {
        choices = choices * 6364136223846793005ull + 1442695040888963407ull;
        strcat(pattern, parts[(choices >> 33) % (sizeof parts / sizeof *parts)]);
    }
    CALL(play, 32, fnmatch, pattern, play->left + 19, flags[play->choices / 8 % 6]);
}

#define CHARACTER(function)                        \
    do {                                           \
        pass(play, SELF(function), 0, label);      \
        CALL(play, 32, function, number);          \
    } while (0)

static void play_classes(struct play *play) {
    for (unsigned index = 0; index < 4; index++) {
        wint_t number = (unsigned char)play->left[index];
        term byte = play->symbolic ? untaken_memory_byte(play->left + index) : term_constant(8, 0);
        untaken_label label = byte.label ? term_extend(UNTAKEN_OP_ZEXT, byte, 32).label : 0;
        CHARACTER(iswalpha);
        CHARACTER(iswdigit);
        CHARACTER(iswspace);
        CHARACTER(iswupper);
        CHARACTER(iswpunct);
        CHARACTER(towlower);
        CHARACTER(towupper);
        CHARACTER(wctob);
        pass(play, SELF(btowc), 0, label);
        CALL(play, 32, btowc, (int)number);
    }
}

static void play_multibyte(struct play *play) {
    mbstate_t state = {0}, other = {0};
    size_t size = play->choices % 4;
    CALL(play, 64, mbrtowc, (wchar_t *)(void *)play->output, play->left, size, &state);
    CALL(play, 32, mbtowc, (wchar_t *)(void *)(play->output + 8), play->left + 1, size);
    CALL(play, 32, mblen, play->left + 2, size);
    CALL(play, 64, mbrlen, play->left + 3, size, &other);
}

static void play_mbstowcs(struct play *play) {
    CALL(play, 64, mbstowcs, (wchar_t *)(void *)play->output, play->left + 10, play->choices % 16);
    CALL(play, 64, mbstowcs, NULL, play->right + 10, 0);
}

/* Strings of up to five characters, made of bytes. */
static const wchar_t *wide(struct play *play, const char *bytes, char *to) {
    for (unsigned index = 0; index < 5; index++) {
        wchar_t character = (unsigned char)bytes[index];
        memcpy(to + 4 * index, &character, sizeof character);
        if (play->symbolic) {
            term byte = untaken_memory_byte(bytes + index);
            untaken_memory_store(to + 4 * index, 4, byte.label ? term_extend(UNTAKEN_OP_ZEXT, byte, 32).label : 0);
        }
    }
    memset(to + 20, 0, sizeof(wchar_t));
    untaken_memory_clear(to + 20, sizeof(wchar_t));
    return (const wchar_t *)(const void *)to;
}

static void play_wide_strings(struct play *play) {
    const wchar_t *left = wide(play, play->left, play->output), *right = wide(play, play->right, play->output + 24);
    CALL(play, 64, wcslen, left);
    CALL(play, 32, wcscmp, left, right);
    CALL(play, 32, wcsncmp, left, right, play->choices % 6);
    CALL(play, 64, wcschr, left, L'a');
}

static void play_wcscpy(struct play *play) {
    const wchar_t *left = wide(play, play->left, play->output);
    CALL(play, 64, wcscpy, (wchar_t *)(void *)(play->output + 24), left);
}

static void play_fgetwc(struct play *play) {
    for (unsigned index = 0; index < 12; index++)
        CALL(play, 32, fgetwc, play->file);
}

#define LETTERS "abAB"
const struct scene wide_scenes[] = {
    {"strcoll", LETTERS, play_strcoll, .uses_stream = false},
    {"fnmatch", "aabcA./*", play_fnmatch, .uses_stream = false},
    {"wide classes", "aZ 09\t_~\x80", play_classes, .uses_stream = false},
    {"multibyte", "aZ 0\x80\xc3\xa4", play_multibyte, .uses_stream = false},
    {"mbstowcs", "aZ 0z", play_mbstowcs, .uses_stream = false},
    {"wide strings", LETTERS, play_wide_strings, .uses_stream = false},
    {"wcscpy", LETTERS, play_wcscpy, .uses_stream = false},
    {"fgetwc", "aZ 0\n", play_fgetwc, .uses_stream = true},
    {0},
};
