/* Memory, for the other rooms: the labels of its bytes, loads through symbolic addresses, and the objects in it. */
#ifndef UNTAKEN_MEMORY_MEMORY_H
#define UNTAKEN_MEMORY_MEMORY_H

#include "expressions/expressions.h"

#include <string.h>

/* ---- shadow.c: labels of memory --------------------------------------------------------------------------
 * Labels are checked against the bytes that are really there; a mismatch (uninstrumented code wrote there) drops
 * the label and is counted. */
term untaken_memory_byte(const void *address);
term untaken_memory_load(const void *address, uint32_t size); /* 1 to 8 bytes, little-endian */
term untaken_memory_loaded(const void *from, uint32_t size, uint64_t value);
bool untaken_memory_symbolic(const void *address, uint64_t size); /* any label in the range? fast if none */
void untaken_memory_store(void *address, uint32_t size, untaken_label label); /* label of 8 * size bits, or 0 */
void untaken_memory_clear(void *address, uint64_t size);
void untaken_memory_copy(void *to, const void *from, uint64_t size); /* labels only; ranges may overlap */
void untaken_memory_fill(void *to, uint64_t size, untaken_label lbyte); /* lbyte: of 8 bits or fewer, or 0 */

/* Characters and numbers without a call. */
static inline void copy_bytes(void *to, const void *from, uint64_t size) {
    switch (size) {
    case 1: memcpy(to, from, 1); break;
    case 2: memcpy(to, from, 2); break;
    case 4: memcpy(to, from, 4); break;
    case 8: memcpy(to, from, 8); break;
    default: memcpy(to, from, size);
    }
}

/* ---- loads.c ---- */
/* The label of what was loaded through a symbolic address. `changed` tells whether a range of memory was written
 * to since the load: then no table can be made of it. */
untaken_label untaken_load_indirect(term address, uint32_t size, uint64_t value, const void *object,
                                    uint64_t object_size, bool (*changed)(uint64_t start, uint64_t end, void *),
                                    void *context);

/* ---- readable.c ---- */
bool untaken_is_poisoned(const void *address); /* by AddressSanitizer, if the program has it */
bool untaken_is_readable(const void *address); /* whether the page that it is on is; the kernel is asked */
bool untaken_is_known_readable(const void *address); /* the same, remembered as long as the program changes no rights */
/* Narrows the places at which a load of so many bytes may begin to those that the program itself can read: they are
 * around the address where it has just read, in this object. Globals and locals stay readable unless the program
 * changes that; but blocks may have been given back by others, and of mappings the file may be shorter. */
void untaken_clip_to_readable(struct untaken_range *starts, uint64_t address, uint32_t size, const void *object);
/* What lies around the address between the red zones of AddressSanitizer, which has locals in one large frame. */
bool untaken_find_guarded(uint64_t address, const void **start, uint64_t *size);
void untaken_rights_changed(void); /* the program has taken rights to read away from itself, maybe */

/* ---- bounds.c: where memory ends; what is spoken of is pinned right behind ---- */
void untaken_bound_size(term size); /* of a block that was asked for */
void untaken_pin_count(term count, const void *to, const void *from); /* of bytes written; `from` may be null; pins it */
/* Bytes were read from, or written to, an address. */
void untaken_bound_access(term address, uint64_t bytes);
void untaken_bound_within(term address, uint64_t bytes, const void *start, uint64_t size); /* in this object */

/* ---- tables.c: contents of memory, for READ nodes ---- */
void untaken_tables_begin_run(void);
void untaken_tables_prefault(void);
/* Offset of the table with these contents, or UINT32_MAX if there is no room. */
uint32_t untaken_table_intern(uint32_t width, uint32_t count, const uint64_t *values, const uint32_t *entries);
/* Memory from `first` on, `count` places that lie 2^shift bytes apart; fewer than UNTAKEN_LARGEST_EXTENT bytes lie
 * between the first and the last. */
#define UNTAKEN_LARGEST_EXTENT 4096u
struct untaken_elements {
    uint64_t first;
    uint64_t count;
    uint32_t shift;
    uint32_t size; /* bytes read at each */
};
/* The table last made of these places, if they hold no labels and still the same values; else UINT32_MAX. */
uint32_t untaken_table_recall(const struct untaken_elements *places);
void untaken_table_remember(const struct untaken_elements *places, uint32_t offset);
uint64_t untaken_table_value(uint32_t offset, uint64_t index);

/* ---- objects.c: what a symbolic address may point into -------------------------------------------------- */
/* Finds the global or heap block that holds `address`. Heap blocks are known through the models of malloc, calloc,
 * realloc, free, strdup and the like, which keep a table of live blocks. */
bool untaken_find_object(const void *address, const void **start, uint64_t *size);
void untaken_object_add(const void *start, uint64_t size);
void untaken_object_remove(const void *start);
void untaken_objects_start(void);
void untaken_globals_add(const struct untaken_global *begin, const struct untaken_global *end);
void untaken_globals_sort(void); /* once, in the server: else each run would */
void untaken_object_sized(const void *start, term size); /* a block that was just added: its size as an expression */
void untaken_object_forget_size(const void *start);
bool untaken_is_block(const void *start); /* of the heap, or mapped; else a global */
uintptr_t untaken_object_sizes(uintptr_t address); /* where the sizes of heap blocks are kept from this one on */

#endif
