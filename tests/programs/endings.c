// checks: every way to end: handlers, destructors and unflushed output, exit codes of more than a byte, _exit
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int code;

static void first_handler(void) { printf("first handler, code %d\n", code); }

static void second_handler(void) { fputs("second handler\n", stdout); }

__attribute__((destructor)) static void destructor(void) { printf("destructor"); }

static unsigned char folded(void) {
    unsigned char data[64], sum = 0;
    ssize_t size = read(0, data, sizeof data);
    for (ssize_t i = 0; i < size; i++)
        sum = (unsigned char)(sum * 31 + data[i]);
    return sum;
}

int main(void) {
    unsigned char way = folded();
    atexit(first_handler);
    atexit(second_handler);
    code = way * 5;
    printf("way %d, not flushed", way % 4);
    switch (way % 4) {
    case 0: return code;
    case 1: exit(code);
    case 2: fflush(stdout); _exit(code);
    default: quick_exit(code);
    }
}
