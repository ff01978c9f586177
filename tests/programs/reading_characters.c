// checks: stdin through getchar, ungetc, fread and getc, whatever its length
#include "collection.h"

static int peek(void)
{
    int c = getchar();
    if (c != EOF)
        ungetc(c, stdin);
    return c;
}

int main(void)
{
    int c, words = 0, inside = 0;
    while ((c = getchar()) != EOF && c != ';') {
        int letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (letter && !inside)
            words++;
        inside = letter;
        if (c == '\\' && peek() == '\\')
            (void)getchar();
    }
    show("words", words);
    show("stopped at", c);
    unsigned char block[8];
    size_t got = fread(block, 1, sizeof block, stdin);
    show("block", (long long)got);
    unsigned sum = 0;
    for (size_t i = 0; i < got; i++)
        sum = sum * 3 + block[i];
    show("sum", sum);
    int left = 0;
    while (getc(stdin) != EOF)
        left++;
    show("left", left);
    return finish();
}
