/* Models of what a program maps, or gives back, or takes the rights of: what can be read changes so. */
#define _GNU_SOURCE
#include "input/streams.h"
#include "libc/model.h"
#include "process/process.h"

#include <sys/mman.h>

static void record_mapping(void *self, void *mapping, size_t size, int flags, int descriptor, off64_t offset) {
    untaken_label labels[6];
    if (!model_begin(self, labels, 6))
        return;
    model_pin(labels[1], size);
    model_pin(labels[5], (uint64_t)offset);
    struct untaken_stream *stream = flags & MAP_ANONYMOUS ? NULL : untaken_stream_of_fd(descriptor);
    if (mapping != MAP_FAILED) {
        if (untaken_memory_symbolic(mapping, size))
            untaken_memory_clear(mapping, size);
        untaken_object_add(mapping, size);
        uint64_t start = (uint64_t)offset, end = stream ? stream->size : 0;
        if (start < end)
            stream_label(stream, start, mapping, end - start < size ? end - start : size);
        else if (!stream && !(flags & MAP_ANONYMOUS))
            descriptor_note_unseen(descriptor, "mmap");
    }
    model_end_concrete(self);
}

/* One that is new, and that no file and no other process has a part in. */
static bool is_apart(const void *address, int flags) {
    return address == NULL && (flags & ~(MAP_NORESERVE | MAP_POPULATE | MAP_STACK)) == (MAP_PRIVATE | MAP_ANONYMOUS);
}

#define MMAP_MODEL(function, type)                                                                                 \
    void *untaken_model_##function(void *address, size_t size, int access, int flags, int descriptor, type offset) { \
        void *mapping = function(address, size, access, flags, descriptor, offset);                                \
        if (flags & MAP_FIXED)                                                                                     \
            untaken_rights_changed();                                                                              \
        if (mapping != MAP_FAILED)                                                                                 \
            untaken_reuse_note_mapping(mapping, size, is_apart(address, flags));                                   \
        if (access & PROT_READ)                                                                                    \
            record_mapping(SELF(function), mapping, size, flags, descriptor, offset);                              \
        return mapping;                                                                                            \
    }

MMAP_MODEL(mmap, off_t)
MMAP_MODEL(mmap64, off64_t)

/* What is left of the mapping, before and behind. */
static void shorten_object(uintptr_t begin, uintptr_t end) {
    const void *start;
    uint64_t size;
    if (!untaken_find_object((const void *)begin, &start, &size) || !untaken_is_block(start))
        return;
    uintptr_t first = (uintptr_t)start, last = first + size;
    untaken_object_remove(start);
    if (first < begin)
        untaken_object_add(start, begin - first);
    if (end < last)
        untaken_object_add((const void *)end, last - end);
}

int untaken_model_munmap(void *mapping, size_t size) {
    untaken_label labels[2];
    untaken_rights_changed();
    int result = munmap(mapping, size);
    if (result == 0)
        untaken_reuse_note_unmapping(mapping, size);
    if (model_begin(SELF(munmap), labels, 2)) {
        model_pin_pointer(labels[0], mapping);
        model_pin(labels[1], size);
        if (result == 0) {
            shorten_object((uintptr_t)mapping, (uintptr_t)mapping + size);
            if (untaken_memory_symbolic(mapping, size))
                untaken_memory_clear(mapping, size);
        }
        model_end_concrete(SELF(munmap));
    }
    return result;
}

/* Pages that are only reserved at first become a mapping when they can be read. */
static void record_rights(void *self, void *address, size_t size, int access, int result) {
    untaken_label labels[3];
    const void *start;
    uint64_t known;
    if (!model_begin(self, labels, 3))
        return;
    model_pin_pointer(labels[0], address);
    model_pin(labels[1], size);
    if (labels[2])
        untaken_pin_term(model_argument(labels[2], 32, (uint32_t)access));
    if (result == 0 && access & PROT_READ && !untaken_find_object(address, &start, &known))
        untaken_object_add(address, size);
    model_end_concrete(self);
}

int untaken_model_mprotect(void *address, size_t size, int access) {
    untaken_rights_changed();
    int result = mprotect(address, size, access);
    record_rights(SELF(mprotect), address, size, access, result);
    return result;
}

static void record_remapping(void *self, void *old, size_t old_size, void *mapping, size_t size) {
    untaken_label labels[4];
    if (!model_begin(self, labels, 4))
        return;
    model_pin_pointer(labels[0], old);
    model_pin(labels[1], old_size);
    model_pin(labels[2], size);
    if (mapping != MAP_FAILED) {
        shorten_object((uintptr_t)old, (uintptr_t)old + old_size);
        untaken_object_add(mapping, size);
        untaken_memory_copy(mapping, old, old_size < size ? old_size : size);
        if (mapping != old)
            untaken_memory_clear(old, old_size);
    }
    model_end_concrete(self);
}

void *untaken_model_mremap(void *old, size_t old_size, size_t size, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    void *wanted = flags & MREMAP_FIXED ? va_arg(arguments, void *) : NULL;
    va_end(arguments);
    untaken_rights_changed();
    void *mapping = mremap(old, old_size, size, flags, wanted);
    record_remapping(SELF(mremap), old, old_size, mapping, size);
    return mapping;
}
