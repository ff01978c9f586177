/* Inputs of a program under test. Each call takes the next bytes of the input and stores them; run by hand, the
 * input is the file that the environment variable UNTAKEN_INPUT names, and zeros after its end. */
#ifndef UNTAKEN_H
#define UNTAKEN_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#define UNTAKEN_BOOL bool
#define UNTAKEN_NORETURN [[noreturn]]
#else
#define UNTAKEN_BOOL _Bool
#define UNTAKEN_NORETURN _Noreturn
#endif

/* Any object, or any part of one. */
void untaken_input(void *object, size_t size, const char *name);
/* Ends the run if the condition does not hold; such a run is no test. */
void untaken_assume(UNTAKEN_BOOL condition);
/* Ends the run as a finding, with these words. */
UNTAKEN_NORETURN void untaken_report_error(const char *message);

/* int x; untaken_int(&x); and so on: the field is named after the argument. */
#define untaken_bool(pointer) untaken_input_bool((pointer), #pointer)
#define untaken_char(pointer) untaken_input_char((pointer), #pointer)
#define untaken_schar(pointer) untaken_input_schar((pointer), #pointer)
#define untaken_uchar(pointer) untaken_input_uchar((pointer), #pointer)
#define untaken_short(pointer) untaken_input_short((pointer), #pointer)
#define untaken_ushort(pointer) untaken_input_ushort((pointer), #pointer)
#define untaken_int(pointer) untaken_input_int((pointer), #pointer)
#define untaken_uint(pointer) untaken_input_uint((pointer), #pointer)
#define untaken_long(pointer) untaken_input_long((pointer), #pointer)
#define untaken_ulong(pointer) untaken_input_ulong((pointer), #pointer)
#define untaken_longlong(pointer) untaken_input_longlong((pointer), #pointer)
#define untaken_ulonglong(pointer) untaken_input_ulonglong((pointer), #pointer)
#define untaken_size(pointer) untaken_input_size((pointer), #pointer)
#define untaken_float(pointer) untaken_input_float((pointer), #pointer)
#define untaken_double(pointer) untaken_input_double((pointer), #pointer)

void untaken_input_bool(UNTAKEN_BOOL *pointer, const char *name);
void untaken_input_char(char *pointer, const char *name);
void untaken_input_schar(signed char *pointer, const char *name);
void untaken_input_uchar(unsigned char *pointer, const char *name);
void untaken_input_short(short *pointer, const char *name);
void untaken_input_ushort(unsigned short *pointer, const char *name);
void untaken_input_int(int *pointer, const char *name);
void untaken_input_uint(unsigned int *pointer, const char *name);
void untaken_input_long(long *pointer, const char *name);
void untaken_input_ulong(unsigned long *pointer, const char *name);
void untaken_input_longlong(long long *pointer, const char *name);
void untaken_input_ulonglong(unsigned long long *pointer, const char *name);
void untaken_input_size(size_t *pointer, const char *name);
void untaken_input_float(float *pointer, const char *name);
void untaken_input_double(double *pointer, const char *name);

#ifdef __cplusplus
}
#endif
#endif
