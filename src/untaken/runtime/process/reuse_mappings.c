/* What is mapped in a process that has many runs: noted in the server, and put back after each run, see reuse.c. */
#define _GNU_SOURCE
#include "process/reuse.h"

#include <string.h>
#include <sys/mman.h>

#define MOST_UNMAPPINGS 4u /* of one process, unless most of its runs go without */

/* ---- In the server ---- */

static bool is_of_reuse(const struct untaken_mapping *mapping) {
    uintptr_t begin = (uintptr_t)untaken_reuse;
    return mapping->begin < begin + sizeof *untaken_reuse && begin < mapping->end;
}

void untaken_reuse_add_mapping(const struct untaken_mapping *mapping) {
    if (untaken_reuse->mapped_count < MOST_MAPPINGS) {
        untaken_reuse->mapped[untaken_reuse->mapped_count] = *mapping;
    }
    untaken_reuse->mapped_count++;
    if (mapping->is_written && !is_of_reuse(mapping) && untaken_reuse_written_count <= MOST_RANGES) {
        if (untaken_reuse_written_count < MOST_RANGES) {
            untaken_reuse_written[untaken_reuse_written_count] = *mapping;
        }
        untaken_reuse_written_count++;
    }
}

uint64_t untaken_reuse_pages_before(void) {
    uint64_t count = 0;
    for (unsigned i = 0; i < untaken_reuse->mapped_count && i < MOST_MAPPINGS; i++) {
        count += (untaken_reuse->mapped[i].end - untaken_reuse->mapped[i].begin) / UNTAKEN_PAGE;
    }
    return count;
}

/* ---- During a run ---- */

/* What the run has mapped and not given back, where nobody but the process sees it. */
static struct stretch of_run[MOST_OF_RUN];
static unsigned of_run_count;

void untaken_reuse_forget_mappings(void) { of_run_count = 0; }

bool untaken_reuse_has_mapped(void) { return of_run_count > 0; }

void untaken_reuse_note_mapping(const void *mapping, size_t size, bool is_apart) {
    uintptr_t begin = (uintptr_t)mapping;
    if (is_apart && of_run_count < MOST_OF_RUN) {
        of_run[of_run_count++] = (struct stretch){begin, begin + size};
    } else {
        __untaken_left_traces = 1;
    }
}

/* Anything else may have been there before the run. */
void untaken_reuse_note_unmapping(const void *mapping, size_t size) {
    uintptr_t begin = (uintptr_t)mapping;
    for (unsigned i = 0; i < of_run_count; i++) {
        if (of_run[i].begin == begin && of_run[i].end == begin + size) {
            of_run[i] = of_run[--of_run_count];
            return;
        }
    }
    __untaken_left_traces = 1;
}

/* ---- After a run ---- */

static void note_left(uintptr_t begin, uintptr_t end) {
    struct comparison *found = &untaken_reuse->comparison;
    if (begin < end && found->left_count < MOST_LEFT) {
        found->left[found->left_count] = (struct stretch){begin, end};
    }
    found->left_count += begin < end;
}

/* Mappings that touch may have become one, or one may have become several. */
static void compare_mapping(const struct untaken_mapping *now) {
    struct comparison *found = &untaken_reuse->comparison;
    uintptr_t begin = now->begin;
    while (found->at < untaken_reuse->mapped_count && untaken_reuse->mapped[found->at].end <= begin) {
        found->at++;
    }
    for (; found->at < untaken_reuse->mapped_count && untaken_reuse->mapped[found->at].begin < now->end; found->at++) {
        const struct untaken_mapping *before = &untaken_reuse->mapped[found->at];
        uintptr_t from = before->begin > begin ? before->begin : begin;
        uintptr_t to = before->end < now->end ? before->end : now->end;
        note_left(begin, from);
        found->still_there += (to - from) / UNTAKEN_PAGE;
        found->is_alike &= is_of_reuse(now) || memcmp(now->rights, before->rights, sizeof now->rights) == 0;
        begin = to;
        if (before->end > now->end) {
            break;
        }
    }
    note_left(begin, now->end);
}

/* All are found before the first goes: the C library's locale, which numbers are read with, may be one of them. */
static bool is_rest_unmapped(void) {
    struct comparison *found = &untaken_reuse->comparison;
    *found = (struct comparison){.is_alike = true};
    untaken_each_mapping(compare_mapping);
    bool whole = found->is_alike && found->still_there == untaken_reuse->size && found->left_count <= MOST_LEFT;
    for (unsigned i = 0; whole && i < found->left_count; i++) {
        whole = munmap((void *)found->left[i].begin, found->left[i].end - found->left[i].begin) == 0;
    }
    return whole;
}

/* To do that after each run takes longer than to fork a process for it. */
static bool is_unmapping_rare(void) {
    untaken_reuse->has_unmapped = true;
    return ++untaken_reuse->unmappings <= MOST_UNMAPPINGS || 2 * untaken_reuse->unmappings < untaken_reuse->runs;
}

bool untaken_reuse_put_mappings_back(void) {
    uint64_t size = untaken_mapped_pages(), before = untaken_reuse->size;
    return size != 0 && (size == before || (untaken_reuse->knows_mappings && is_unmapping_rare() && is_rest_unmapped()));
}
