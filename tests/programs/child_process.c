// checks: a child process made by fork, a pipe back from it, and waiting for it
#include "collection.h"
#include <sys/wait.h>

static uint32_t compute(uint32_t value) { return value % 7 == 3 ? value * 3 : value ^ 0x1234; }

int main(void)
{
    read_input();
    int ends[2];
    if (pipe(ends))
        abort();
    fflush(stdout);
    pid_t child = fork();
    if (child < 0)
        abort();
    if (child == 0) {
        uint32_t answer = compute(u32(0));
        ssize_t written = write(ends[1], &answer, sizeof answer);
        _exit(written == sizeof answer ? u8(4) & 31 : 40);
    }
    uint32_t answer = 0;
    expect(read(ends[0], &answer, sizeof answer) == sizeof answer);
    int status;
    expect(waitpid(child, &status, 0) == child);
    show("answer", answer);
    expect(answer == compute(u32(0)));
    show("status", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    return finish();
}
