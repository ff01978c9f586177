/* Decisions for the dynamic features; a comment names each for the test. */
#include <untaken.h>

static int ten(const unsigned char *in) {
    int sum = 0;
    for (int i = 15; i < 18; i++)
        if (in[i] == 'x') /* in ten */
            sum++;
    if (sum == 4) sum++;
    if (sum == 5) sum++;
    return sum > 1 ? sum : 3;
}

static int six(int sum) {
    if (sum == 40) sum++;
    if (sum == 50) sum++;
    return sum > 20 ? sum : 7;
}

static int two(int sum) {
    return sum > 90 ? sum : 1;
}

static int one_more(int sum) {
    return sum > 80 ? sum : 2;
}

int main(void) {
    unsigned char in[20];
    int sum = 0;
    untaken_input(in, sizeof in, "in");
    for (int i = 0; i < 10; i++)
        if (in[i] == 'a') /* item */
            sum++;
    if (in[10] == 'b') /* gate */
        if (in[11] == 'c') /* inner */
            sum += ten(in);
    if (in[12] == 'd') /* far */
        sum += six(sum);
    if (in[13] == 'e') /* lone */
        sum += two(sum);
    if (in[13] == 'f') /* other */
        sum += one_more(sum);
    return sum;
}
