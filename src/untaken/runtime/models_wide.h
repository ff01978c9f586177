/* What the models of wide and multibyte characters share. */
#ifndef UNTAKEN_MODELS_WIDE_H
#define UNTAKEN_MODELS_WIDE_H

#include "models.h"

#include <wchar.h>

/* Decides whether a character, of any width, is one of ASCII; one that is not is pinned. */
bool wide_is_ascii(term character);

#endif
