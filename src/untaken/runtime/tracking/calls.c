/* Labels across calls: arguments, results, aggregates in memory, variable arguments, unknown functions. */
#include "expressions/wide.h"
#include "memory/memory.h"
#include "tracking/tracking.h"

#include <string.h>

#define PAGE 4096u
#define LOOKED_AT 256u /* bytes of what a pointer leads to */
#define SEEN_BY_CODE 64u /* of what a pointer leads to that assembly is given, and of what pointers there lead to */
#define ADDRESS_BITS 47 /* of the program's half; nothing is at an address beyond */

void untaken_arguments(void *self, untaken_label *labels, unsigned count) {
    if (__untaken_callee == self) {
        memcpy(labels, __untaken_arguments, count * sizeof *labels);
        __untaken_callee = NULL;
    } else {
        memset(labels, 0, count * sizeof *labels);
    }
}

void untaken_return(void *self, untaken_label label) {
    if (label != 0) {
        __untaken_returned[0] = label;
        __untaken_return_owner = self;
    }
}

/* ---- Functions without a model ---- */

static struct untaken_external *find_external(const char *name) {
    struct untaken_external *externals = untaken_state.externals;
    uint64_t count = untaken_shared->external_count;
    for (uint64_t i = 0; i < count && i < untaken_shared->externals.capacity; i++) {
        if (strncmp(externals[i].name, name, sizeof externals[i].name - 1) == 0) {
            return &externals[i];
        }
    }
    return NULL;
}

static struct untaken_external *add_external(const char *name) {
    uint64_t count = untaken_shared->external_count;
    if (count >= untaken_shared->externals.capacity) {
        return NULL;
    }
    struct untaken_external *external = &untaken_state.externals[count];
    memset(external, 0, sizeof *external);
    strncpy(external->name, name, sizeof external->name - 1);
    __atomic_store_n(&untaken_shared->external_count, count + 1, __ATOMIC_RELEASE);
    return external;
}

void untaken_count_external(const char *name) {
    if (!untaken_recording || name == NULL) {
        return;
    }
    struct untaken_external *external = find_external(name);
    if (external == NULL) {
        external = add_external(name);
    }
    if (external != NULL) {
        external->calls++;
    }
}

/* Whether one of the first bytes is symbolic, up to the end of a string. Nothing is read where there are no labels. */
static bool begins_symbolic(const uint8_t *pointer) {
    uint64_t left = PAGE - (uintptr_t)pointer % PAGE, size = left < LOOKED_AT ? left : LOOKED_AT;
    if (!untaken_memory_symbolic(pointer, size)) {
        return false;
    }
    for (uint64_t i = 0; i < size; i++) {
        term byte = untaken_memory_byte(pointer + i);
        if (byte.label != 0 || byte.value == 0) {
            return byte.label != 0;
        }
    }
    return false;
}

/* Whether the pointer is to be looked at, inside of the runtime then. */
static bool may_be_passed(void *callee, const void *pointer) {
    return __untaken_callee != callee && (uintptr_t)pointer >> ADDRESS_BITS == 0 && runtime_begin();
}

static void pass_if(bool symbolic, void *callee) {
    if (symbolic) {
        memset(__untaken_arguments, 0, sizeof __untaken_arguments);
        __untaken_callee = callee;
    }
    runtime_leave();
}

void __untaken_passed(void *callee, const void *pointer) {
    if (may_be_passed(callee, pointer)) {
        pass_if(begins_symbolic(pointer), callee);
    }
}

void __untaken_passed_object(void *callee, const void *pointer, uint64_t size) {
    if (may_be_passed(callee, pointer)) {
        pass_if(untaken_memory_symbolic(pointer, size), callee);
    }
}

void __untaken_passed_behind(void *callee, const void *const *pointer) {
    if (pointer != NULL) {
        __untaken_passed(callee, *pointer);
    }
}

/* Whether one of the pointers in an object leads to something symbolic: a context of a cipher names its input. */
__attribute__((no_sanitize("address"))) static bool leads_to_symbolic(const void *object) {
    const volatile uintptr_t *words = object;
    uintptr_t left = PAGE - (uintptr_t)object % PAGE, size = left < SEEN_BY_CODE ? left : SEEN_BY_CODE;
    if ((uintptr_t)object % sizeof *words != 0 || !untaken_is_known_readable(object)) {
        return false;
    }
    for (size_t at = 0; at < size / sizeof *words; at++) {
        uintptr_t word = words[at];
        if (word >= PAGE && word >> ADDRESS_BITS == 0 && untaken_memory_symbolic((const void *)word, SEEN_BY_CODE)) {
            return true;
        }
    }
    return false;
}

void __untaken_passed_to_code(void *callee, const void *pointer) {
    if (may_be_passed(callee, pointer)) {
        bool here = begins_symbolic(pointer) || untaken_memory_symbolic(pointer, SEEN_BY_CODE);
        pass_if(here || leads_to_symbolic(pointer), callee);
    }
}

void __untaken_after_call(void *callee, const char *name) {
    if (__untaken_callee != callee) {
        return;
    }
    __untaken_callee = NULL;
    if (runtime_begin()) {
        untaken_count_external(name);
        runtime_leave();
    }
}

/* ---- Aggregates in memory ----
 * The original is still there when the callee starts: its labels are copied only then. */
struct passed_aggregate {
    const void *from;
    uint64_t size;
};
static __thread struct passed_aggregate aggregates[UNTAKEN_ARGUMENT_LABELS];

void __untaken_byval_out(uint32_t slot, const void *from, uint64_t size) {
    if (slot < UNTAKEN_ARGUMENT_LABELS) {
        aggregates[slot] = (struct passed_aggregate){from, size};
    }
}

void __untaken_byval_in(uint32_t slot, void *to, uint64_t size, uint32_t matched) {
    if (!runtime_begin()) {
        return;
    }
    struct passed_aggregate none = {NULL, 0};
    struct passed_aggregate *passed = slot < UNTAKEN_ARGUMENT_LABELS ? &aggregates[slot] : &none;
    if (matched && passed->from != NULL && passed->size == size) {
        untaken_memory_copy(to, passed->from, size);
    } else {
        untaken_memory_clear(to, size);
    }
    *passed = none;
    runtime_leave();
}

/* ---- Variable arguments (System V, x86-64) ----
 * A '|' in the shape, not counted, may separate named from variable arguments: va_start begins at the first
 * stack slot after those of the named ones. */
__thread struct untaken_varargs __untaken_varargs_out;
__thread struct untaken_stacked __untaken_stacked;

#define STACK_LABELS (sizeof __untaken_varargs_out.stack_labels / sizeof *__untaken_varargs_out.stack_labels)

struct layout {
    unsigned general, floating;
    uint64_t slots; /* of the stack, named ones included */
    uint64_t named; /* slots that belong to named arguments: va_start begins after them */
};

static void put_on_stack(const struct layout *layout, uint64_t slot, untaken_label label) {
    uint64_t index = slot - layout->named;
    __untaken_varargs_out.stack_count = (uint32_t)index + 1;
    if (index < STACK_LABELS) {
        __untaken_varargs_out.stack_labels[index] = label;
    } else if (label != 0) {
        untaken_count_concretised(UNTAKEN_BY_OTHER);
    }
}

static uint64_t read_size(const char **sizes) {
    uint64_t size = 0;
    *sizes += **sizes == ',';
    while (**sizes >= '0' && **sizes <= '9') {
        size = size * 10 + (uint64_t)(*(*sizes)++ - '0');
    }
    return size;
}

static untaken_label slot_label(const struct passed_aggregate *passed, uint64_t offset) {
    if (passed->from == NULL || offset >= passed->size) {
        return 0;
    }
    uint64_t rest = passed->size - offset;
    return untaken_memory_load((const uint8_t *)passed->from + offset, rest < 8 ? (uint32_t)rest : 8).label;
}

static void lay_out_memory(struct layout *layout, uint32_t argument, uint64_t size) {
    for (uint64_t offset = 0; offset < size; offset += 8) {
        untaken_label label = argument < UNTAKEN_ARGUMENT_LABELS ? slot_label(&aggregates[argument], offset) : 0;
        put_on_stack(layout, layout->slots++, label);
    }
}

/* The bits of a wide value from `low` on, as far as they fit into a slot. */
static untaken_label half_of(untaken_label label, unsigned low) {
    if (label == 0 || label >= untaken_shared->node_count || node_of(label)->width <= LOW_BITS) {
        return 0;
    }
    wide value = wide_of_label(label);
    return wide_extract(value, low, low == 0 ? LOW_BITS : value.width - LOW_BITS).label;
}

static void lay_out_value(struct layout *layout, char letter, untaken_label label) {
    if (letter == 'x' || (letter == 'w' && layout->general > 4)) {
        layout->slots += layout->slots & 1;
        put_on_stack(layout, layout->slots++, half_of(label, 0));
        put_on_stack(layout, layout->slots++, half_of(label, LOW_BITS));
    } else if (letter == 'w') {
        __untaken_varargs_out.gp_labels[layout->general++] = half_of(label, 0);
        __untaken_varargs_out.gp_labels[layout->general++] = half_of(label, LOW_BITS);
    } else if (letter == 'g' && layout->general < 6) {
        __untaken_varargs_out.gp_labels[layout->general++] = label;
    } else if (letter == 'f' && layout->floating < 8) {
        __untaken_varargs_out.fp_labels[layout->floating++] = label;
    } else {
        put_on_stack(layout, layout->slots++, label);
    }
}

static const char *skip_letters(const char *shape, uint32_t count) {
    while (count > 0) {
        count -= *shape++ != '|';
    }
    return shape;
}

static void lay_out(const char *shape, uint32_t count) {
    struct layout layout = {0, 0, 0, 0};
    const char *sizes = skip_letters(shape, count);
    for (uint32_t i = 0; i < count; shape++) {
        if (*shape == '|') {
            layout.named = layout.slots;
            __untaken_varargs_out.stack_count = 0;
            continue;
        }
        if (*shape == 'm') {
            lay_out_memory(&layout, i, read_size(&sizes));
        } else {
            lay_out_value(&layout, *shape, i < UNTAKEN_ARGUMENT_LABELS ? __untaken_arguments[i] : 0);
        }
        i++;
    }
}

void __untaken_varargs_call(const char *shape, uint32_t count) {
    memset(&__untaken_varargs_out, 0, sizeof __untaken_varargs_out);
    if (runtime_begin()) {
        lay_out(shape, count);
        runtime_leave();
    }
}

void __untaken_varargs_entry(struct untaken_varargs *saved, uint32_t matched, void *self) {
    uint64_t slots = __untaken_stacked.callee == self ? __untaken_stacked.slots : 0;
    __untaken_stacked.callee = NULL;
    if (matched) {
        *saved = __untaken_varargs_out;
    } else {
        memset(saved, 0, slots == 0 ? offsetof(struct untaken_varargs, stack_labels) : sizeof *saved);
        saved->stack_count = (uint32_t)slots;
    }
}

#define GENERAL_SIZE (6 * 8) /* of the saved registers; behind them are those of floats, 16 bytes each */

struct system_v_list {
    uint32_t general_offset, floating_offset;
    uint8_t *stack;
    uint8_t *registers;
};

static void label_slot(uint8_t *slot, untaken_label label) {
    untaken_memory_clear(slot, 8);
    if (label != 0) {
        untaken_memory_store(slot, (node_of(label)->width + 7u) / 8, label);
    }
}

void __untaken_varargs_start(const struct untaken_varargs *saved, void *va_list) {
    const struct system_v_list *list = va_list;
    if (!runtime_begin()) {
        return;
    }
    untaken_memory_clear(va_list, sizeof *list);
    for (uint32_t i = list->general_offset / 8; i < 6; i++) {
        label_slot(list->registers + 8 * (uint64_t)i, saved->gp_labels[i]);
    }
    for (uint32_t i = (list->floating_offset - GENERAL_SIZE) / 16; i < 8; i++) {
        label_slot(list->registers + GENERAL_SIZE + 16 * (uint64_t)i, saved->fp_labels[i]);
    }
    for (uint64_t i = 0; i < saved->stack_count; i++) {
        label_slot(list->stack + 8 * i, i < STACK_LABELS ? saved->stack_labels[i] : 0);
    }
    runtime_leave();
}
