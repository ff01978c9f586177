/* What the models of wide and multibyte characters share. */
#ifndef UNTAKEN_LIBC_WIDE_CHARACTERS_WIDE_CHARACTERS_H
#define UNTAKEN_LIBC_WIDE_CHARACTERS_WIDE_CHARACTERS_H

#include "libc/model.h"

#include <wchar.h>

/* Decides whether a character, of any width, is one of ASCII; one that is not is pinned. */
bool wide_is_ascii(term character);

#endif
