// An inventory with orders: commands add, order, pay, ship, cancel and stock change records and their states.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum state { OPEN, PAID, SHIPPED, CANCELLED };

struct item {
    char name[12];
    int stock, price;
};

struct order {
    int number, item, amount;
    enum state state;
};

static struct item items[4];
static struct order orders[6];
static int item_count, order_count, balance;

static struct item *find_item(const char *name)
{
    for (int i = 0; i < item_count; i++)
        if (strcmp(items[i].name, name) == 0)
            return &items[i];
    return NULL;
}

static struct order *find_order(int number)
{
    for (int i = 0; i < order_count; i++)
        if (orders[i].number == number)
            return &orders[i];
    return NULL;
}

static int add(const char *name, int stock, int price)
{
    struct item *item = find_item(name);
    if (stock < 0 || price < 0)
        return 1;
    if (item) {
        item->stock += stock;
        if (price)
            item->price = price;
        return 0;
    }
    if (item_count == 4)
        return 2;
    item = &items[item_count++];
    strcpy(item->name, name);
    item->stock = stock;
    item->price = price;
    return 0;
}

static int order(const char *name, int amount)
{
    struct item *item = find_item(name);
    if (!item)
        return 3;
    if (amount <= 0 || amount > item->stock)
        return 4;
    if (order_count == 6)
        return 2;
    item->stock -= amount;
    orders[order_count] = (struct order){order_count + 1, (int)(item - items), amount, OPEN};
    printf("order %d\n", orders[order_count++].number);
    return 0;
}

static int pay(int number, int amount)
{
    struct order *order = find_order(number);
    if (!order)
        return 5;
    if (order->state != OPEN)
        return 6;
    if (amount < order->amount * items[order->item].price)
        return 7;
    order->state = PAID;
    balance += amount;
    return 0;
}

static int ship(int number)
{
    struct order *order = find_order(number);
    if (!order)
        return 5;
    if (order->state == SHIPPED)
        return 8;
    if (order->state != PAID)
        return 6;
    order->state = SHIPPED;
    return 0;
}

static int cancel(int number)
{
    struct order *order = find_order(number);
    if (!order)
        return 5;
    switch (order->state) {
    case PAID:
        balance -= order->amount * items[order->item].price;
        break;
    case OPEN:
        break;
    case SHIPPED:
    case CANCELLED:
        return 6;
    }
    items[order->item].stock += order->amount;
    order->state = CANCELLED;
    return 0;
}

int main(void)
{
    char line[64], word[12], name[12];
    int first, second, errors = 0;
    while (fgets(line, sizeof line, stdin)) {
        int error = 0;
        if (sscanf(line, "%11s", word) != 1)
            continue;
        if (strcmp(word, "add") == 0) {
            if (sscanf(line, "%*s %11s %d %d", name, &first, &second) != 3)
                error = 9;
            else
                error = add(name, first, second);
        } else if (strcmp(word, "order") == 0) {
            if (sscanf(line, "%*s %11s %d", name, &first) != 2)
                error = 9;
            else
                error = order(name, first);
        } else if (strcmp(word, "pay") == 0) {
            if (sscanf(line, "%*s %d %d", &first, &second) != 2)
                error = 9;
            else
                error = pay(first, second);
        } else if (strcmp(word, "ship") == 0 || strcmp(word, "cancel") == 0) {
            if (sscanf(line, "%*s %d", &first) != 1)
                error = 9;
            else
                error = word[0] == 's' ? ship(first) : cancel(first);
        } else
            error = 10;
        if (error) {
            printf("error %d\n", error);
            errors++;
        }
    }
    if (balance > 500)
        puts("good business");
    else if (balance > 0 && errors == 0)
        puts("all went well");
    for (int i = 0; i < item_count; i++)
        if (items[i].stock == 0)
            printf("%s is sold out\n", items[i].name);
    return errors > 0;
}
