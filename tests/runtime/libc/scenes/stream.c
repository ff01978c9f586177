/* Scenes that read stdin, as descriptor and as FILE. */
#define _GNU_SOURCE
#include "harness.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#undef fgetc
#undef feof
#undef ferror
#undef clearerr

#define MODEL(function) extern __typeof__(function) untaken_model_##function;
MODEL(read)
MODEL(pread)
MODEL(readv)
MODEL(lseek)
MODEL(fstat)
MODEL(mmap)
MODEL(munmap)
MODEL(fgetc)
MODEL(ungetc)
MODEL(fread)
MODEL(fgets)
MODEL(getline)
MODEL(getdelim)
MODEL(feof)
MODEL(ferror)
MODEL(clearerr)
MODEL(ftell)
MODEL(fseek)
MODEL(free)

static unsigned take(uint64_t *choices, unsigned below) {
    unsigned choice = (unsigned)(*choices % below);
    *choices /= below;
    return choice;
}

static void play_read(struct play *play) {
    uint64_t choices = play->choices;
    for (unsigned at = 0; at < 40; at += 13)
        CALL(play, 64, read, 0, play->output + at, take(&choices, 13));
}

static void play_pread(struct play *play) {
    uint64_t choices = play->choices;
    for (unsigned at = 0; at < 40; at += 13)
        CALL(play, 64, pread, 0, play->output + at, take(&choices, 13), take(&choices, STREAM));
}

static void play_readv(struct play *play) {
    struct iovec vector[] = {{play->output, play->choices % 20}, {play->output + 30, play->choices / 32 % 25}};
    CALL(play, 64, readv, 0, vector, 2);
    CALL(play, 64, read, 0, play->output + 60, 1);
}

static void play_lseek(struct play *play) {
    uint64_t choices = play->choices;
    CALL(play, 64, read, 0, play->output, take(&choices, 20));
    CALL(play, 64, lseek, 0, 0, SEEK_CUR);
    CALL(play, 64, lseek, 0, take(&choices, 5), SEEK_END);
    CALL(play, 64, lseek, 0, take(&choices, 5), SEEK_CUR);
    CALL(play, 64, lseek, 0, 0, SEEK_CUR);
    if (take(&choices, 2))
        CALL(play, 64, lseek, 0, take(&choices, 30), SEEK_SET);
    CALL(play, 64, read, 0, play->output + 20, take(&choices, 20));
    CALL(play, 64, lseek, 0, 0, SEEK_CUR);
}

static void play_fstat(struct play *play) {
    struct stat status;
    if (play->symbolic)
        untaken_model_fstat(0, &status);
    else
        fstat(0, &status);
    memcpy(play->output, &status.st_size, sizeof status.st_size);
    if (play->symbolic)
        untaken_memory_copy(play->output, &status.st_size, sizeof status.st_size);
    note(play, NULL, 64, 0);
}

/* A mapping has the bytes of the file; how many there are of them follows from its size, which is pinned here. */
static void play_mmap(struct play *play) {
    char *mapped = play->symbolic ? untaken_model_mmap(NULL, STREAM, PROT_READ, MAP_PRIVATE, 0, 0)
                                  : mmap(NULL, STREAM, PROT_READ, MAP_PRIVATE, 0, 0);
    struct stat status;
    CALL(play, 32, fstat, 0, &status);
    if (play->symbolic)
        untaken_pin_term(untaken_memory_load(&status.st_size, 8));
    if (status.st_size == 0)
        return;
    memcpy(play->output, mapped, (size_t)status.st_size < STREAM ? (size_t)status.st_size : STREAM);
    if (play->symbolic)
        untaken_memory_copy(play->output, mapped, (size_t)status.st_size);
    if (play->symbolic)
        untaken_model_munmap(mapped, STREAM);
    else
        munmap(mapped, STREAM);
}

static void play_getc(struct play *play) {
    for (unsigned index = 0; index < 12; index++) {
        CALL(play, 32, fgetc, play->file);
        CALL(play, 32, feof, play->file);
    }
}

static void play_clearerr(struct play *play) {
    if (play->symbolic)
        untaken_model_clearerr(play->file);
    else
        clearerr(play->file);
}

static void play_fread(struct play *play) {
    uint64_t choices = play->choices;
    for (unsigned index = 0; index < 3; index++) {
        unsigned size = 1 + take(&choices, 3), count = take(&choices, 20 / size);
        CALL(play, 64, fread, play->output + 20 * index, size, count, play->file);
        if (take(&choices, 3) == 0)
            play_clearerr(play);
        CALL(play, 32, feof, play->file);
        CALL(play, 32, ferror, play->file);
    }
    CALL(play, 64, ftell, play->file);
}

static void play_fgets(struct play *play) {
    uint64_t choices = play->choices;
    for (unsigned index = 0; index < 3; index++) {
        CALL(play, 64, fgets, play->output + 20 * index, (int)(1 + take(&choices, 20)), play->file);
        CALL(play, 32, feof, play->file);
    }
}

static void play_getline(struct play *play) {
    char *line = NULL;
    size_t room = 0;
    if (play->choices % 2)
        CALL(play, 64, getline, &line, &room, play->file);
    else
        CALL(play, 64, getdelim, &line, &room, 'a', play->file);
    size_t length = (int64_t)play->results[0].value < 0 ? 0 : play->results[0].value;
    memcpy(play->output, line, length);
    if (play->symbolic)
        untaken_memory_copy(play->output, line, length);
    CALL(play, 64, getline, &line, &room, play->file);
    CALL(play, 32, feof, play->file);
    if (play->symbolic)
        untaken_model_free(line);
    else
        free(line);
}

/* All of them in any order. */
static void play_mixed(struct play *play) {
    uint64_t choices = play->choices;
    for (unsigned index = 0; index < 8; index++) {
        char *to = play->output + 8 * index;
        switch (take(&choices, 7)) {
        case 0:
            CALL(play, 64, fread, to, 1, take(&choices, 8), play->file);
            break;
        case 1:
            CALL(play, 64, fgets, to, 8, play->file);
            break;
        case 2:
            CALL(play, 64, ftell, play->file);
            break;
        case 3:
            CALL(play, 32, fseek, play->file, take(&choices, 9), SEEK_SET);
            break;
        case 4:
            CALL(play, 32, fseek, play->file, 0, SEEK_END);
            CALL(play, 64, ftell, play->file);
            break;
        default:
            CALL(play, 32, fgetc, play->file);
        }
        CALL(play, 32, feof, play->file);
    }
}

#define LINES "ab\n"
const struct scene stream_scenes[] = {
    {"read", LINES, play_read, true},
    {"pread", LINES, play_pread, true},
    {"readv", LINES, play_readv, true},
    {"lseek", LINES, play_lseek, true},
    {"fstat", LINES, play_fstat, true},
    {"mmap", LINES, play_mmap, true},
    {"getc", LINES, play_getc, true},
    {"fread", LINES, play_fread, true},
    {"fgets", LINES, play_fgets, true},
    {"getline", LINES, play_getline, true},
    {"mixed", LINES, play_mixed, true},
    {0},
};
