/* For processors without an operating system: an input is what a port says, byte by byte. */
#ifndef UNTAKEN_H
#define UNTAKEN_H

#ifdef __SDCC
__sfr __at(0x90) untaken_port;
#define UNTAKEN_MEMORY __data
#else
#if defined __AVR
#define UNTAKEN_PORT 0x39
#elif defined __MSP430__
#define UNTAKEN_PORT 0x20
#else
#define UNTAKEN_PORT 0x9000
#endif
#define untaken_port (*(volatile unsigned char *)UNTAKEN_PORT)
#define UNTAKEN_MEMORY
#endif

#define untaken_input(place, size, name)                                           \
    for (unsigned char untaken_i = 0; untaken_i < (size); untaken_i++)             \
        ((UNTAKEN_MEMORY unsigned char *)(place))[untaken_i] = untaken_port

#endif
