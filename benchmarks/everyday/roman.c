// Sums of Roman and decimal numbers: `XIV + 3 = ` on a line gives the result in Roman numerals.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static int digit(char c)
{
    switch (toupper((unsigned char)c)) {
    case 'I': return 1;
    case 'V': return 5;
    case 'X': return 10;
    case 'L': return 50;
    case 'C': return 100;
    case 'D': return 500;
    case 'M': return 1000;
    default: return 0;
    }
}

static void to_roman(int number, char *out)
{
    static const struct {
        int value;
        const char *text;
    } table[] = {{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"},
                 {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}};
    *out = '\0';
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        while (number >= table[i].value) {
            strcat(out, table[i].text);
            number -= table[i].value;
        }
}

static int from_roman(const char *text, int length)
{
    int total = 0;
    char again[32], upper[32];
    if (length > 20)
        return -1;
    for (int i = 0; i < length; i++) {
        int value = digit(text[i]), next = i + 1 < length ? digit(text[i + 1]) : 0;
        if (!value)
            return -1;
        total += value < next ? -value : value;
        upper[i] = (char)toupper((unsigned char)text[i]);
    }
    upper[length] = '\0';
    if (total <= 0 || total >= 4000)
        return -1;
    to_roman(total, again);
    return strcmp(again, upper) == 0 ? total : -2;
}

static int number(const char **at)
{
    const char *start = *at;
    int value = 0;
    if (isdigit((unsigned char)**at)) {
        while (isdigit((unsigned char)**at)) {
            value = value * 10 + (**at - '0');
            if (value > 3999)
                return -3;
            ++*at;
        }
        return value;
    }
    while (isalpha((unsigned char)**at))
        ++*at;
    if (*at == start)
        return -4;
    return from_roman(start, (int)(*at - start));
}

static void skip_blanks(const char **at)
{
    while (**at == ' ')
        ++*at;
}

int main(void)
{
    char text[64], out[32];
    if (!fgets(text, sizeof text, stdin))
        return 1;
    const char *at = text;
    int total = 0, sign = 1, terms = 0;
    for (;;) {
        skip_blanks(&at);
        int value = number(&at);
        if (value < 0) {
            if (value == -2)
                puts("not written as it should be");
            else if (value == -3)
                puts("too large");
            else if (value == -4)
                puts("number expected");
            else
                puts("not a Roman number");
            return 2;
        }
        total += sign * value;
        terms++;
        skip_blanks(&at);
        if (*at == '+')
            sign = 1;
        else if (*at == '-')
            sign = -1;
        else
            break;
        at++;
    }
    if (*at != '=' && *at != '\n' && *at != '\0') {
        puts("operator expected");
        return 2;
    }
    if (total < 0) {
        putchar('-');
        total = -total;
    }
    if (total == 0)
        puts("nulla");
    else if (total > 3999)
        puts("beyond Rome");
    else {
        to_roman(total, out);
        puts(out);
        if (terms > 2 && strlen(out) > 6)
            puts("a long one");
    }
    return 0;
}
