// Chess moves: a position of few pieces, moves like e2e4, Nf3, exd5, O-O; legality by piece.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char board[8][9] = {"R...K..R", "PPPPPPPP", "........", "........", "........", "........", "pppppppp", "r...k..r"};
static int white = 1, moves, king_moved[2], captures;

static int is_own(char piece) { return piece != '.' && (isupper((unsigned char)piece) != 0) == white; }

static int is_clear(int r, int c, int to_r, int to_c) {
    int dr = (to_r > r) - (to_r < r), dc = (to_c > c) - (to_c < c);
    for (r += dr, c += dc; r != to_r || c != to_c; r += dr, c += dc)
        if (board[r][c] != '.') return 0;
    return 1;
}

static int is_legal(int r, int c, int to_r, int to_c) {
    char piece = board[r][c], target = board[to_r][to_c];
    int dr = to_r - r, dc = to_c - c;
    if (!is_own(piece) || is_own(target)) return 0;
    switch (toupper((unsigned char)piece)) {
    case 'P': {
        int forward = white ? 1 : -1;
        if (dc == 0 && target == '.') {
            if (dr == forward) return 1;
            return dr == 2 * forward && r == (white ? 1 : 6) && board[r + forward][c] == '.';
        }
        return abs(dc) == 1 && dr == forward && target != '.';
    }
    case 'N': return abs(dr * dc) == 2;
    case 'R': return (dr == 0 || dc == 0) && is_clear(r, c, to_r, to_c);
    case 'Q': return (dr == 0 || dc == 0 || abs(dr) == abs(dc)) && is_clear(r, c, to_r, to_c);
    case 'K': return abs(dr) <= 1 && abs(dc) <= 1;
    }
    return 0;
}

static int make(int r, int c, int to_r, int to_c, char promotion) {
    if (!is_legal(r, c, to_r, to_c)) return -1;
    if (board[to_r][to_c] != '.') captures++;
    if (toupper((unsigned char)board[to_r][to_c]) == 'K') { puts("mate"); exit(0); }
    if (toupper((unsigned char)board[r][c]) == 'K') king_moved[white] = 1;
    board[to_r][to_c] = board[r][c];
    board[r][c] = '.';
    if (toupper((unsigned char)board[to_r][to_c]) == 'P' && (to_r == 0 || to_r == 7)) {
        if (promotion == 'N' || promotion == 'Q') board[to_r][to_c] = white ? promotion : (char)tolower(promotion);
        else return -2;
    }
    return 0;
}

static int castle(int is_long) {
    int r = white ? 0 : 7;
    if (king_moved[white]) return -3;
    if (toupper((unsigned char)board[r][4]) != 'K') return -4;
    if (!is_clear(r, 4, r, is_long ? 0 : 7)) return -5;
    board[r][is_long ? 2 : 6] = board[r][4];
    board[r][is_long ? 3 : 5] = board[r][is_long ? 0 : 7];
    board[r][4] = board[r][is_long ? 0 : 7] = '.';
    king_moved[white] = 1;
    return 0;
}

static int short_form(const char *text) {
    char piece = *text;
    int column = text[strlen(text) - 2] - 'a', row = text[strlen(text) - 1] - '1', from_r = -1, from_c = -1;
    if (column < 0 || column > 7 || row < 0 || row > 7) return -6;
    for (int r = 0; r < 8; r++)
        for (int c = 0; c < 8; c++)
            if (toupper((unsigned char)board[r][c]) == piece && is_legal(r, c, row, column)) {
                if (from_r >= 0) return -7;
                from_r = r;
                from_c = c;
            }
    if (from_r < 0) return -8;
    return make(from_r, from_c, row, column, 0);
}

static int move(const char *text) {
    size_t n = strlen(text);
    if (strcmp(text, "O-O") == 0) return castle(0);
    if (strcmp(text, "O-O-O") == 0) return castle(1);
    if (n >= 3 && strchr("NRQK", text[0])) {
        if (n == 4 && text[1] != 'x') return -9;
        return n > 4 ? -10 : short_form(text);
    }
    if (n != 4 && n != 5) return -11;
    int c = text[0] - 'a', r = text[1] - '1', to_c = text[2] - 'a', to_r = text[3] - '1';
    if ((c | r | to_c | to_r) & ~7) return -12;
    return make(r, c, to_r, to_c, n == 5 ? (char)toupper((unsigned char)text[4]) : 0);
}

int main(void) {
    char text[8];
    while (scanf("%7s", text) == 1) {
        int result = move(text);
        if (result < 0) { printf("illegal %d\n", result); return 1; }
        white = !white;
        moves++;
    }
    if (captures > 1) puts("bloody");
    if (moves > 6) puts("long");
    return 0;
}
