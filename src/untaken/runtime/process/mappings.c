/* What is mapped into the address space, read off /proc/self/maps. Runs begin with what the server has. */
#include "process/family.h"
#include "process/mappings.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A line: "begin-end rwxp offset device inode name". */
static bool parse(const char *line, struct untaken_mapping *mapping) {
    char *rest;
    mapping->begin = strtoul(line, &rest, 16);
    mapping->end = *rest == '-' ? strtoul(rest + 1, &rest, 16) : 0;
    if (strnlen(rest, 5) < 5 || strstr(rest, "[vsyscall]") != NULL) {
        return false;
    }
    const char *inode = strchr(rest, ':');
    inode = inode == NULL ? NULL : strchr(inode, ' ');
    memcpy(mapping->rights, rest + 1, sizeof mapping->rights);
    mapping->is_programs = rest[1] == 'r' && rest[4] == 'p' && strstr(rest, "[v") == NULL;
    mapping->is_written = mapping->is_programs && rest[2] == 'w';
    mapping->of_file = inode != NULL && strtoul(inode, NULL, 10) != 0;
    return true;
}

static void (*each_mapping)(const struct untaken_mapping *);

static void parse_line(char *line) {
    struct untaken_mapping mapping;
    if (parse(line, &mapping)) {
        each_mapping(&mapping);
    }
}

void untaken_each_mapping(void (*each)(const struct untaken_mapping *)) {
    each_mapping = each;
    untaken_each_line("/proc/self/maps", parse_line);
}

uint64_t untaken_mapped_pages(void) {
    char text[64] = "";
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0) {
        close(fd);
    }
    return got <= 0 ? 0 : strtoull(text, NULL, 10);
}
