/* Random numbers of the system, and the files that they are read from. */
#ifndef UNTAKEN_LIBC_SYSTEM_RANDOM_H
#define UNTAKEN_LIBC_SYSTEM_RANDOM_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* Whether a file gives random numbers, which are to be the same in each run. */
bool is_random_file(const char *name);
void random_file_opened(void); /* a descriptor for such a file */
/* After a read: what came from such a file becomes what it is in each run. */
void random_file_read(int descriptor, void *to, ssize_t size);
FILE *random_file_stream(void);

#endif
