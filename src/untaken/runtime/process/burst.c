/* A burst: many runs for one request, each on an input that is changed at random, until one of them shows something.
 *
 * Most random changes show nothing. To hand each of their runs over to the driver and to wait for the next request takes
 * longer than such a run, so a process that is used again goes on by itself. What shows something: an id that no run had
 * covered, one that was passed as often as in no run before, a crash. Then the burst ends, and its last input is still
 * there. It also ends after some time, where a process cannot be used again, or where a run may have left files that the
 * driver has to remove: then the driver asks for the rest.
 *
 * Numbers of passes are told apart roughly, as in AFL: 1, 2, 3, up to 7, 15, 31, 127, and more. Each sort has a bit. */
#include "input/input.h"
#include "process/process.h"

#include <string.h>
#include <sys/stat.h>

#define LONGEST_MS 20 /* so that whoever waits can look at the clock */

/* ---- How often a run passed each id ---- */

static uint8_t sort_of(uint8_t passes) {
    unsigned sort = passes < 4 ? passes : passes < 8 ? 4 : passes < 16 ? 5 : passes < 32 ? 6 : passes < 128 ? 7 : 8;
    return (uint8_t)(1u << (sort - 1));
}

static inline bool is_counted(uint32_t id) { return id != 0 && id < untaken_shared->passes.capacity; }

static void count_passes(const uint32_t *ids, uint64_t count) {
    uint8_t *tallies = untaken_state.tallies;
    for (uint64_t i = 0; i < count; i++) {
        if (is_counted(ids[i]) && tallies[ids[i]] != UINT8_MAX) {
            tallies[ids[i]]++;
        }
    }
}

/* Each id is looked at once, at the first of its events: then its tally is 0 again. */
static bool note_passes(const uint32_t *ids, uint64_t count) {
    uint8_t *tallies = untaken_state.tallies, news = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (is_counted(ids[i]) && tallies[ids[i]] != 0) {
            uint8_t sort = sort_of(tallies[ids[i]]), *seen = &untaken_state.passes[ids[i]];
            tallies[ids[i]] = 0;
            news |= (uint8_t)(sort & ~*seen);
            *seen |= sort;
        }
    }
    return news != 0;
}

/* ---- Files that a run left ---- */

/* Changes when entries of a directory come or go, and with its rights. The clock of a file system may be too coarse to
 * tell; the size is not. One that cannot be looked at is never the same. */
static uint64_t state_of(const char *path) {
    static uint64_t unknown;
    struct stat found;
    return stat(path, &found) != 0 ? ++unknown + untaken_shared->run_count
                                   : (uint64_t)found.st_mtim.tv_sec * 1000000000u + (uint64_t)found.st_mtim.tv_nsec +
                                         (uint64_t)found.st_size * 0x9e3779b97f4a7c15ull +
                                         (uint64_t)found.st_mode * 0xd1342543de82ef95ull;
}

static uint64_t state_of_watched(void) {
    uint64_t state = 0;
    const char *path = untaken_shared->watched, *end = path + sizeof untaken_shared->watched;
    for (size_t length; (length = strnlen(path, (size_t)(end - path))) > 0 && path + length < end; path += length + 1) {
        state = state * 31 + state_of(path);
    }
    return state;
}

/* ---- The burst ---- */

static bool is_burst(void) { return (untaken_shared->run_flags & UNTAKEN_RUN_BURST) != 0; }

void untaken_burst_begin(void) {
    if (is_burst()) {
        untaken_server_shared->burst_until = untaken_now_ms() + LONGEST_MS;
        untaken_server_shared->burst_files = state_of_watched();
    }
}

void untaken_burst_prepare_run(void) {
    struct untaken_shared *shared = untaken_shared;
    if (is_burst()) {
        shared->input_size = untaken_changed_input(untaken_state.burst, shared->random_seed, shared->burst_done,
                                                   untaken_state.input, shared->input.capacity);
    }
}

/* How often a run that was late passed something is a matter of time. */
void untaken_burst_end_run(void) {
    struct untaken_shared *shared = untaken_shared;
    if (!is_burst()) {
        return;
    }
    shared->burst_done++;
    shared->burst_short += shared->exit_kind == UNTAKEN_EXIT_INPUTS;
    shared->burst_long += shared->exit_kind == UNTAKEN_EXIT_LENGTH;
    if (shared->exit_kind != UNTAKEN_EXIT_TIMEOUT) {
        count_passes(untaken_state.events, shared->event_count);
        shared->passed_oftener = note_passes(untaken_state.events, shared->event_count);
    }
}

static bool shows_something(void) {
    const struct untaken_shared *shared = untaken_shared;
    uint32_t kind = shared->exit_kind;
    bool is_harmless = kind == UNTAKEN_EXIT_CODE || kind == UNTAKEN_EXIT_ASSUME || kind == UNTAKEN_EXIT_INPUTS ||
                       kind == UNTAKEN_EXIT_LENGTH;
    return shared->new_ids != 0 || shared->passed_oftener != 0 || !is_harmless;
}

bool untaken_burst_goes_on(void) {
    return is_burst() && !shows_something() && untaken_shared->burst_done < untaken_shared->burst_end &&
           untaken_reuse_is_possible() && untaken_now_ms() < untaken_server_shared->burst_until &&
           untaken_server_shared->burst_files == state_of_watched();
}
