// checks: a program that ends while a thread, or a child of its own, is still at work
// flags: -pthread
#include <pthread.h>
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

static volatile int counter;

static void *work(void *nothing) {
    for (;;)
        counter++;
    return nothing;
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
    pthread_t thread;
    fflush(stdout);
    if (byte & 1) {
        if (pthread_create(&thread, NULL, work, NULL) != 0)
            return 2;
    }
    if (byte & 2) {
        pid_t child = fork();
        if (child < 0)
            return 3;
        if (child == 0) {
            close(1);
            close(2);
            usleep(50000);
            _exit(0);
        }
    }
    if (byte > 100)
        puts("large");
    return byte & 3;
}
