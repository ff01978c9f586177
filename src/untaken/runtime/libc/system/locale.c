/* A model of setlocale. The locale that programs set at their beginning is loaded before their first run
 * (process/server.c). So the C library looks for no files when they do, and would leave errno alone, where it leaves in the
 * plain program what the last file that is not there gave it. */
#include "libc/model.h"
#include "process/process.h"

#include <errno.h>
#include <locale.h>
#include <string.h>

static bool has_set; /* in this run: what is loaded is loaded */

char *untaken_model_setlocale(int category, const char *locale) {
    char *result = setlocale(category, locale);
    bool loads = result != NULL && locale != NULL && locale[0] == '\0';
    if (loads && !has_set && untaken_locale_errno != 0) {
        errno = untaken_locale_errno;
    }
    has_set |= loads;
    if (locale != NULL) {
        model_not_followed(SELF(setlocale), "setlocale", locale, strlen(locale) + 1, NULL, 0);
    }
    return result;
}
