// checks: a program that closes every descriptor and fills their numbers with files of its own
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define FIRST 3
#define LAST 90

static int files[LAST];

static void check(void) {
    char text[16];
    for (int fd = FIRST; fd < LAST; fd++) {
        ssize_t got = pread(files[fd], text, sizeof text, 0);
        if (got != 4 || memcmp(text, "mine", 4) != 0)
            printf("file %d holds %zd bytes\n", fd, got);
    }
    puts("checked");
}

static unsigned char folded(void) {
    unsigned char data[64], sum = 0;
    ssize_t size = read(0, data, sizeof data);
    for (ssize_t i = 0; i < size; i++)
        sum = (unsigned char)(sum * 31 + data[i]);
    return sum;
}

int main(void) {
    unsigned char byte = folded();
    for (int fd = FIRST; fd < 256; fd++)
        close(fd);
    int model = memfd_create("mine", 0);
    if (model < 0 || write(model, "mine", 4) != 4)
        return 2;
    for (int fd = FIRST; fd < LAST; fd++) {
        files[fd] = fd == model ? model : memfd_create("mine", 0);
        if (fd != model && write(files[fd], "mine", 4) != 4)
            return 3;
    }
    atexit(check);
    return byte > 100 ? 7 : 0;
}
