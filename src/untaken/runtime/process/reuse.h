/* Between the parts of reuse.c: what is kept of a process that has many runs, and what puts each share of it back. */
#ifndef UNTAKEN_PROCESS_REUSE_H
#define UNTAKEN_PROCESS_REUSE_H

#include "process/mappings.h"
#include "process/process.h"

#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/types.h>

#define MOST_PAGES 1024u
#define MOST_RANGES 64u
#define MOST_MAPPINGS 256u
#define MOST_LEFT 64u
#define MOST_OF_RUN 64u
#define STACK_SIZE (16u << 10)
#define STANDARD 3 /* descriptors that programs begin with */
#define MOST_KEPT (STANDARD + UNTAKEN_MOST_OPEN_FILES)
#define MOST_HIDDEN 16
#define SIGNALS 64

struct file {
    dev_t device;
    ino_t number;
};

/* A descriptor that each run begins with, and our copy of it: many programs close theirs at their end. */
struct kept {
    int fd, copy, flags;
};

struct page {
    uintptr_t address;
    const uint8_t *copy; /* null: zeros */
    bool is_own;         /* and so to be put back */
};

struct stretch {
    uintptr_t begin, end;
};

/* As the kernel has it. */
struct action {
    uintptr_t handler;
    uint64_t flags;
    uintptr_t restorer;
    uint64_t mask;
};

/* What else of the process some programs change. */
struct process {
    struct action actions[SIGNALS]; /* signals are numbered from 1 */
    uint64_t blocked;
    stack_t stack; /* of handlers */
    mode_t file_mask;
    char folder[PATH_MAX];
};

/* What is mapped after a run, beside what was mapped before. */
struct comparison {
    unsigned at;          /* of the mappings before, the next one */
    uint64_t still_there; /* pages of those */
    bool is_alike;        /* with the same rights */
    unsigned left_count;
    struct stretch left[MOST_LEFT]; /* what the run has mapped */
};

/* What is kept of a process: in memory of its own, which is never put back. */
struct untaken_reuse {
    jmp_buf before;
    uint64_t faults; /* before the run */
    bool has_faulted; /* since: pages were looked at, or copied */
    uint64_t size;   /* of the address space, in pages */
    uintptr_t heap_end;
    uint32_t runs;
    uint32_t float_status;
    uint16_t float_control;
    bool is_ready;
    bool goes_on; /* with a run that nobody asks for, see burst.c */
    int first_free; /* descriptor, from our own ones on */
    unsigned kept_count;
    struct kept kept[MOST_KEPT];
    struct file hidden[MOST_HIDDEN];
    struct process process;
    bool knows_mappings;
    uint32_t unmappings;     /* runs after which something had to be unmapped */
    bool has_unmapped;       /* after the last one */
    struct comparison comparison;
    uint32_t count, found;
    struct page pages[MOST_PAGES];
    uint8_t stack[STACK_SIZE] __attribute__((aligned(16)));
    unsigned mapped_count;
    struct untaken_mapping mapped[MOST_MAPPINGS]; /* all that there was in the server */
    uint8_t copies[MOST_PAGES][UNTAKEN_PAGE] __attribute__((aligned(UNTAKEN_PAGE)));
};
extern UNTAKEN_OWN struct untaken_reuse *untaken_reuse; /* null: each process is for one run */

/* ---- reuse_pages.c ---- */
/* Memory that can be written to, in the server. */
extern UNTAKEN_OWN struct untaken_mapping untaken_reuse_written[MOST_RANGES];
extern UNTAKEN_OWN unsigned untaken_reuse_written_count; /* more than MOST_RANGES if there are more */
/* Called with each page of that memory that holds something; returns false if it cannot go on. */
typedef bool untaken_page_look(uintptr_t address, bool is_own);
bool untaken_reuse_look_at_pages(untaken_page_look *look); /* false if there was something in the way */

/* ---- reuse_mappings.c ---- */
void untaken_reuse_add_mapping(const struct untaken_mapping *mapping); /* of the server */
uint64_t untaken_reuse_pages_before(void); /* that those have */
void untaken_reuse_forget_mappings(void); /* from now on those of a run are noted */
bool untaken_reuse_has_mapped(void);      /* whether the run has left any */
bool untaken_reuse_put_mappings_back(void);

/* ---- reuse_descriptors.c ---- */
bool untaken_reuse_all_closed(void); /* but the standard ones */
bool untaken_reuse_note_descriptors(void);
bool untaken_reuse_put_descriptors_back(void);

/* ---- reuse_signals.c ---- */
bool untaken_reuse_note_signals(void);
bool untaken_reuse_put_signals_back(void);

#endif
