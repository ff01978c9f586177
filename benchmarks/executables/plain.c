// The interface of untaken.h for lifted programs that are run as they are: no input, and errors are printed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <untaken.h>

void untaken_report_error(const char *message)
{
    printf("error: %s\n", message);
    exit(3);
}

void untaken_input(void *object, size_t size, const char *name)
{
    (void)name;
    memset(object, 0, size);
}

void untaken_input_bool(_Bool *value, const char *name) { untaken_input(value, sizeof *value, name); }
void untaken_input_uchar(unsigned char *value, const char *name) { untaken_input(value, sizeof *value, name); }
void untaken_input_ushort(unsigned short *value, const char *name) { untaken_input(value, sizeof *value, name); }
void untaken_input_uint(unsigned *value, const char *name) { untaken_input(value, sizeof *value, name); }
void untaken_input_ulong(unsigned long *value, const char *name) { untaken_input(value, sizeof *value, name); }
