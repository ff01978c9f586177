/* Groups of one step, so that tests can ask the runtime for one thing at a time, as instrumented code does. */
#ifndef UNTAKEN_TEST_STEPS_H
#define UNTAKEN_TEST_STEPS_H

#include "abi.h"

#include <stdbool.h>
#include <string.h>

struct step_operand {
    untaken_label label;
    uint64_t value;
};

enum { STEP_RESULT = 3 };

static inline uint16_t form_of_operator(unsigned op) {
    if (op == UNTAKEN_OP_NE) {
        return UNTAKEN_FORM_DIFFERENT;
    }
    return op <= UNTAKEN_OP_SLE && (op < UNTAKEN_OP_UDIV || op > UNTAKEN_OP_SREM) ? op : UNTAKEN_FORM_GENERAL;
}

/* `sizes` has a bit for each size that has a form. */
static inline uint16_t form_of_access(uint16_t form, uint32_t size, unsigned sizes) {
    return size <= 8 && sizes >> size & 1 ? form + size : UNTAKEN_FORM_GENERAL;
}

static inline uint16_t form_of(struct untaken_step step) {
    unsigned op = step.descriptor & 0xff;
    switch (step.kind) {
    case UNTAKEN_STEP_BINARY: return form_of_operator(op);
    case UNTAKEN_STEP_CAST: return op != UNTAKEN_OP_TRUNC ? op : 0;
    case UNTAKEN_STEP_OFFSET: return UNTAKEN_FORM_OFFSET;
    case UNTAKEN_STEP_BRANCH: return UNTAKEN_FORM_BRANCH;
    case UNTAKEN_STEP_LOAD: return form_of_access(UNTAKEN_FORM_LOAD, step.descriptor, 0x116);
    case UNTAKEN_STEP_STORE: return form_of_access(UNTAKEN_FORM_STORE, step.descriptor, 0x112);
    default: return 0;
    }
}

/* result: what the program loaded; of all else the runtime computes the value itself. */
static inline untaken_label ask(struct untaken_step step, const struct step_operand operands[3], uint64_t result) {
    struct {
        uint64_t constant_count;
        struct untaken_step step, end;
    } group = {0, step, {.form = UNTAKEN_FORM_END}};
    uint64_t values[4] = {operands[0].value, operands[1].value, operands[2].value, result};
    untaken_label labels[4] = {operands[0].label, operands[1].label, operands[2].label, 0};
    group.step.result = STEP_RESULT;
    group.step.form = form_of(step);
    group.step.b = 1;
    group.step.c = 2;
    group.step.symbolic = step.kind == UNTAKEN_STEP_LOAD ? 7 | UNTAKEN_GIVEN : 7;
    __untaken_group((const struct untaken_group *)&group, values, labels);
    return labels[STEP_RESULT];
}

static inline untaken_label ask_binary(uint32_t descriptor, untaken_label la, untaken_label lb, uint64_t a, uint64_t b,
                                       uint64_t result) {
    return ask((struct untaken_step){.kind = UNTAKEN_STEP_BINARY, .descriptor = descriptor},
               (struct step_operand[3]){{la, a}, {lb, b}}, result);
}

/* The same with the second operand among the group's constants, and with a branch on the result if it is one bit. */
static inline untaken_label ask_with_constant(uint32_t descriptor, untaken_label la, uint64_t a, uint64_t b,
                                              bool deciding) {
    uint16_t form = form_of_operator(descriptor & 0xff);
    uint16_t added = form == 0 ? 0 : deciding ? UNTAKEN_FORM_CONSTANT + UNTAKEN_FORM_DECIDING : UNTAKEN_FORM_CONSTANT;
    struct {
        uint64_t constant_count, constant;
        struct untaken_step step, branch, end;
    } group = {1, b, {.kind = UNTAKEN_STEP_BINARY, .result = 1, .b = UNTAKEN_FIRST_CONSTANT, .symbolic = 1,
                      .form = form + added, .descriptor = descriptor},
               {.form = UNTAKEN_FORM_END}, {.form = UNTAKEN_FORM_END}};
    if (deciding) {
        group.branch = (struct untaken_step){.kind = UNTAKEN_STEP_BRANCH, .a = 1, .b = 2, .symbolic = 1,
                                             .form = UNTAKEN_FORM_BRANCH};
    }
    uint64_t values[3] = {a, 0, 0};
    untaken_label labels[3] = {la, 0, 0};
    __untaken_group((const struct untaken_group *)&group, values, labels);
    return labels[1];
}

static inline untaken_label ask_unary(uint32_t descriptor, untaken_label la, uint64_t a, uint64_t result) {
    return ask((struct untaken_step){.kind = UNTAKEN_STEP_UNARY, .descriptor = descriptor},
               (struct step_operand[3]){{la, a}}, result);
}

static inline untaken_label ask_cast(uint32_t descriptor, untaken_label la, uint64_t a, uint64_t result) {
    return ask((struct untaken_step){.kind = UNTAKEN_STEP_CAST, .descriptor = descriptor},
               (struct step_operand[3]){{la, a}}, result);
}

static inline untaken_label ask_offset(untaken_label lbase, untaken_label lindex, uint64_t base, uint64_t index,
                                       uint64_t scale, uint64_t result) {
    return ask((struct untaken_step){.kind = UNTAKEN_STEP_OFFSET, .descriptor = 64, .extra = (uint32_t)scale},
               (struct step_operand[3]){{lbase, base}, {lindex, index}}, result);
}

static inline untaken_label ask_load(const void *address, uint32_t size, untaken_label laddress, const void *object,
                                     uint64_t object_size) {
    uint64_t value = 0;
    memcpy(&value, address, size <= 8 ? size : 0);
    struct untaken_step step = {.kind = UNTAKEN_STEP_LOAD, .descriptor = size};
    step.extra = size > 8 ? UNTAKEN_BY_WIDE | size << 8 : object == NULL ? 0 : (uint32_t)object_size;
    return ask(step, (struct step_operand[3]){{laddress, (uintptr_t)address}, {0, 0}, {0, (uintptr_t)object}}, value);
}

static inline void ask_store(void *address, uint32_t size, untaken_label label, untaken_label laddress) {
    (void)ask((struct untaken_step){.kind = UNTAKEN_STEP_STORE, .descriptor = size},
              (struct step_operand[3]){{laddress, (uintptr_t)address}, {label, 0}}, 0);
}

static inline void ask_branch(untaken_label condition, uint32_t taken, uint32_t id) {
    (void)ask((struct untaken_step){.kind = UNTAKEN_STEP_BRANCH},
              (struct step_operand[3]){{condition, taken}, {0, id}}, 0);
}

static inline void ask_pin(untaken_label label, uint64_t value) {
    (void)ask((struct untaken_step){.kind = UNTAKEN_STEP_PIN}, (struct step_operand[3]){{label, value}}, 0);
}

#endif
