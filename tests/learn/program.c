/* Small, but not covered by always flipping the last decision: what counts lies at the beginning. */
#include <untaken.h>

static int deep(const unsigned char *in) {
    int sum = 0;
    if (in[1] == 3) sum++;
    if (in[2] > 100) sum += 2;
    if (in[3] == in[2]) sum += 4;
    switch (in[4]) {
    case 9: return sum + 1;
    case 17: return sum + 2;
    case 33: return sum + 3;
    }
    return sum;
}

int main(void) {
    unsigned char in[16];
    int sum = 0;
    untaken_input(in, sizeof in, "in");
    if (in[0] == 'a') sum += deep(in);
    if (in[0] == 'b') sum += in[5] > 7 ? 1 : 2;
    for (int i = 6; i < 16; i++)
        if (in[i] == 'x') sum++;
    return sum;
}
