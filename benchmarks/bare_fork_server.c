/* The limit that a fork server in Python's hands is measured against: driver and server in C, nothing recorded.
 *
 *     bare_fork_server RUNS      prints seconds for that many runs of an empty child
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void serve(int control, int status) {
    char byte;
    while (read(control, &byte, 1) == 1) {
        pid_t pid = fork();
        if (pid == 0)
            exit(0);
        waitpid(pid, NULL, 0);
        if (write(status, "d", 1) != 1)
            return;
    }
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
    int runs = argc > 1 ? atoi(argv[1]) : 1000, control[2], status[2];
    if (pipe(control) || pipe(status))
        return 1;
    if (fork() == 0) {
        close(control[1]);
        serve(control[0], status[1]);
        return 0;
    }
    close(control[0]);
    double start = now();
    char byte;
    for (int i = 0; i < runs; i++)
        if (write(control[1], "r", 1) != 1 || read(status[0], &byte, 1) != 1)
            return 1;
    printf("%.9f\n", now() - start);
    return 0;
}
