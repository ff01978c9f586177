/* The one border between instrumented code, the runtime and the Python reader.
 *
 * Three parties meet here:
 *   - instrumented code (written by build/instrument) calls the __untaken_* functions below;
 *   - the runtime (the .c files in the folders beside this header) implements them;
 *   - the driver (execute/) creates the shared memory whose layout is given here and reads it in place.
 * The Python side parses the constants and struct layouts of this file in a test, so a change made on one
 * side only cannot pass.
 *
 * A label names the expression of a value: 0 means concrete, otherwise it is an index into the node table.
 * In shadow memory each byte of the program has a label whose top 3 bits say which byte of the node it is
 * (0 is the least significant), so that storing a 4-byte value creates no nodes.
 */
#ifndef UNTAKEN_ABI_H
#define UNTAKEN_ABI_H

#include <stddef.h>
#include <stdint.h>

#define UNTAKEN_MAGIC 0x4b544e55u
#define UNTAKEN_ABI_VERSION 23u

typedef uint32_t untaken_label;

/* ---- Shadow memory (Linux x86-64) --------------------------------------------------------------------
 * Level 1: one tag of 16 bits for each 64-byte line of the address space, with a bit for each 4 bytes that may hold
 * labels. Inlined code tests only tags, at UNTAKEN_TAG_BASE + 2 * (address >> 6).
 * Level 2: one label for each byte, at UNTAKEN_SHADOW_BASE + 4 * (address mod 2^43); touched only by the runtime.
 * In between and beyond lies what AddressSanitizer maps, up to 0x10007fff8000 and from 0x500000000000 on (clang 17
 * and later; 0x600000000000 before), and programs themselves, from 0x550000000000 on.
 */
#define UNTAKEN_TAG_BASE 0x110000000000ull
#define UNTAKEN_TAG_SIZE 0x040000000000ull
#define UNTAKEN_LINE_SHIFT 6
#define UNTAKEN_SHADOW_BASE 0x150000000000ull
#define UNTAKEN_SHADOW_SIZE 0x200000000000ull
#define UNTAKEN_SHADOW_MASK 0x07ffffffffffull

#define UNTAKEN_BYTE_SHIFT 29
#define UNTAKEN_NODE_MASK 0x1fffffffu

/* ---- Expression nodes -------------------------------------------------------------------------------- */
enum untaken_op {
    UNTAKEN_OP_NONE = 0,
    UNTAKEN_OP_INPUT = 1,  /* a: index of the input byte; width 8 */
    UNTAKEN_OP_CONST = 2,  /* b, c: low and high half of the value */
    UNTAKEN_OP_ADD = 3,
    UNTAKEN_OP_SUB = 4,
    UNTAKEN_OP_MUL = 5,
    UNTAKEN_OP_UDIV = 6,
    UNTAKEN_OP_SDIV = 7,
    UNTAKEN_OP_UREM = 8,
    UNTAKEN_OP_SREM = 9,
    UNTAKEN_OP_SHL = 10,
    UNTAKEN_OP_LSHR = 11,
    UNTAKEN_OP_ASHR = 12,
    UNTAKEN_OP_AND = 13,
    UNTAKEN_OP_OR = 14,
    UNTAKEN_OP_XOR = 15,
    UNTAKEN_OP_EQ = 16,    /* comparisons: width is 1, operands may have any equal width */
    UNTAKEN_OP_ULT = 17,
    UNTAKEN_OP_ULE = 18,
    UNTAKEN_OP_SLT = 19,
    UNTAKEN_OP_SLE = 20,
    UNTAKEN_OP_CONCAT = 21, /* a: high part, b: low part */
    UNTAKEN_OP_EXTRACT = 22, /* a: node, b: index of the lowest bit taken */
    UNTAKEN_OP_ZEXT = 23,
    UNTAKEN_OP_SEXT = 24,
    UNTAKEN_OP_ITE = 25,   /* a: condition of width 1, b: then, c: else */
    UNTAKEN_OP_READ = 26,  /* a: index node, b: byte offset of an untaken_table in the table region */
    UNTAKEN_OP_CTPOP = 27,
    UNTAKEN_OP_CTLZ = 28,  /* of zero: the width */
    UNTAKEN_OP_CTTZ = 29,  /* of zero: the width */
    /* Floating point: the bits of a float (32), double (64) or long double (80, as the x87 has them), rounded to
     * nearest as programs are by default. What they are is in expressions/floats.c and expressions/wide_floats.c. */
    UNTAKEN_OP_FADD = 30,
    UNTAKEN_OP_FSUB = 31,
    UNTAKEN_OP_FMUL = 32,
    UNTAKEN_OP_FDIV = 33,
    UNTAKEN_OP_FEQ = 34,    /* comparisons: width is 1; false if one is no number */
    UNTAKEN_OP_FLT = 35,
    UNTAKEN_OP_FLE = 36,
    UNTAKEN_OP_FSQRT = 37,
    UNTAKEN_OP_FROUND = 38, /* to a whole number; b: enum untaken_rounding */
    UNTAKEN_OP_FCONVERT = 39,      /* from one of these to another */
    UNTAKEN_OP_FROM_SIGNED = 40,   /* of an integer of any width */
    UNTAKEN_OP_FROM_UNSIGNED = 41,
    UNTAKEN_OP_TO_SIGNED = 42, /* towards zero, to 32 or 64 bits; the smallest one if it does not fit, as the processor;
                                  also to more than 64 bits, in the same way */
    /* Functions that have no expression, sin and pow among them. The value is what the program's own function returned;
     * which one it was, only Python knows (model/mathematics.py). */
    UNTAKEN_OP_FUNCTION = 43,  /* of a; c: number of the function */
    UNTAKEN_OP_FUNCTION2 = 44, /* of a and b; c likewise */
    /* Only in requests of instrumented code; the runtime rewrites them into the ones above. */
    UNTAKEN_OP_NE = 60,
    UNTAKEN_OP_UGT = 61,
    UNTAKEN_OP_UGE = 62,
    UNTAKEN_OP_SGT = 63,
    UNTAKEN_OP_SGE = 64,
    UNTAKEN_OP_TRUNC = 65,
    UNTAKEN_OP_BSWAP = 66,
    UNTAKEN_OP_BITREVERSE = 67,
    UNTAKEN_OP_ABS = 68,
    UNTAKEN_OP_SMIN = 69,
    UNTAKEN_OP_SMAX = 70,
    UNTAKEN_OP_UMIN = 71,
    UNTAKEN_OP_UMAX = 72,
    UNTAKEN_OP_SADD_OVERFLOW = 73, /* the overflow bit alone, width 1 */
    UNTAKEN_OP_UADD_OVERFLOW = 74,
    UNTAKEN_OP_SSUB_OVERFLOW = 75,
    UNTAKEN_OP_USUB_OVERFLOW = 76,
    UNTAKEN_OP_SMUL_OVERFLOW = 77,
    UNTAKEN_OP_UMUL_OVERFLOW = 78,
    UNTAKEN_OP_SADD_SAT = 79,
    UNTAKEN_OP_UADD_SAT = 80,
    UNTAKEN_OP_SSUB_SAT = 81,
    UNTAKEN_OP_USUB_SAT = 82,
    UNTAKEN_OP_SSHL_SAT = 83,
    UNTAKEN_OP_USHL_SAT = 84,
    UNTAKEN_OP_FNE = 85, /* true if one is no number, as the next ones are */
    UNTAKEN_OP_FNLT = 86, /* not less */
    UNTAKEN_OP_FNLE = 87,
    UNTAKEN_OP_FUEQ = 88,
    UNTAKEN_OP_FUNO = 89,
    UNTAKEN_OP_FONE = 90, /* less or greater */
    UNTAKEN_OP_FORD = 91, /* both are numbers */
    UNTAKEN_OP_FROUND_FIRST = 92, /* one for each rounding from here on */
    UNTAKEN_OP_TO_UNSIGNED = 97
};

/* Added to the operator of a node that has more than 64 bits, or an operand that has. */
#define UNTAKEN_WIDE 0x80u

/* As FROUND has it. */
enum untaken_rounding {
    UNTAKEN_TO_EVEN = 0, /* rint */
    UNTAKEN_AWAY = 1,    /* round */
    UNTAKEN_UP = 2,      /* ceil */
    UNTAKEN_DOWN = 3,    /* floor */
    UNTAKEN_TO_ZERO = 4  /* trunc */
};

/* value is what the program itself computed in the current run. Nodes are hash-consed over a whole campaign: the
 * same expression has the same index in every run until the driver clears the table. Operands always have smaller
 * indices. Widths are 1 to 128 bits. Of a value of more than 64 bits the node has the lowest 64; the others are the
 * value of a second node, an EXTRACT, unless it is a CONCAT (of upper bits and 64 lower ones) or an extension. A
 * constant of more than 64 bits is a CONCAT of two. */
struct untaken_node {
    uint8_t op;
    uint8_t width;
    uint16_t reserved;
    uint32_t a, b, c;
    uint64_t value;
};

/* The bytes of the input that a node depends on lie between these; without any, first is the largest number. */
struct untaken_reach {
    uint32_t first, end;
};

/* The contents of memory that a symbolic index may select from, as it was at the load: `count` entries of
 * `width` bits. The index node (64 bits wide) is the entry number. entries[i] is a node label if the entry
 * was symbolic, else 0, and then values[i] counts. Tables are deduplicated by content. */
struct untaken_table {
    uint32_t count;
    uint32_t width;
    uint64_t hash;
    /* followed by: uint64_t values[count]; uint32_t entries[count], padded to 8 bytes */
};

/* ---- Path constraints --------------------------------------------------------------------------------- */
enum untaken_constraint_kind {
    UNTAKEN_BRANCH = 0,  /* a branch of the source: id names it */
    UNTAKEN_LIBRARY = 1, /* a decision inside a library model: may be flipped, covers nothing; id is 0 */
    UNTAKEN_PIN = 2,     /* an address or size was pinned to its concrete value: holds, not to be flipped */
    UNTAKEN_ASSUME = 3,  /* untaken_assume and its like: not to be flipped; one that does not hold ends the run */
    UNTAKEN_BOUND = 4    /* of a size or an address that is pinned: how large it is, or whether it is within its block;
                            holds as a pin does, to be flipped only by who looks for the ends of memory */
};

struct untaken_constraint {
    uint32_t node;     /* of width 1 */
    uint32_t id;       /* id of the branch taken (see Events); 0 unless kind is UNTAKEN_BRANCH */
    uint32_t position; /* index in the events of what came next: for a branch, of the branch itself */
    uint8_t kind;
    uint8_t taken;     /* 1 if the node was true */
    uint16_t depth;    /* call depth, filled in after the run; saturates */
};

/* With UNTAKEN_RUN_WINDOWS each constraint also gets a hash of what it decides on and of this many events before it:
 * see trace/window_hashes.c. */
#define UNTAKEN_WINDOW_EVENTS 8

/* ---- Events --------------------------------------------------------------------------------------------
 * Each object file carries an array in section "untaken_ids": a 16-byte digest of its program map, then one
 * byte for each id: 1 branch, 2 function entry, 3 function return; 0 is padding. The two branches of a pair
 * are at ids 2k (true) and 2k+1; entry and return of a function likewise. While the program runs, an event is
 * the low 32 bits of the address of its byte; after the run each is rewritten into its id: its
 * offset in the concatenated "untaken_ids" sections of all loaded images, in order of registration, the
 * executable first. Unused events are 0. The main thread's events start at 0; each further thread claims
 * blocks of UNTAKEN_EVENT_BLOCK, listed in the owner array (owner[i]: thread number + 1 of block i, 0 free).
 */
#define UNTAKEN_ID_BRANCH 1
#define UNTAKEN_ID_ENTRY 2
#define UNTAKEN_ID_RETURN 3
#define UNTAKEN_DIGEST_SIZE 16
#define UNTAKEN_EVENT_BLOCK 4096u
/* Instrumented code looks for room only on entry to a function and once on each way round a loop; behind every limit
 * there is room for this many events more. */
#define UNTAKEN_EVENT_SLACK 512u

/* ---- Input ------------------------------------------------------------------------------------------- */
enum untaken_field_kind {
    UNTAKEN_FIELD_BYTES = 0,
    UNTAKEN_FIELD_SIGNED = 1,
    UNTAKEN_FIELD_UNSIGNED = 2,
    UNTAKEN_FIELD_CHARACTER = 3,
    UNTAKEN_FIELD_FLOAT = 4,
    UNTAKEN_FIELD_POINTER = 5,
    UNTAKEN_FIELD_BOOL = 6,
    UNTAKEN_FIELD_LENGTH = 7, /* how much of the next field there is; little-endian u32, larger means all */
    UNTAKEN_FIELD_ARGUMENT = 8,
    UNTAKEN_FIELD_STDIN = 9,
    UNTAKEN_FIELD_FILE = 10,
    UNTAKEN_FIELD_PROCESS = 11 /* at a fork, whom the trace follows: 0 the parent, else the child; no input of the program */
};

struct untaken_field {
    uint64_t offset;
    uint64_t size;
    uint32_t kind;
    uint32_t reserved;
    char name[40];
};

/* What the driver declares before the start. Drawn from the input in this order, before any
 * untaken_input: each argument; for stdin and each file a LENGTH field and then its bytes. */
enum untaken_source_kind { UNTAKEN_SOURCE_ARGUMENT = 1, UNTAKEN_SOURCE_STDIN = 2, UNTAKEN_SOURCE_FILE = 3 };

struct untaken_source {
    uint32_t kind;
    uint32_t index; /* argument: position in argv */
    uint64_t size;  /* largest size */
    char name[240]; /* file: as the program opens it */
};

/* How random inputs of one name are drawn (hybrid search): a number from low to high, or one of `count` values. Of
 * text (characters, streams, objects whose size is not a number's) each byte is drawn so. */
#define UNTAKEN_BIAS_VALUES 64
struct untaken_bias {
    char name[40];
    int64_t low, high;
    uint32_t count; /* 0: the range counts */
    uint32_t reserved;
    int64_t values[UNTAKEN_BIAS_VALUES];
};

/* ---- Shared memory ------------------------------------------------------------------------------------ */
struct untaken_region {
    uint64_t offset;   /* from the start of the shared memory */
    uint64_t capacity; /* in elements */
};

enum untaken_exit_kind {
    UNTAKEN_EXIT_CODE = 0,    /* exit_code */
    UNTAKEN_EXIT_SIGNAL = 1,  /* exit_code is the signal */
    UNTAKEN_EXIT_TIMEOUT = 2,
    UNTAKEN_EXIT_MEMORY = 3,
    UNTAKEN_EXIT_ASSUME = 4,  /* an assumption did not hold: the run is no test */
    UNTAKEN_EXIT_ERROR = 5,   /* reach_error, klee_report_error, failed assertion: message says which */
    UNTAKEN_EXIT_INPUTS = 6,  /* it asked for more inputs than the run was to have; nothing is wrong */
    UNTAKEN_EXIT_LENGTH = 7   /* it passed more events than the run was to have; nothing is wrong */
};

/* Bits of cut_off: the program went on to its end, but the trace is not whole. */
#define UNTAKEN_CUT_EVENTS 1u
#define UNTAKEN_CUT_CONSTRAINTS 2u
#define UNTAKEN_CUT_NODES 4u
#define UNTAKEN_CUT_TABLES 8u
#define UNTAKEN_CUT_FIELDS 16u

/* What a run did that its trace does not show: then its constraints do not tell which inputs take its path. */
#define UNTAKEN_GAP_PROCESSES 1u /* it started another process */
#define UNTAKEN_GAP_REPLACED 2u  /* it replaced itself by another program */
#define UNTAKEN_GAP_TIMERS 4u    /* it asked for signals at certain times */
#define UNTAKEN_GAP_JUMPED 8u    /* it jumped out of a model */
#define UNTAKEN_GAP_HANDLERS 16u /* a handler of signals decided on the input while the runtime was at work */
#define UNTAKEN_GAP_READS 32u    /* stdin was read, but by no function that has a model */
#define UNTAKEN_GAP_EARLY 64u    /* a constructor asked for the input, before there was any */
#define UNTAKEN_GAP_FAULTS 128u  /* it handles its own faults: what led to one is not seen where a jump leaves it */
#define UNTAKEN_GAP_ASIDE 256u   /* it asked for what computing and printing leave beside their results */
#define UNTAKEN_GAP_CHANCE 512u  /* it asked for what no input says: the time, random numbers, who runs it */

enum untaken_concretised {
    UNTAKEN_BY_FLOAT = 0,    /* a symbolic value entered floating-point arithmetic */
    UNTAKEN_BY_WIDE = 1,     /* an integer wider than 128 bits */
    UNTAKEN_BY_VECTOR = 2,
    UNTAKEN_BY_ASM = 3,
    UNTAKEN_BY_OVERWRITE = 4, /* memory changed behind the shadow: uninstrumented code wrote there */
    UNTAKEN_BY_UNDEFINED = 5, /* undefined in C: a shift by too much, say */
    UNTAKEN_BY_OTHER = 6,
    UNTAKEN_CONCRETISED_KINDS = 7
};

/* Where that happened: the event before it, the line if it is known (else 0), and the position in the events, of what
 * came next. A place has one slot, by all but its position; one whose slot is taken is not told. */
struct untaken_place {
    uint32_t event;
    uint32_t kind; /* enum untaken_concretised, plus 1; 0: the slot is free */
    uint32_t line;
    uint32_t position;
};
#define UNTAKEN_PLACES 64

struct untaken_external {
    char name[56];
    uint64_t calls; /* with a symbolic argument, and no model */
};

/* An input statement: what the run had taken in and passed by then. */
struct untaken_asked {
    uint64_t position; /* input bytes */
    uint64_t events;
};
#define UNTAKEN_MOST_ASKED 128

/* A string of the program's own that was compared with one from the input, and could not be equal to it: where one
 * ends, the other goes on, and no input byte is there to be changed. Another input may have it in that place. */
#define UNTAKEN_WORD_SIZE 32
#define UNTAKEN_NO_PLACE UINT32_MAX /* it was compared with what did not come from the input */
struct untaken_word {
    uint32_t input;    /* the first input byte of what it was compared with, or UNTAKEN_NO_PLACE */
    uint32_t length;   /* how many input bytes that was */
    uint32_t position; /* in the events, of what came next */
    uint16_t size;     /* of the text */
    uint8_t is_made;   /* 1: no string of the program, but made up here: a number, or any text of a form */
    uint8_t part;      /* 0, or it is put in together with the word before it, of whose text it is a further part */
    char text[UNTAKEN_WORD_SIZE];
};

/* A burst: inputs that are changed at random, and what to change in them. Behind this lie the words, then the starts, then
 * the rest; offsets count from here. Run number i is a copy of start i / copies, with changes of its own. */
struct untaken_burst {
    uint32_t copies;
    uint32_t start_count; /* at least 1 */
    uint32_t word_count;
    uint32_t reserved;
};

struct untaken_start {
    uint32_t offset; /* of its bytes, which reach up to the end of its places */
    uint32_t size;
    uint32_t places_offset; /* of struct untaken_changeable */
    uint32_t place_count;
    uint32_t is_new; /* 1: the first of its copies is run as it is */
    uint32_t reserved;
};

/* A word that may be put in: its bytes. */
struct untaken_insert {
    uint32_t offset;
    uint32_t size;
};

#define UNTAKEN_WATCHED 1024
#define UNTAKEN_NO_LENGTH UINT32_MAX
struct untaken_changeable {
    uint32_t offset; /* in the input */
    uint32_t size;   /* the most that it may hold, unless it is loose */
    uint32_t length_offset; /* in the input, of a number that says how much of it there is; or UNTAKEN_NO_LENGTH */
    uint16_t keeps_size;    /* 1: it is a number */
    uint16_t is_loose;      /* 1: when its size changes, what follows moves */
};

struct untaken_shared {
    uint32_t magic;
    uint32_t abi_version;
    uint64_t size;
    /* Set by the driver before the program starts. */
    struct untaken_region input;       /* uint8_t */
    struct untaken_region events;      /* uint32_t */
    struct untaken_region owners;      /* uint8_t, one for each event block */
    struct untaken_region constraints; /* struct untaken_constraint */
    struct untaken_region windows;     /* uint64_t, one for each constraint */
    struct untaken_region nodes;       /* struct untaken_node; node 0 is unused */
    struct untaken_region slots;       /* uint32_t, at least 64: the index of the nodes, the runtime's own */
    struct untaken_region tables;      /* bytes */
    struct untaken_region fields;      /* struct untaken_field */
    struct untaken_region sources;     /* struct untaken_source */
    struct untaken_region externals;   /* struct untaken_external */
    struct untaken_region coverage;    /* uint8_t for each id: 1 if it ever ran; only the driver clears it */
    struct untaken_region biases;      /* struct untaken_bias */
    struct untaken_region words;       /* struct untaken_word */
    struct untaken_region reach;       /* struct untaken_reach, one for each node */
    struct untaken_region burst;       /* struct untaken_burst, and what it speaks of */
    struct untaken_region passes;      /* uint8_t for each id: how often runs passed it, see process/burst.c */
    struct untaken_region tallies;     /* uint8_t for each id, the runtime's own: of one run, and 0 between runs */
    uint64_t source_count;
    uint64_t bias_count;
    uint64_t memory_limit; /* bytes of address space that a run may add; 0: none */
    uint64_t file_limit;   /* bytes of a file that a run may write; 0: none */
    uint32_t most_runs;    /* that one process may be used for, see process/reuse.c */
    uint32_t changes_process; /* 1 if the program may set signal handlers or masks, which are put back then */
    uint32_t sets_locale;     /* 1 if the program calls setlocale, see process/server.c */
    uint32_t handles_files;   /* 1 if it may open or close something, which is put back then */
    uint32_t prologue_once;   /* 1: what it does before it looks at its input is done once, see process/prologue.c */
    uint32_t takes_addresses; /* 1 if those that __untaken_took_address tells of may be other than its own functions */
    /* Set by the driver before each run. */
    uint64_t input_size; /* bytes given; past them inputs read as zero */
    uint32_t timeout_ms;
    uint32_t run_flags; /* UNTAKEN_RUN_* */
    uint64_t input_limit; /* input statements that the run may make, from its snapshot on; 0: any number */
    uint64_t random_seed; /* for UNTAKEN_RUN_WANDER, as is the next */
    uint64_t saturation;  /* input statements without a new branch, after which a snapshot is taken */
    uint64_t event_limit; /* events after which the main thread ends the run, in whole blocks; 0: any number */
    uint64_t burst_end;  /* for UNTAKEN_RUN_BURST: so many runs there are to be */
    uint64_t burst_done; /* so many there have been */
    uint64_t burst_short; /* how many of these, since the request, ended as UNTAKEN_EXIT_INPUTS */
    uint64_t burst_long;  /* and as UNTAKEN_EXIT_LENGTH */
    char watched[UNTAKEN_WATCHED]; /* paths, each with a zero behind it: a burst ends when entries come or go there */
    /* Set by the runtime once. */
    uint64_t id_count;
    /* Kept over the campaign. */
    uint64_t node_count; /* nodes in use, node 0 included */
    uint64_t table_bytes;
    uint64_t reach_count; /* nodes whose reach is known */
    uint64_t external_count;
    uint64_t run_count; /* marks which nodes a run has decided, see expressions/nodes.c */
    uint64_t refused;   /* UNTAKEN_REFUSED_* */
    /* Set by a run that wanders. */
    uint64_t input_statements;  /* since the program's start */
    uint64_t news_position;     /* input bytes taken when it last covered a new branch */
    uint64_t stop_position;     /* at a snapshot, or where a run may ask for no more: the input byte that comes next */
    /* Set by a run from a snapshot. */
    uint64_t asked_count;
    struct untaken_asked asked[UNTAKEN_MOST_ASKED]; /* its first input statements, but for the snapshot's own */
    /* Set by each run. */
    uint64_t input_used; /* bytes asked for, maybe more than given */
    uint64_t field_count;
    uint64_t constraint_count;
    uint64_t event_count; /* of the main thread */
    uint64_t new_ids;     /* how many ids this run was the first to cover */
    uint64_t word_count;
    uint32_t cut_off;
    uint32_t exit_kind;
    int32_t exit_code;
    uint32_t thread_count;
    uint64_t concretised[UNTAKEN_CONCRETISED_KINDS];
    uint64_t pins;
    uint64_t gaps;        /* UNTAKEN_GAP_* */
    uint64_t passed_oftener; /* of a burst: 1 if the run passed something as often as none before it */
    uint64_t nodes_asked; /* how often a node was asked for, whether new or there already */
    char message[512]; /* of a failed assertion or a fatal error of the runtime; NUL-terminated */
    struct untaken_place places[UNTAKEN_PLACES]; /* where values were concretised */
};

#define UNTAKEN_RUN_CONCRETE 1u /* inputs get no labels: no symbolic work at all */
#define UNTAKEN_RUN_WANDER 2u   /* concrete, with random inputs past the given ones; see process/snapshot.c */
#define UNTAKEN_RUN_PRINTABLE 4u /* random text is printable */
#define UNTAKEN_RUN_ENDS 8u     /* the run ends where the given input does */
#define UNTAKEN_RUN_WINDOWS 16u /* windows of constraints are wanted */
#define UNTAKEN_RUN_BURST 32u   /* many runs, until one of them shows something; see process/burst.c */
#define UNTAKEN_RUN_REACH 64u   /* what nodes reach is wanted, of those of earlier runs, too */
#define UNTAKEN_RUN_AWAKE 128u  /* the driver waits awake, so whoever takes the next request is to do so, too */

/* What keeps a state from being a snapshot, or from being a perfect one. */
#define UNTAKEN_REFUSED_THREADS 1u   /* none was taken: fork copies only the calling thread */
#define UNTAKEN_REFUSED_CHILDREN 2u  /* none was taken: a copy of the program is not the parent of its children */
#define UNTAKEN_DOUBTED_FILES 4u     /* files open for writing: what a search writes stays written */
#define UNTAKEN_DOUBTED_PIPES 8u     /* pipes and sockets: what a search reads is gone */

/* The program is started with these in its environment; without them it behaves as the plain program.
 * The fork server reads one byte from the control descriptor for each run and answers with a report on
 * the status descriptor when the run is over and shared memory is complete: UNTAKEN_REPORT, then one byte. A report of
 * 'R' is also sent when the server is ready. It leaves when the control descriptor is closed. Whatever else is on the
 * status descriptor comes from a program that writes to descriptors which are not its own, and is dropped.
 *
 * A run that wanders may answer UNTAKEN_SNAPSHOT instead: then it waits at an input statement and takes commands
 * from the snapshot descriptor. UNTAKEN_COMMAND_RUN: a run from there, in a fork, whose labels count input bytes from
 * stop_position on. UNTAKEN_COMMAND_RESUME: it goes on wandering, with what input there is from stop_position
 * on first. UNTAKEN_COMMAND_DROP: it ends. UNTAKEN_DONE comes when it has ended, however that came. */
#define UNTAKEN_COMMAND_RUN 'r'
#define UNTAKEN_COMMAND_RESUME 'c'
#define UNTAKEN_COMMAND_DROP 'q'
#define UNTAKEN_SNAPSHOT 'S'
#define UNTAKEN_DONE 'D'
#define UNTAKEN_LOST 'L'    /* a process that was killed has taken the request with it, if there was one: ask again */
#define UNTAKEN_STEPPED 'T' /* of a snapshot, after UNTAKEN_COMMAND_RUN */
#define UNTAKEN_REPORT 0xa74e4b544e559eull /* seven bytes */
#define UNTAKEN_ENV "UNTAKEN_FDS" /* "SHM,CONTROL,STATUS,SNAPSHOT": four descriptor numbers */

/* ---- Calls from instrumented code ----------------------------------------------------------------------
 * All but the event calls are reached only if some operand is symbolic. Labels of operands may still be 0.
 * Values are zero-extended to 64 bits; `result` is what the program computed.
 */
#define UNTAKEN_ARGUMENT_LABELS 64
#define UNTAKEN_RETURN_LABELS 8

/* A group of label work: what one cold block asks for. Operands are slots: below UNTAKEN_FIRST_CONSTANT values[i]
 * with labels[i] if the operand's bit in `symbolic` is set (bit 0: a, 1: b, 2: c), else concrete; from
 * UNTAKEN_FIRST_CONSTANT on constants of the group. A result's label is stored; its value too, unless the program's
 * own is in the slot already (UNTAKEN_GIVEN): then the two are compared, and the label dropped if they differ. */
#define UNTAKEN_GIVEN 0x80 /* a bit of `symbolic` */
#define UNTAKEN_MADE 0x08  /* another, of operand a; b and c have the next ones: it is a result of the same group */
#define UNTAKEN_FIRST_CONSTANT 128
enum untaken_step_kind {
    UNTAKEN_STEP_NONE = 0,        /* behind the last one */
    UNTAKEN_STEP_BINARY = 1,      /* a op b; descriptor: op | width of the operands << 8 */
    UNTAKEN_STEP_UNARY = 2,       /* op a, descriptor likewise: ABS CTPOP CTLZ CTTZ BSWAP BITREVERSE FSQRT FROUND */
    UNTAKEN_STEP_CAST = 3,        /* ZEXT SEXT TRUNC of a, FCONVERT and other casts; descriptor: op | from << 8 | to << 16 */
    UNTAKEN_STEP_SELECT = 4,      /* a ? b : c, of descriptor bits, as one expression */
    UNTAKEN_STEP_FUNNEL = 5,      /* a:b shifted by c; descriptor: width << 8 | (1 for fshr, 0 for fshl) */
    UNTAKEN_STEP_OFFSET = 6,      /* address a + b * extra + c; b has descriptor bits and is signed */
    UNTAKEN_STEP_LOAD = 7,        /* descriptor bytes from a + b, which is in object c of extra bytes if extra > 0, else
                                     the runtime looks among globals and heap blocks; over 8 bytes: only counted,
                                     as extra says: an untaken_concretised, and the size from bit 8 on */
    UNTAKEN_STEP_STORE = 8,       /* descriptor bytes to a + c, with the label of b */
    UNTAKEN_STEP_COPIED = 9,      /* c bytes from b to a; addresses are pinned */
    UNTAKEN_STEP_FILLED = 10,     /* c bytes of value b to a; the address is pinned */
    UNTAKEN_STEP_BRANCH = 11,     /* a decided a branch, before its event is stored; the value of b is the event, or 0
                                     for a decision that is no branch of the source (inline code of system headers,
                                     sanitizer checks): then the constraint's kind is UNTAKEN_LIBRARY */
    UNTAKEN_STEP_PIN = 12,        /* only the concrete value of a counts from here on, and that is a constraint; extra is
                                     1 if a is where a call or jump goes: then the others in its table are refused;
                                     2 if it is the size of a block on the stack */
    UNTAKEN_STEP_CONCRETISE = 13, /* the same without one: counted under enum untaken_concretised descriptor, at
                                     line extra */
    UNTAKEN_STEP_CHOOSE = 14,     /* the label of b if the value of a is nonzero, else of c */
    UNTAKEN_STEP_WIDE = 15        /* a step of kind extra (BINARY, UNARY, CAST or SELECT) where an operand or the result has
                                     more than 64 bits: such a value takes two slots or constants, the lower bits first, and
                                     its label is that of the first. Two more casts, of descriptor from << 8 | to << 16:
                                     EXTRACT of a from bit 64 on; CONCAT, of the upper bits a and the 64 lower bits b */
};
/* By which function the runtime takes the step: one that knows what is so in most steps of its kind (a concrete
 * address, an operator of the node table), or UNTAKEN_FORM_GENERAL, which takes any. BINARY steps have the number of
 * their operator: ADD, SUB, MUL, SHL to SLE; casts that widen have that of ZEXT or SEXT. */
enum untaken_step_form {
    UNTAKEN_FORM_GENERAL = 0,
    UNTAKEN_FORM_END = 1,        /* there is no step any more */
    UNTAKEN_FORM_DIFFERENT = 21, /* BINARY, NE */
    UNTAKEN_FORM_OFFSET = 30,
    UNTAKEN_FORM_BRANCH = 31,
    UNTAKEN_FORM_LOAD = 32,      /* plus the bytes: 1, 2, 4, 8; the base is no constant of the group */
    UNTAKEN_FORM_STORE = 48,     /* likewise, but not 2 */
    UNTAKEN_FORM_CONSTANT = 64,  /* added to that of a BINARY step whose second operand (the first may be symbolic), or a
                                    LOAD or STORE step whose distance, is a constant of the group: else it is none */
    UNTAKEN_FORM_DECIDING = 128  /* added to that of a comparison (EQ to SLE, NE); the next step is its BRANCH */
};
#define UNTAKEN_FORMS 256 /* more than any number of a form */
struct untaken_step {
    uint8_t kind, result, a, b, c, symbolic;
    uint16_t form;
    uint32_t descriptor;
    uint32_t extra;
};
struct untaken_group {
    uint64_t constant_count;
    uint64_t constants[]; /* then the steps, and one of UNTAKEN_FORM_END */
};
void __untaken_group(const struct untaken_group *group, uint64_t *values, untaken_label *labels);

/* The same for large functions, which hand values and labels over as arguments: `values` of them, each with its slot
 * and its bits, then `labels` with the slots of theirs. Steps are taken if a label is not zero, or if there may be
 * labels where one of the addresses in the `watched` slots leads to, in so many bytes; 0 means all of its line.
 * `own` is the function's array of labels, or null if all that it needs is the returned one, of slot `result`. */
struct untaken_handed {
    uint8_t slot, size;
};
struct untaken_handover {
    uint8_t values, labels, watched, result;
    uint32_t words;                  /* of the entries */
    struct untaken_handed entries[]; /* then a struct untaken_group */
};
untaken_label __untaken_handed(const struct untaken_handover *handover, untaken_label *own, ...);

/* Arguments: the caller stores the labels and then the callee's address; the callee believes the labels only
 * if it finds its own address, and clears it. So labels never reach the wrong function through
 * uninstrumented code. Returned labels work the same way: the callee stores its address in return_owner. */
extern __thread void *__untaken_callee;
extern __thread void *__untaken_return_owner;
extern __thread untaken_label __untaken_arguments[UNTAKEN_ARGUMENT_LABELS];
extern __thread untaken_label __untaken_returned[UNTAKEN_RETURN_LABELS];

/* Where the next event goes, and where this thread's block ends. At first both are null. */
extern __thread uint32_t *__untaken_cursor;
extern __thread uint32_t *__untaken_limit;
/* Called when cursor >= limit, and maybe also when not: makes sure that cursor < limit. */
uint32_t *__untaken_room(void); /* returns the cursor */

/* After each return of setjmp or one of its like, with what it returned, whose label it gives; jump: space in the
 * caller's frame. */
struct untaken_jump {
    uint32_t *events; /* the calls that were begun before these are still open */
    uint64_t inside;  /* the runtime: it had called the program, or the handler of a signal had come */
};
untaken_label __untaken_set_jump(struct untaken_jump *jump, int32_t result);

/* Set to 1 before a call that may leave something behind in the system: the process has no further run then. */
extern uint8_t __untaken_left_traces;
/* The same before code takes the address of a function that its unit only declares: of the program's own, mostly. */
extern uint8_t __untaken_took_address;

/* Before a call that does what the trace does not show. */
void __untaken_note_gap(uint32_t gap);

/* After the program's own copy or fill; any size, called unconditionally for large or unknown sizes. */
void __untaken_copied(void *to, const void *from, uint64_t size, untaken_label lsize);
void __untaken_filled(void *to, uint64_t size, untaken_label lbyte, untaken_label lsize);
/* Emits the events of a switch, and constraints if label is nonzero. first: byte of the first case's pair, or
 * null if the cases are no branches of the source: then no events, and the kind is UNTAKEN_LIBRARY. */
struct untaken_switch {
    uint32_t count;
    uint32_t width;
    const uint8_t *first;
    uint64_t values[]; /* count */
};
void __untaken_switch(untaken_label label, uint64_t value, const struct untaken_switch *cases);
/* The same for a value of more than 64 bits: width says how many, and each case has two words, the lower one first. */
void __untaken_wide_switch(untaken_label label, uint64_t low, uint64_t high, const struct untaken_switch *cases);
/* A symbolic value is used where only its concrete value counts from here on. */
void __untaken_concretise(uint32_t kind, untaken_label label, uint32_t line);
/* Before a call of a library function that reads what an argument points to: if that is a string with a symbolic
 * byte near its beginning, the call is one with symbolic arguments. behind: the argument points to a pointer to it.
 * object: it is no string, but has so many bytes. code: before instructions that nobody sees into, which may also read
 * where pointers lead that they find there. */
void __untaken_passed(void *callee, const void *pointer);
void __untaken_passed_object(void *callee, const void *pointer, uint64_t size);
void __untaken_passed_behind(void *callee, const void *const *pointer);
void __untaken_passed_to_code(void *callee, const void *pointer);
/* Before the program asks for errno, which functions of libm may have set. */
void __untaken_errno_asked(void);
/* Before a call of the printf family that writes elsewhere than to memory: the format may be input. */
void __untaken_format(const char *format, const char *name);
/* After a call that may have had symbolic arguments, if __untaken_callee still holds the callee; counts the callee
 * if it did not take them. */
void __untaken_after_call(void *callee, const char *name);
/* After a call of the function `real`, which `self` stands for, with the labels that were meant for `self`. If
 * nobody took them, it was the library's function, and the result is a node with its number. descriptor: bits of the
 * result | bits of a << 8 | bits of b, or 0 << 16 | number of the function << 24. */
#define UNTAKEN_POWERS 2u /* lower numbers are pow and powf: compilers make products of squares */
void __untaken_function(void *self, void *real, uint32_t descriptor, uint64_t a, uint64_t b, uint64_t result);
/* After a call of a library function that wrote there, if `to` is not null: so many bytes, as many as `size` points
 * to, or a string. Labels of what was there before are gone. */
void __untaken_written(void *to, int64_t size);
void __untaken_written_behind(void *to, const uint32_t *size);
void __untaken_written_string(char *to);
/* Aggregates passed in memory (byval). Caller, before the call, for byval argument `slot`; callee, on entry.
 * in: matched is 1 if the callee found its own address, else the shadow of the copy is just cleared. */
void __untaken_byval_out(uint32_t slot, const void *from, uint64_t size);
void __untaken_byval_in(uint32_t slot, void *to, uint64_t size, uint32_t matched);
/* Variable arguments (Linux x86-64). The caller describes the call with one character for each argument:
 * 'g' integer or pointer, 'f' float or double, 'w' an integer of 128 bits (two registers or 16 aligned bytes),
 * 'x' long double (16 aligned bytes of stack), 'm' an aggregate in memory; then for each 'm' ",SIZE" in decimal.
 * out: before the call, with the argument labels already stored. entry: in the callee `self`, on entry; saves what
 * va_start needs, matched as above. start: after llvm.va_start. saved: space in the callee's frame. */
struct untaken_varargs {
    uint32_t gp_labels[6];
    uint32_t fp_labels[8];
    uint32_t stack_count;
    uint32_t stack_labels[64]; /* labels of 8-byte stack slots in order */
};
extern __thread struct untaken_varargs __untaken_varargs_out;
void __untaken_varargs_call(const char *shape, uint32_t count);
/* Told before each call, symbolic or not, that has variable arguments on the stack: how many slots they take. There
 * may be labels of what lay in these slots before, which only the callee can drop. */
struct untaken_stacked {
    void *callee;
    uint64_t slots;
};
extern __thread struct untaken_stacked __untaken_stacked;
void __untaken_varargs_entry(struct untaken_varargs *saved, uint32_t matched, void *self);
void __untaken_varargs_start(const struct untaken_varargs *saved, void *va_list);
/* Stack memory is given back (function returns, VLAs): nothing to do; labels are checked against values. */

/* Each image (executable or shared object) registers its ids and globals from a constructor. */
struct untaken_global {
    const void *address;
    uint64_t size;
};
void __untaken_register_image(const uint8_t *ids, const uint8_t *ids_end, const struct untaken_global *globals,
                              const struct untaken_global *globals_end);

#endif
