/* The public interface of crest.h, which programs that were written for CREST call. */
#include "abi.h"
#include "include/crest.h"
#include "interfaces/primitives.h"

#define CREST_INPUT(function, type, kind, name) \
    void function(type *x) { untaken_fill(x, sizeof *x, kind, name); }

CREST_INPUT(__CrestUChar, unsigned char, UNTAKEN_FIELD_UNSIGNED, "unsigned char")
CREST_INPUT(__CrestUShort, unsigned short, UNTAKEN_FIELD_UNSIGNED, "unsigned short")
CREST_INPUT(__CrestUInt, unsigned int, UNTAKEN_FIELD_UNSIGNED, "unsigned int")
CREST_INPUT(__CrestChar, char, UNTAKEN_FIELD_CHARACTER, "char")
CREST_INPUT(__CrestShort, short, UNTAKEN_FIELD_SIGNED, "short")
CREST_INPUT(__CrestInt, int, UNTAKEN_FIELD_SIGNED, "int")
