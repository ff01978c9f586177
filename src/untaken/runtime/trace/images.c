/* Images, and what their events mean: turns addresses into ids, and marks coverage. */
#include "memory/memory.h"
#include "process/process.h"
#include "trace/trace.h"

#include <string.h>

#define LARGEST_IMAGE_COUNT 256u

struct image {
    const uint8_t *ids;
    uint64_t size;
    uint64_t first_id;
};
static struct image images[LARGEST_IMAGE_COUNT]; /* the executable first */
static unsigned image_count;
static uint64_t id_count;

static bool is_registered(const uint8_t *ids) {
    for (unsigned i = 0; i < image_count; i++) {
        if (images[i].ids == ids) {
            return true;
        }
    }
    return false;
}

void __untaken_register_image(const uint8_t *ids, const uint8_t *ids_end, const struct untaken_global *globals,
                              const struct untaken_global *globals_end) {
    if (untaken_startup == NULL || is_registered(ids)) {
        return;
    }
    untaken_globals_add(globals, globals_end);
    /* What is loaded in the middle of a run has no ids: the driver knows of no such branches. */
    if (ids == ids_end || image_count == LARGEST_IMAGE_COUNT || untaken_state.in_run) {
        return;
    }
    uint64_t size = (uint64_t)(ids_end - ids);
    images[image_count++] = (struct image){ids, size, id_count};
    id_count += size;
    if (untaken_shared != NULL) {
        untaken_shared->id_count = id_count;
    }
}

/* Numbers the images before the first run: the executable first, then the others by their digests, so that the
 * driver need not know in which order the loader took them. */
void untaken_images_number(const uint8_t *executable) {
    unsigned others = image_count > 0 && images[0].ids == executable ? 1 : 0;
    for (unsigned end = others + 1; end < image_count; end++) {
        struct image moved = images[end];
        unsigned at = end;
        for (; at > others && memcmp(images[at - 1].ids, moved.ids, UNTAKEN_DIGEST_SIZE) > 0; at--) {
            images[at] = images[at - 1];
        }
        images[at] = moved;
    }
    uint64_t first = 0;
    for (unsigned i = 0; i < image_count; i++) {
        images[i].first_id = first;
        first += images[i].size;
    }
}

/* The id, or 0 if the event is none, and what kind of byte it names. */
static inline uint32_t decode(uint32_t event, uint8_t *kind) {
    for (const struct image *image = images; image < images + image_count; image++) {
        uint32_t offset = event - (uint32_t)(uintptr_t)image->ids;
        if (offset < image->size) {
            *kind = image->ids[offset];
            return *kind == 0 ? 0 : (uint32_t)(image->first_id + offset);
        }
    }
    *kind = 0;
    return 0;
}

uint32_t untaken_event_id(uint32_t event) {
    uint8_t kind;
    return decode(event, &kind);
}

uint8_t untaken_event_kind(uint32_t event) {
    uint8_t kind;
    (void)decode(event, &kind);
    return kind;
}

bool untaken_cover(uint32_t id) {
    if (id == 0 || id >= untaken_shared->coverage.capacity || untaken_state.coverage[id] != 0) {
        return false;
    }
    untaken_state.coverage[id] = 1;
    return true;
}

const uint8_t *untaken_coverage_of(uint32_t event) {
    uint32_t id = untaken_event_id(event);
    return id != 0 && id < untaken_shared->coverage.capacity ? &untaken_state.coverage[id] : NULL;
}

static bool cover_event(uint32_t event) {
    uint8_t kind;
    bool covered = untaken_cover(decode(event, &kind));
    untaken_shared->new_ids += covered;
    return covered && kind == UNTAKEN_ID_BRANCH;
}

/* Most events of a long run are of the executable, whose ids come first, and were seen before. */
uint64_t untaken_cover_events(const uint32_t *begin, const uint32_t *end) {
    const uint8_t *coverage = untaken_state.coverage;
    uint32_t first = (uint32_t)(uintptr_t)images[0].ids;
    uint64_t size = images[0].size, capacity = untaken_shared->coverage.capacity, branches = 0;
    size = size < capacity ? size : capacity;
    for (const uint32_t *event = begin; event < end; event++) {
        uint32_t offset = *event - first;
        if (offset >= size || coverage[offset] == 0) {
            branches += cover_event(*event);
        }
    }
    return branches;
}

struct untaken_known_ids untaken_known_ids(void) {
    uint64_t size = images[0].size, capacity = untaken_shared->coverage.capacity;
    return (struct untaken_known_ids){images[0].ids, untaken_state.coverage, size < capacity ? size : capacity};
}

uint64_t untaken_finish_event(uint32_t *event, uint8_t *kind) {
    *event = decode(*event, kind);
    return untaken_cover(*event);
}
