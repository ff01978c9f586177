/* Ends by a signal that has no name. */
#define _GNU_SOURCE
#include <signal.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    raise(40);
}
