/* The path constraint: which conditions held in this run. */
#include "core.h"

/* Records the condition under a negation instead, so that a condition and its negation are one node. */
static term without_negation(term condition) {
    const struct untaken_node *node = node_of(condition.label);
    if (node->op == UNTAKEN_OP_XOR && node->width == 1 && is_constant_node(node->b)) {
        return term_of_operand(node->a);
    }
    return condition;
}

/* The same node has the same value in the whole run: a second decision on it says nothing new. */
static bool decided_before(untaken_label label) {
    struct untaken_node *node = &untaken_core.nodes[label];
    bool before = node->reserved == untaken_core.epoch;
    node->reserved = untaken_core.epoch;
    return before;
}

void untaken_decide(enum untaken_constraint_kind kind, term condition, uint32_t id) {
    if (condition.label == 0 || !untaken_recording) {
        return;
    }
    condition = without_negation(condition);
    if (decided_before(condition.label)) {
        return;
    }
    uint64_t index = untaken_shared->constraint_count;
    if (index >= untaken_shared->constraints.capacity) {
        untaken_cut(UNTAKEN_CUT_CONSTRAINTS);
        return;
    }
    before_writing(&untaken_core.constraints[index]);
    untaken_core.constraints[index] = (struct untaken_constraint){
        .node = condition.label, .id = id, .position = untaken_event_position(), .kind = (uint8_t)kind,
        .taken = (uint8_t)condition.value};
    __atomic_store_n(&untaken_shared->constraint_count, index + 1, __ATOMIC_RELEASE);
}

void untaken_pin_term(term value) {
    if (value.label == 0 || !untaken_recording) {
        return;
    }
    untaken_shared->pins++;
    untaken_decide(UNTAKEN_PIN, term_binary(UNTAKEN_OP_EQ, value, term_constant(value.width, value.value)), 0);
}

/* Decisions of inline library code have no id. */
static enum untaken_constraint_kind branch_kind(uint32_t id) { return id != 0 ? UNTAKEN_BRANCH : UNTAKEN_LIBRARY; }

static void decide_case(term value, const struct untaken_switch *cases, uint32_t index, uint32_t event) {
    term constant = term_constant((uint8_t)cases->width, cases->values[index]);
    untaken_decide(branch_kind(event), term_binary(UNTAKEN_OP_EQ, value, constant), event);
}

#define FEW_CASES (UNTAKEN_EVENT_SLACK / 2)
#define KNOWN_SWITCHES 64u

/* Of a switch: how many cases, from the first on, are known to have been asked for in vain. */
static struct known_switch {
    const struct untaken_switch *cases;
    uint32_t refused;
} known_switches[KNOWN_SWITCHES];

/* Whether a switch would cover nothing new. While the program wanders that is all that its events are good for. */
static bool is_old_news(uint64_t value, const struct untaken_switch *cases) {
    struct known_switch *known = &known_switches[(uintptr_t)cases / 16 % KNOWN_SWITCHES];
    uint32_t first = (uint32_t)(uintptr_t)cases->first, index = 0;
    if (known->cases != cases) {
        *known = (struct known_switch){cases, 0};
    }
    while (index < cases->count && cases->values[index] != value) {
        index++;
    }
    while (known->refused < index && untaken_is_covered(first + 2 * known->refused + 1)) {
        known->refused++;
    }
    return known->refused >= index && (index == cases->count || untaken_is_covered(first + 2 * index));
}

/* The events of a switch whose value is concrete, all at once: the slack is enough for them, and made good after. */
static void emit_cases(uint64_t value, const struct untaken_switch *cases) {
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

/* Cases are asked in order, as if they were a chain of ifs: the one that matches ends it. */
void __untaken_switch(untaken_label label, uint64_t value, const struct untaken_switch *cases) {
    bool symbolic = label != 0 && core_begin();
    term selector = term_constant((uint8_t)cases->width, value & width_mask(cases->width));
    if (symbolic) {
        selector = term_believed(label, cases->width, value);
    } else if (cases->first != NULL && cases->count <= FEW_CASES) {
        if (!untaken_core.wandering || !is_old_news(selector.value, cases)) {
            emit_cases(selector.value, cases);
        }
        return;
    }
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
        core_leave();
    }
}
