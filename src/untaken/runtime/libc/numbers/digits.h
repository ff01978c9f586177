/* Whole numbers as text, as strtol and scanf read them: what of the text decides, and what value that gives. */
#ifndef UNTAKEN_LIBC_NUMBERS_DIGITS_H
#define UNTAKEN_LIBC_NUMBERS_DIGITS_H

#include "libc/model.h"

/* A number in text: where its parts are, and how they were read. */
struct number {
    const char *text;
    const char *sign;   /* after the blanks: where a sign would be */
    const char *digits; /* after sign and prefix */
    const char *end;    /* after the last digit; digits == end: no number (or a prefix without digits) */
    const char *limit;  /* what is here or behind is not read any more; null: there is no such limit */
    const char *prefix; /* where "0x" would be, or null if the base has no prefix */
    unsigned base;
    bool any_base; /* the text says which: 0x, 0 */
    bool binary;   /* "0b" is a prefix, too */
    bool negative;
    bool prefixed;
};

/* Takes the same steps as the real function: text, limit and binary are given; false for a base that does not exist. */
bool number_read(struct number *number, int base);
bool number_symbolic(const struct number *number);
/* The text behind a number, which a longer number would take, too. */
struct number_source {
    term (*byte)(const void *context, uint64_t index);  /* from the number's end on */
    term (*there)(const void *context, uint64_t index); /* one bit: there is so much; if not, bytes may have any value */
    const void *context;
    uint64_t room; /* there can be so many bytes */
};
/* Decides that there are not more digits: taken the other way, the number begins, or goes on, or goes on for long; and
 * that it is not negative, if it has no sign. */
void number_decide_more(const struct number *number, const struct number_source *source);
/* Of a string: its symbolic bytes from there on, as far as a few places. */
struct number_source number_source_of_string(const char *end);
/* One bit: blanks, sign, prefix and digits are such as they are. */
term number_shape(const struct number *number);
/* For a number in a string: decides its shape, and that there are not more digits. */
void number_decide(const struct number *number);
/* The value, of 64 bits, for all numbers of this shape. Digits that might overflow are pinned: then it is
 * `concrete`. */
term number_term(const struct number *number, uint64_t concrete);
/* wanted_numbers.c: what such a number is compared with in vain is noted from now on. `narrow` is its value without the
 * sign, in as many bits as it needs. */
void note_read_number(const struct number *number, term narrow);

/* A number that may have a fraction and an exponent. How it is written is decided. */
struct fraction {
    const char *text;
    const char *sign; /* after the blanks */
    const char *end;
    bool any; /* there is a number; else `end` is where a digit would make one */
};

/* text is given; `end` is where the real function stopped. */
void fraction_read(struct fraction *fraction, const char *end);
/* Decides that the number does not begin, go on, go on for long, have a fraction, or have a sign, where it does not. */
void fraction_decide_more(const struct fraction *fraction, const struct number_source *source);
/* One bit: blanks and the characters of the number are of the kind that they are. */
term fraction_shape(const struct fraction *fraction);
/* Decides both, for a number in a string; false if nothing is symbolic there. */
bool fraction_decide(const struct fraction *fraction);
/* Under that the value, the bits of a float or double; unchanged if there is no number. False if it is not followed,
 * and then its characters are pinned: it has many digits, a large exponent, or is hexadecimal. */
bool fraction_term(const struct fraction *fraction, uint8_t width, term *value);

#endif
