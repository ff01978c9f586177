/* Which file a name means; for sources.c and the models of files. */
#ifndef UNTAKEN_INPUT_NAMES_H
#define UNTAKEN_INPUT_NAMES_H

#include <stdbool.h>

#define UNTAKEN_NAME_SIZE 1024 /* threads may have small stacks; a longer one is not resolved */

/* Writes the path, without links and dots, of what a name means that is looked up from a folder (a descriptor, or
 * AT_FDCWD). `last_link`: if what it comes to is a link itself, that is followed, too. False if there is no such path. */
bool untaken_resolve_name(int directory, const char *name, bool last_link, char *path);

#endif
