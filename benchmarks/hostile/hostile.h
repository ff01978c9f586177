/* The beginning of each hostile program: on half of all inputs it attacks, and there is something else to explore. */
#include <untaken.h>

static void attack(unsigned char choice);

int main(void) {
    unsigned char choice, other;
    untaken_uchar(&choice);
    untaken_uchar(&other);
    if (choice > 127) {
        attack(choice);
    }
    if (choice == 77) {
        return 3;
    }
    return other == 5 ? 4 : 0;
}
