// A lexer in miniature that asks for input for ever: nine characters, with anything between them, bring it into its
// last state, and only there the word "reset" is an error. Random inputs find the characters one by one but never the
// word; a search from the start finds the word but gets lost among the characters. It is figure 1 of the paper on hybrid
// concolic testing.
//
// shows: --strategy hybrid, on a program that never ends
// run: untaken run examples/reset.c --strategy hybrid
// expect: findings=1 args="--strategy hybrid"
#include <untaken.h>

#include <stdlib.h>

int main(void) {
    int state = 0;
    for (;;) {
        char c, s[6];
        untaken_char(&c);
        untaken_input(s, sizeof s, "s");
        if (c == '[' && state == 0) state = 1;
        if (c == '(' && state == 1) state = 2;
        if (c == '{' && state == 2) state = 3;
        if (c == '~' && state == 3) state = 4;
        if (c == 'a' && state == 4) state = 5;
        if (c == 'x' && state == 5) state = 6;
        if (c == '}' && state == 6) state = 7;
        if (c == ')' && state == 7) state = 8;
        if (c == ']' && state == 8) state = 9;
        if (s[0] == 'r' && s[1] == 'e' && s[2] == 's' && s[3] == 'e' && s[4] == 't' && s[5] == 0 && state == 9) {
            abort();
        }
    }
}
