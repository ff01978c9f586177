/* See harness.h. Usage: harness SEED ROUNDS OTHERS PART PARTS [SCENE]; prints one line for each scene and leaves with 1 if an
 * expression was wrong. */
#define _GNU_SOURCE
#include "harness.h"
#include "input/streams.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NODES 200000u
#define SLOTS 1048576u
#define CONSTRAINTS 8192u

static uint64_t random_state;
static unsigned others; /* inputs near the first one, in each round */
static struct play play;
static uint64_t values[NODES]; /* of all nodes, under another input */

static uint64_t random_bits(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state * 0x2545f4914f6cdd1dull >> 11;
}

/* ---- Shared memory, as driver and server would set it up ---- */

static void *map(uint64_t size) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        perror("mmap");
        exit(2);
    }
    return memory;
}

static struct untaken_region region(uint64_t *end, uint64_t size, uint64_t capacity) {
    struct untaken_region made = {*end, capacity};
    *end += (size * capacity + 4095) / 4096 * 4096;
    return made;
}

static void set_up_shared(void) {
    struct untaken_shared layout = {.magic = UNTAKEN_MAGIC, .abi_version = UNTAKEN_ABI_VERSION};
    uint64_t end = 4096;
    layout.input = region(&end, 1, INPUT_SIZE);
    layout.events = region(&end, 4, 2 * UNTAKEN_EVENT_BLOCK);
    layout.owners = region(&end, 1, 2);
    layout.constraints = region(&end, sizeof(struct untaken_constraint), CONSTRAINTS);
    layout.nodes = region(&end, sizeof(struct untaken_node), NODES);
    layout.slots = region(&end, 4, SLOTS);
    layout.tables = region(&end, 1, 65536);
    layout.fields = region(&end, sizeof(struct untaken_field), 64);
    layout.sources = region(&end, sizeof(struct untaken_source), 1);
    layout.externals = region(&end, sizeof(struct untaken_external), 64);
    layout.coverage = region(&end, 1, 64);
    layout.size = end;
    layout.source_count = 1;
    layout.input_size = INPUT_SIZE;
    struct untaken_shared *shared = map(end);
    *shared = layout;
    untaken_attach(shared);
    struct untaken_source *source = (void *)((char *)shared + layout.sources.offset);
    *source = (struct untaken_source){.kind = UNTAKEN_SOURCE_STDIN, .size = STREAM};
    untaken_nodes_start();
    untaken_objects_start();
    untaken_sources_start(0, NULL);
}

/* A buffer whose last byte is the last of a page that nothing follows. */
static char *buffer_at_end(void) {
    char *pages = map(8192);
    mprotect(pages + 4096, 4096, PROT_NONE);
    return pages + 4096 - BUFFER;
}

/* ---- One play ---- */

void pass(struct play *current, void *function, unsigned argument, untaken_label label) {
    if (!current->symbolic)
        return;
    if (__untaken_callee != function)
        memset(__untaken_arguments, 0, sizeof __untaken_arguments);
    __untaken_arguments[argument] = label;
    __untaken_callee = function;
}

void note(struct play *current, void *function, uint8_t width, uint64_t value) {
    term result = {0, width, value & width_mask(width)};
    if (function && __untaken_return_owner == function) {
        result.label = __untaken_returned[0];
        if (untaken_width(result.label) != width || untaken_value(result.label) != result.value) {
            printf("a label does not fit its value\n");
            exit(1);
        }
    }
    __untaken_return_owner = __untaken_callee = NULL;
    if (current->count < RESULTS)
        current->results[current->count++] = result;
}

/* Which bytes of the input are symbolic in this round; the others are the same in all plays. */
static bool symbolic_bytes[INPUT_SIZE];

static void deliver(char *to, uint64_t offset, uint64_t size) {
    uint8_t *input = untaken_state.input;
    for (uint64_t index = 0; index < size; index++) {
        to[index] = (char)input[offset + index];
        bool labelled = play.symbolic && symbolic_bytes[offset + index];
        untaken_memory_store(to + index, 1, labelled ? untaken_input_node(offset + index, (uint8_t)to[index]) : 0);
    }
}

static void deliver_numbers(void) {
    deliver((char *)play.numbers, AT_NUMBERS, sizeof play.numbers);
    for (unsigned index = 0; index < NUMBERS; index++)
        play.number_labels[index] = play.symbolic ? untaken_memory_load(&play.numbers[index], 4).label : 0;
}

/* A new FILE for each play: the buffer of the last one is of no use. */
static FILE *open_stdin(const struct scene *scene) {
    if (!scene->uses_stream)
        return NULL;
    int descriptor = dup(STDIN_FILENO);
    descriptor_duplicated(STDIN_FILENO, descriptor);
    return fdopen(descriptor, "r");
}

/* Plays the scene on the input that lies in shared memory. */
static void perform(const struct scene *scene, bool symbolic) {
    untaken_shared->field_count = untaken_shared->constraint_count = untaken_shared->input_used = 0;
    untaken_state.input_position = 0;
    untaken_recording = symbolic;
    play.symbolic = symbolic;
    play.count = 0;
    if (symbolic) {
        untaken_shared->node_count = 0;
        untaken_nodes_begin_run();
    }
    if (scene->uses_stream)
        untaken_sources_prepare();
    play.file = open_stdin(scene);
    deliver(play.left, AT_LEFT, BUFFER);
    deliver(play.right, AT_RIGHT, BUFFER);
    deliver_numbers();
    memset(play.output, 'o', OUTPUT);
    untaken_memory_clear(play.output, OUTPUT);
    errno = 0;
    scene->play(&play);
    note(&play, NULL, 32, (uint32_t)errno);
    untaken_recording = false;
    if (play.file)
        fclose(play.file);
}

/* ---- Evaluating expressions under another input, with an evaluator of our own ---- */

static uint64_t masked(uint64_t value, unsigned width) { return width >= 64 ? value : value & ((1ull << width) - 1); }

static int64_t as_signed(uint64_t value, unsigned width) {
    uint64_t sign = 1ull << (width - 1);
    return (int64_t)((value ^ sign) - sign);
}

static uint64_t scaled(bool up, unsigned width, uint64_t a, uint64_t b) {
    double doubles[2];
    float floats[2];
    memcpy(&doubles[0], &a, 8);
    memcpy(&doubles[1], &b, 8);
    memcpy(&floats[0], &a, 4);
    memcpy(&floats[1], &b, 4);
    doubles[0] = up ? doubles[0] * doubles[1] : doubles[0] / doubles[1];
    floats[0] = up ? floats[0] * floats[1] : floats[0] / floats[1];
    a = 0;
    memcpy(&a, width == 64 ? (void *)doubles : floats, width / 8);
    return a;
}

static uint64_t converted(unsigned width, uint64_t a) {
    double as_double = (double)a;
    float as_float = (float)a;
    a = 0;
    memcpy(&a, width == 64 ? (void *)&as_double : &as_float, width / 8);
    return a;
}

static uint64_t evaluate(const struct untaken_node *nodes, const struct untaken_node *node, const uint8_t *input) {
    uint64_t a = node->a < NODES ? values[node->a] : 0, b = node->b < NODES ? values[node->b] : 0;
    unsigned from = node->a < NODES ? nodes[node->a].width : 0;
    switch (node->op) {
    case UNTAKEN_OP_INPUT: return input[node->a];
    case UNTAKEN_OP_CONST: return node->b | (uint64_t)node->c << 32;
    case UNTAKEN_OP_ADD: return a + b;
    case UNTAKEN_OP_SUB: return a - b;
    case UNTAKEN_OP_MUL: return a * b;
    case UNTAKEN_OP_UDIV: return b ? a / b : UINT64_MAX;
    case UNTAKEN_OP_UREM: return b ? a % b : a;
    case UNTAKEN_OP_SHL: return b < node->width ? a << b : 0;
    case UNTAKEN_OP_LSHR: return b < node->width ? a >> b : 0;
    case UNTAKEN_OP_AND: return a & b;
    case UNTAKEN_OP_OR: return a | b;
    case UNTAKEN_OP_XOR: return a ^ b;
    case UNTAKEN_OP_EQ: return a == b;
    case UNTAKEN_OP_ULT: return a < b;
    case UNTAKEN_OP_ULE: return a <= b;
    case UNTAKEN_OP_SLT: return as_signed(a, from) < as_signed(b, from);
    case UNTAKEN_OP_SLE: return as_signed(a, from) <= as_signed(b, from);
    case UNTAKEN_OP_CONCAT: return a << nodes[node->b].width | b;
    case UNTAKEN_OP_EXTRACT: return a >> node->b;
    case UNTAKEN_OP_ZEXT: return a;
    case UNTAKEN_OP_SEXT: return (uint64_t)as_signed(a, from);
    case UNTAKEN_OP_ITE: return a ? b : values[node->c];
    case UNTAKEN_OP_FMUL: return scaled(true, node->width, a, b);
    case UNTAKEN_OP_FDIV: return scaled(false, node->width, a, b);
    case UNTAKEN_OP_FROM_UNSIGNED: return converted(node->width, a);
    }
    printf("operator %d is not known here\n", node->op);
    exit(2);
}

static void evaluate_all(const uint8_t *input, uint64_t count) {
    const struct untaken_node *nodes = untaken_state.nodes;
    for (uint64_t index = 1; index < count; index++)
        values[index] = masked(evaluate(nodes, &nodes[index], input), nodes[index].width);
}

static bool decisions_hold(const struct untaken_constraint *decisions, uint64_t count) {
    for (uint64_t index = 0; index < count; index++)
        if (values[decisions[index].node] != decisions[index].taken)
            return false;
    return true;
}

static uint64_t under_other(term value) { return value.label ? values[value.label] : value.value; }

/* ---- A round ---- */

/* What the symbolic play left behind. */
struct record {
    struct untaken_constraint decisions[CONSTRAINTS];
    uint64_t decision_count, node_count;
    unsigned count;
    term results[RESULTS];
    term left[BUFFER], right[BUFFER], output[OUTPUT];
};
static struct record record;

struct tally {
    unsigned rounds, symbolic, decided, others, compared, different, named;
};

static void read_buffer(term *to, const char *from, unsigned size) {
    untaken_recording = true;
    for (unsigned index = 0; index < size; index++)
        to[index] = untaken_memory_byte(from + index);
    untaken_recording = false;
}

static void keep_record(void) {
    record.decision_count = untaken_shared->constraint_count;
    memcpy(record.decisions, untaken_state.constraints, record.decision_count * sizeof *record.decisions);
    record.count = play.count;
    memcpy(record.results, play.results, sizeof record.results);
    read_buffer(record.left, play.left, BUFFER);
    read_buffer(record.right, play.right, BUFFER);
    read_buffer(record.output, play.output, OUTPUT);
    record.node_count = untaken_shared->node_count;
}

static void fail(const struct scene *scene, const char *what, unsigned index, uint64_t predicted, uint64_t real,
                 const uint8_t *first) {
    printf("WRONG %s: %s %u: predicted %#llx, real %#llx, choices %#llx\n  ", scene->name, what, index,
           (unsigned long long)predicted, (unsigned long long)real, (unsigned long long)play.choices);
    for (unsigned at = 0; at < INPUT_SIZE; at++)
        printf("%02x%s", first[at], symbolic_bytes[at] ? "* " : " ");
    printf("\n  ");
    for (unsigned at = 0; at < INPUT_SIZE; at++)
        printf("%02x%s", untaken_state.input[at], untaken_state.input[at] == first[at] ? "  " : "! ");
    printf("\n");
    exit(1);
}

static bool same_sign(term value, uint64_t predicted, uint64_t real) {
    return value.width == 32 && real != 0 && predicted != 0 && (real ^ predicted) >> 31 == 0;
}

/* True if this play differs from the recorded one in a result. */
static bool results_differ(void) {
    for (unsigned index = 0; index < record.count; index++)
        if (play.results[index].value != record.results[index].value)
            return true;
    return false;
}

/* True if what was written to a buffer differs from the recorded play, beyond what the input put there. */
static bool buffers_differ(void) {
    for (unsigned index = 0; index < OUTPUT; index++)
        if ((uint8_t)play.output[index] != record.output[index].value)
            return true;
    for (unsigned index = 0; index < BUFFER; index++) {
        uint8_t now = (uint8_t)play.left[index];
        if (now != record.left[index].value && now != untaken_state.input[AT_LEFT + index])
            return true;
    }
    return false;
}

/* How much a read stored follows from its result, which programs test: bytes are compared if that is the same. */
static bool buffers_comparable(const struct scene *scene) { return !scene->uses_stream || !results_differ(); }

static void compare(const struct scene *scene, const uint8_t *first) {
    bool sign_only = strstr(scene->name, "cmp") != NULL;
    for (unsigned index = 0; index < record.count; index++) {
        uint64_t predicted = under_other(record.results[index]), real = play.results[index].value;
        if (predicted != real && !(sign_only && same_sign(record.results[index], predicted, real)))
            fail(scene, "result", index, predicted, real, first);
    }
    if (!buffers_comparable(scene))
        return;
    const term *predicted[] = {record.left, record.right, record.output};
    const char *real[] = {play.left, play.right, play.output};
    for (unsigned which = 0; which < 3; which++)
        for (unsigned index = 0; index < (which == 2 ? OUTPUT : BUFFER); index++)
            if (under_other(predicted[which][index]) != (uint8_t)real[which][index])
                fail(scene, which == 0 ? "left" : which == 1 ? "right" : "output", index,
                     under_other(predicted[which][index]), (uint8_t)real[which][index], first);
}

static uint8_t random_byte(const struct scene *scene) {
    size_t letters = strlen(scene->alphabet);
    uint64_t choice = random_bits() % (letters + letters / 6 + 1);
    return choice < letters ? (uint8_t)scene->alphabet[choice] : random_bits() % 16 == 0 ? (uint8_t)random_bits() : 0;
}

static void random_input(const struct scene *scene, uint8_t *input) {
    bool left = random_bits() % 4, right = random_bits() % 3 == 0, all = random_bits() % 2;
    for (unsigned at = 0; at < INPUT_SIZE; at++) {
        bool wanted = at < AT_LEFT || (at < AT_RIGHT ? left : at < AT_NUMBERS ? right : random_bits() % 3 == 0);
        symbolic_bytes[at] = wanted && (all || at < AT_LEFT || random_bits() % 3);
        input[at] = at < AT_NUMBERS ? random_byte(scene) : (uint8_t)(random_bits() % BUFFER);
    }
    for (unsigned at = AT_NUMBERS; at < INPUT_SIZE; at++)
        if ((at - AT_NUMBERS) % 4) {
            symbolic_bytes[at] = false;
            input[at] = 0;
        }
    memset(input, 0, AT_STREAM);
    input[0] = (uint8_t)(random_bits() % (STREAM + 3));
    symbolic_bytes[AT_RIGHT - 1] = symbolic_bytes[AT_NUMBERS - 1] = false; /* strings end before their page does */
    input[AT_RIGHT - 1] = input[AT_NUMBERS - 1] = 0;
    if (random_bits() % 2)
        memcpy(input + AT_RIGHT, input + AT_LEFT, random_bits() % BUFFER);
    input[AT_NUMBERS - 1] = 0;
}

static void change_input(const struct scene *scene, uint8_t *input) {
    unsigned changes = 1 + random_bits() % 4;
    for (unsigned tries = 0; changes > 0 && tries < 200; tries++) {
        unsigned at = random_bits() % INPUT_SIZE;
        if (at < AT_NUMBERS && random_bits() % 2) /* the front of a buffer matters most */
            at -= at < AT_LEFT ? at / 2 : at < AT_RIGHT ? (at - AT_LEFT) / 2 : (at - AT_RIGHT) / 2;
        if (!symbolic_bytes[at] || (at > 0 && at < AT_STREAM) || (at < AT_LEFT) != scene->uses_stream)
            continue;
        bool number = at >= AT_NUMBERS || at == 0;
        input[at] = number ? (uint8_t)(random_bits() % (at ? BUFFER : STREAM + 3)) : random_byte(scene);
        changes--;
    }
}

/* Calls that were told not to be followed. */
static uint64_t named_calls(void) {
    uint64_t calls = 0;
    for (uint64_t index = 0; index < untaken_shared->external_count; index++)
        calls += untaken_state.externals[index].calls;
    return calls;
}

static void round_of(const struct scene *scene, struct tally *tally) {
    uint8_t first[INPUT_SIZE];
    random_input(scene, first);
    play.choices = random_bits();
    memcpy(untaken_state.input, first, INPUT_SIZE);
    uint64_t named_before = named_calls();
    perform(scene, true);
    keep_record();
    bool named = named_calls() > named_before; /* then it holds for the input at hand alone */
    bool symbolic = false;
    for (unsigned index = 0; index < record.count; index++)
        symbolic |= record.results[index].label != 0;
    for (unsigned index = 0; index < OUTPUT; index++)
        symbolic |= record.output[index].label != 0 || (index < BUFFER && record.left[index].label != 0);
    tally->rounds++;
    tally->symbolic += symbolic;
    tally->decided += record.decision_count > 0;
    tally->named += named;
    for (unsigned other = 0; other <= (scene->only_same || named ? 0 : others); other++) {
        memcpy(untaken_state.input, first, INPUT_SIZE);
        if (other > 0)
            change_input(scene, untaken_state.input);
        evaluate_all(untaken_state.input, record.node_count);
        tally->others++;
        if (!decisions_hold(record.decisions, record.decision_count)) {
            if (other == 0)
                fail(scene, "decision of the run itself", 0, 0, 0, first);
            continue;
        }
        perform(scene, false);
        compare(scene, first);
        tally->compared++;
        tally->different += results_differ() || buffers_differ();
    }
}

/* Which scenes are played: one, or each `parts`-th. */
static struct {
    unsigned rounds, part, parts, seen;
    const char *only;
} plan;

static bool is_planned(const struct scene *scene) {
    return plan.seen++ % plan.parts == plan.part && (!plan.only || strcmp(plan.only, scene->name) == 0);
}

static void play_all(const struct scene *scenes) {
    for (const struct scene *scene = scenes; scene->name; scene++) {
        struct tally tally = {0};
        if (!is_planned(scene))
            continue;
        for (unsigned round = 0; round < plan.rounds; round++)
            round_of(scene, &tally);
        printf("%s rounds %u symbolic %u decided %u others %u compared %u different %u named %u dropped %llu\n",
               scene->name, tally.rounds, tally.symbolic, tally.decided, tally.others, tally.compared,
               tally.different, tally.named,
               (unsigned long long)untaken_shared->concretised[UNTAKEN_BY_OTHER]);
        untaken_shared->concretised[UNTAKEN_BY_OTHER] = 0;
    }
}

static unsigned number(int argc, char **argv, int place, unsigned otherwise) {
    return place < argc ? (unsigned)strtoul(argv[place], NULL, 10) : otherwise;
}

int main(int argc, char **argv) {
    random_state = number(argc, argv, 1, 0) * 2ull + 1;
    plan.rounds = number(argc, argv, 2, 100);
    others = number(argc, argv, 3, 40);
    plan.part = number(argc, argv, 4, 0);
    plan.parts = number(argc, argv, 5, 1);
    plan.only = argc > 6 ? argv[6] : NULL;
    set_up_shared();
    play.left = buffer_at_end();
    play.right = buffer_at_end();
    play.output = map(4096);
    const struct scene *all[] = {string_scenes, stream_scenes, option_scenes, scan_scenes, format_scenes, wide_scenes};
    for (unsigned index = 0; index < sizeof all / sizeof *all; index++)
        play_all(all[index]);
    return 0;
}
