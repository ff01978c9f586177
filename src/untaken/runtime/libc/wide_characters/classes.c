/* Models of the classes and cases of wide characters: as those of characters, where these are ASCII. Whether they
 * are is a decision; what is not is pinned, for it is up to the locale. */
#define _GNU_SOURCE
#include "libc/wide_characters/wide_characters.h"

#include <wctype.h>

bool wide_is_ascii(term character) {
    term ascii = term_binary(UNTAKEN_OP_ULT, character, term_constant(character.width, 0x80));
    if (character.label)
        untaken_decide(UNTAKEN_LIBRARY, ascii, 0);
    if (!ascii.value)
        untaken_pin_term(character);
    return ascii.value != 0;
}

/* ---- Classes ---- */

typedef int classify(wint_t character);

/* `member` is any member: the others have the same result. */
static int classified(void *self, enum character_class which, classify *real, wint_t member, wint_t character) {
    int result = real(character);
    untaken_label label;
    if (!model_begin(self, &label, 1))
        return result;
    term value = model_argument(label, 32, character), known = term_constant(32, (uint32_t)result);
    if (value.label && wide_is_ascii(value)) {
        term inside = character_in_class(which, term_extract(value, 0, 8));
        known = term_ite(inside, term_constant(32, (uint32_t)real(member)), term_constant(32, 0));
    }
    model_end(self, known, (uint32_t)result);
    return result;
}

#define CLASS_MODEL(function, which, member) \
    int untaken_model_##function(wint_t character) { return classified(SELF(function), which, function, member, character); }

CLASS_MODEL(iswalnum, CLASS_ALNUM, 'a')
CLASS_MODEL(iswalpha, CLASS_ALPHA, 'a')
CLASS_MODEL(iswblank, CLASS_BLANK, ' ')
CLASS_MODEL(iswcntrl, CLASS_CNTRL, 1)
CLASS_MODEL(iswdigit, CLASS_DIGIT, '0')
CLASS_MODEL(iswgraph, CLASS_GRAPH, 'a')
CLASS_MODEL(iswlower, CLASS_LOWER, 'a')
CLASS_MODEL(iswprint, CLASS_PRINT, 'a')
CLASS_MODEL(iswpunct, CLASS_PUNCT, '.')
CLASS_MODEL(iswspace, CLASS_SPACE, ' ')
CLASS_MODEL(iswupper, CLASS_UPPER, 'A')
CLASS_MODEL(iswxdigit, CLASS_XDIGIT, '0')

/* ---- Case ---- */

typedef wint_t recase(wint_t character);

/* The letters of ASCII from `first` on, 26 of them, are moved by `distance`; in some locales not all of them are. */
static wint_t recased(void *self, recase *real, wint_t first, int distance, wint_t character) {
    wint_t result = real(character);
    untaken_label label;
    if (!model_begin(self, &label, 1))
        return result;
    term value = model_argument(label, 32, character), known = term_constant(32, result);
    bool usual = real(first + 8) == first + 8 + (wint_t)distance; /* the letter i */
    if (value.label && wide_is_ascii(value) && usual) {
        term moved = term_binary(UNTAKEN_OP_ADD, value, term_constant(32, (uint32_t)distance));
        known = term_ite(term_between(value, first, first + 25), moved, value);
    }
    model_end(self, known, result);
    return result;
}

wint_t untaken_model_towlower(wint_t character) { return recased(SELF(towlower), towlower, 'A', 'a' - 'A', character); }
wint_t untaken_model_towupper(wint_t character) { return recased(SELF(towupper), towupper, 'a', 'A' - 'a', character); }
