// A matching engine: buy and sell orders by price and time, cancels, market orders. B 10 100 / S 5 90 / X 1 / M B 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct order { int id, quantity, price, live; char side; };
static struct order book[8];
static int count, trades, volume;

static int best(char side) {
    int found = -1;
    for (int i = 0; i < count; i++) {
        if (!book[i].live || book[i].side != side) continue;
        if (found < 0) found = i;
        else if (side == 'B' ? book[i].price > book[found].price : book[i].price < book[found].price) found = i;
    }
    return found;
}

static int match(char side, int quantity, int price, int market) {
    char other = side == 'B' ? 'S' : 'B';
    while (quantity > 0) {
        int i = best(other);
        if (i < 0) break;
        if (!market && (side == 'B' ? book[i].price > price : book[i].price < price)) break;
        int filled = quantity < book[i].quantity ? quantity : book[i].quantity;
        quantity -= filled;
        book[i].quantity -= filled;
        if (book[i].quantity == 0) book[i].live = 0;
        else printf("partial\n");
        trades++;
        volume += filled;
    }
    return quantity;
}

static void limit(char side, int quantity, int price) {
    if (quantity <= 0 || quantity > 1000) { puts("bad quantity"); return; }
    if (price <= 0 || price > 10000) { puts("bad price"); return; }
    quantity = match(side, quantity, price, 0);
    if (quantity == 0) { puts("filled"); return; }
    if (count == 8) {
        int i;
        for (i = 0; i < 8 && book[i].live; i++) {}
        if (i == 8) { puts("full"); return; }
        memmove(book + i, book + i + 1, sizeof *book * (size_t)(7 - i));
        count--;
    }
    book[count] = (struct order){.id = count + 1, .quantity = quantity, .price = price, .live = 1, .side = side};
    count++;
}

int main(void) {
    char kind[4], side[4];
    int a, b;
    while (scanf("%3s", kind) == 1) {
        if (strcmp(kind, "B") == 0 || strcmp(kind, "S") == 0) {
            if (scanf("%d %d", &a, &b) != 2) { puts("numbers"); return 1; }
            limit(kind[0], a, b);
        } else if (strcmp(kind, "M") == 0) {
            if (scanf("%3s %d", side, &a) != 2) { puts("market"); return 1; }
            if (side[0] != 'B' && side[0] != 'S') { puts("side"); continue; }
            int left = match(side[0], a, 0, 1);
            if (left == a) puts("no market");
            else if (left > 0) puts("thin market");
        } else if (strcmp(kind, "X") == 0) {
            if (scanf("%d", &a) != 1) { puts("which"); return 1; }
            int i;
            for (i = 0; i < count && book[i].id != a; i++) {}
            if (i == count) puts("unknown order");
            else if (!book[i].live) puts("too late");
            else book[i].live = 0;
        } else if (strcmp(kind, "Q") == 0) {
            int bid = best('B'), ask = best('S');
            if (bid >= 0 && ask >= 0) {
                int spread = book[ask].price - book[bid].price;
                if (spread < 0) abort();
                if (spread == 1) puts("tight");
                else printf("%d\n", spread);
            } else if (bid >= 0) puts("bids only");
            else if (ask >= 0) puts("asks only");
            else puts("empty");
            if (trades > 3) puts("busy");
            if (volume >= 100) puts("heavy");
        } else { puts("what"); return 1; }
    }
    return 0;
}
