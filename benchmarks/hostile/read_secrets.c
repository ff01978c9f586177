/* Looks for secrets in its environment. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "hostile.h"

static void attack(unsigned char choice) {
    (void)choice;
    for (char **word = environ; *word; word++) {
        if (strstr(*word, "TOKEN") || strstr(*word, "SECRET") || strstr(*word, "SSH_AUTH_SOCK")) {
            abort();
        }
    }
}
