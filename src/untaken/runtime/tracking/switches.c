/* Switches: each case is a branch, asked for in order as if they were a chain of ifs.
 *
 * While a program wanders all that events are good for is coverage, and most of those of a switch say nothing new: what
 * is known of each switch tells that from the value, mostly at once. */
#include "trace/trace.h"
#include "tracking/tracking.h"

#define FEW_CASES (UNTAKEN_EVENT_SLACK / 2)
#define KNOWN_SWITCHES 256u
#define FILTER_WORDS 4u
#define FILTER_BITS (64u * FILTER_WORDS)

struct known_switch {
    const struct untaken_switch *cases;
    const uint8_t *covered; /* of its first branch; the others follow */
    uint32_t refused;       /* cases, from the first on, that are known to have been asked for in vain */
    uint64_t filter[FILTER_WORDS]; /* the bits of its values: a value whose bit is not set is none of them */
};
static struct known_switch known_switches[KNOWN_SWITCHES];

static inline unsigned filter_bit(uint64_t value) {
    return (unsigned)((value * 0x9e3779b97f4a7c15ull) >> 56) % FILTER_BITS;
}

/* Where the coverage of the switch begins; null if some of its cases have none. */
static const uint8_t *coverage_of(const struct untaken_switch *cases) {
    uint32_t first = (uint32_t)(uintptr_t)cases->first;
    const uint8_t *last = untaken_coverage_of(first + 2 * cases->count - 1);
    return last == NULL ? NULL : untaken_coverage_of(first);
}

/* False if it cannot be known; of several threads none may change what the others look at. */
__attribute__((noinline)) static bool learn(struct known_switch *known, const struct untaken_switch *cases) {
    const uint8_t *covered = cases->first == NULL || !untaken_one_thread() ? NULL : coverage_of(cases);
    if (covered == NULL) {
        return false;
    }
    *known = (struct known_switch){.cases = cases, .covered = covered};
    for (uint32_t i = 0; i < cases->count; i++) {
        unsigned bit = filter_bit(cases->values[i]);
        known->filter[bit / 64] |= 1ull << bit % 64;
    }
    return true;
}

/* Which case matches; their number, if none does. */
static inline uint32_t case_of(uint64_t value, const struct known_switch *known) {
    unsigned bit = filter_bit(value);
    uint32_t index = 0, count = known->cases->count;
    if ((known->filter[bit / 64] >> bit % 64 & 1) == 0) {
        return count;
    }
    while (index < count && known->cases->values[index] != value) {
        index++;
    }
    return index;
}

/* Whether a switch covers nothing new. */
static inline bool is_old_news(uint64_t value, const struct untaken_switch *cases) {
    struct known_switch *known = &known_switches[(uintptr_t)cases / 16 % KNOWN_SWITCHES];
    if (known->cases != cases && !learn(known, cases)) {
        return false;
    }
    uint32_t index = case_of(value, known);
    while (known->refused < index && known->covered[2 * known->refused + 1] != 0) {
        known->refused++;
    }
    return known->refused >= index && (index == cases->count || known->covered[2 * index] != 0);
}

/* ---- Events and constraints ---- */

/* The events of a switch whose value is concrete, all at once: the slack is enough for them, and made good after. */
__attribute__((noinline)) static void emit_cases(uint64_t value, const struct untaken_switch *cases) {
    uint32_t *cursor = __untaken_room(), event = (uint32_t)(uintptr_t)cases->first;
    for (uint32_t i = 0; i < cases->count; i++, event += 2) {
        if (cases->values[i] == value) {
            *cursor++ = event;
            break;
        }
        *cursor++ = event + 1;
    }
    __untaken_cursor = cursor;
    (void)__untaken_room();
}

/* Decisions of inline library code have no id. */
static enum untaken_constraint_kind branch_kind(uint32_t id) { return id != 0 ? UNTAKEN_BRANCH : UNTAKEN_LIBRARY; }

static void decide_case(term value, const struct untaken_switch *cases, uint32_t index, uint32_t event) {
    term constant = term_constant((uint8_t)cases->width, cases->values[index]);
    untaken_decide(branch_kind(event), term_binary(UNTAKEN_OP_EQ, value, constant), event);
}

/* Case by case: those with constraints, those that are no branches of the source, and too many for the slack. */
__attribute__((noinline)) static void ask_cases(untaken_label label, uint64_t value, const struct untaken_switch *cases) {
    bool symbolic = label != 0 && runtime_begin();
    term selector = symbolic ? term_believed(label, cases->width, value) : term_constant((uint8_t)cases->width, value);
    for (uint32_t i = 0; i < cases->count; i++) {
        bool matches = cases->values[i] == selector.value;
        uint32_t event = cases->first == NULL ? 0 : (uint32_t)(uintptr_t)(cases->first + 2 * (uint64_t)i + !matches);
        if (symbolic) {
            decide_case(selector, cases, i, event);
        }
        if (event != 0) {
            untaken_emit(event);
        }
        if (matches) {
            break;
        }
    }
    if (symbolic) {
        runtime_leave();
    }
}

void __untaken_switch(untaken_label label, uint64_t value, const struct untaken_switch *cases) {
    if (untaken_state.wandering && is_old_news(value, cases)) {
        return;
    }
    if (label != 0 || cases->first == NULL || cases->count > FEW_CASES) {
        ask_cases(label, value, cases);
    } else {
        emit_cases(value, cases);
    }
}
