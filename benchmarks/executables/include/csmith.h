/* What programs of csmith include, for processors without a C library: they compute, and leave it in memory. */
#ifndef CSMITH_H
#define CSMITH_H

#include <limits.h>
#include <stdint.h>

#define UNDEFINED(value) (value)
#define LOG_INDEX
#define LOG_EXEC
#define STATIC static
#include "safe_math_macros_notmp.h"

volatile uint32_t crc32_context;

static void transparent_crc(uint32_t value, const char *name, int flag)
{
    (void)name;
    (void)flag;
    crc32_context = (crc32_context << 5 | crc32_context >> 27) ^ value;
}

#define crc32_gentab()
#define platform_main_begin()
#define platform_main_end(value, flag)
#define printf(...)

#endif
