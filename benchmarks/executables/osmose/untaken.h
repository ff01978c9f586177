/* For processors without an operating system: an input is what a port says, byte by byte. */
#ifndef UNTAKEN_H
#define UNTAKEN_H

#ifdef __SDCC
__sfr __at(0x90) untaken_port;
#define UNTAKEN_MEMORY __data
#else
#define untaken_port (*(volatile unsigned char *)0x9000)
#define UNTAKEN_MEMORY
#endif

#define untaken_input(place, size, name)                                           \
    for (unsigned char untaken_i = 0; untaken_i < (size); untaken_i++)             \
        ((UNTAKEN_MEMORY unsigned char *)(place))[untaken_i] = untaken_port

#endif
