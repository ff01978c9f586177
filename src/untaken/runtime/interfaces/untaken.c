/* The public interface of untaken.h: each function takes a field of the input. */
#include "abi.h"
#include "include/untaken.h"
#include "interfaces/primitives.h"

/* The macros of untaken.h name a field after the argument's text, "&x". */
static const char *field_name(const char *text) { return *text == '&' ? text + 1 : text; }

void untaken_input(void *object, size_t size, const char *name) {
    untaken_fill(object, size, UNTAKEN_FIELD_BYTES, name);
}

void untaken_assume(UNTAKEN_BOOL condition) { untaken_require((void *)untaken_assume, 0, condition); }

void untaken_report_error(const char *message) { untaken_fail(message); }

void untaken_input_bool(UNTAKEN_BOOL *pointer, const char *name) { untaken_fill_bool(pointer, field_name(name)); }

#define TYPED_INPUT(function, type, kind)                               \
    void function(type *pointer, const char *name) {                    \
        untaken_fill(pointer, sizeof *pointer, kind, field_name(name)); \
    }

TYPED_INPUT(untaken_input_char, char, UNTAKEN_FIELD_CHARACTER)
TYPED_INPUT(untaken_input_schar, signed char, UNTAKEN_FIELD_SIGNED)
TYPED_INPUT(untaken_input_uchar, unsigned char, UNTAKEN_FIELD_UNSIGNED)
TYPED_INPUT(untaken_input_short, short, UNTAKEN_FIELD_SIGNED)
TYPED_INPUT(untaken_input_ushort, unsigned short, UNTAKEN_FIELD_UNSIGNED)
TYPED_INPUT(untaken_input_int, int, UNTAKEN_FIELD_SIGNED)
TYPED_INPUT(untaken_input_uint, unsigned int, UNTAKEN_FIELD_UNSIGNED)
TYPED_INPUT(untaken_input_long, long, UNTAKEN_FIELD_SIGNED)
TYPED_INPUT(untaken_input_ulong, unsigned long, UNTAKEN_FIELD_UNSIGNED)
TYPED_INPUT(untaken_input_longlong, long long, UNTAKEN_FIELD_SIGNED)
TYPED_INPUT(untaken_input_ulonglong, unsigned long long, UNTAKEN_FIELD_UNSIGNED)
TYPED_INPUT(untaken_input_size, size_t, UNTAKEN_FIELD_UNSIGNED)
TYPED_INPUT(untaken_input_float, float, UNTAKEN_FIELD_FLOAT)
TYPED_INPUT(untaken_input_double, double, UNTAKEN_FIELD_FLOAT)
