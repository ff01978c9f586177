/* Conditions that have a static feature, and others that do not; a comment names each for the test. */
#include <stdio.h>
#include <untaken.h>

static int counter;

static int helper(const int *place, int limit) {
    if (*place == limit) /* pointer */
        return 1;
    return 0;
}

int main(void) {
    char text[8];
    int number, other, sum = 0;
    untaken_input(text, sizeof text, "text");
    untaken_int(&number);
    untaken_int(&other);
    for (int i = 0; i < number; i++) /* loop */
        if (text[i % 8] == 'x')      /* character */
            sum++;
    if (number > 1000) /* large */
        sum++;
    if (number == other) /* locals */
        sum += 2;
    if (getchar() == 7) /* external */
        sum += 3;
    if (counter == 5) { /* global */
        if (other > 5)  /* nested */
            sum++;
    }
    switch (other) { /* case */
    case 1:
        sum += 4;
        break;
    }
    return sum + helper(&number, other);
}
