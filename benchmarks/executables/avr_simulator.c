/* Runs an AVR program in simavr up to an address, and writes its data memory: 
 * avr_simulator IMAGE ADDRESS FIRST END FILE. The library itself writes to standard output. */
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    elf_firmware_t firmware = {0};
    if (argc != 6 || elf_read_firmware(argv[1], &firmware))
        return 2;
    avr_flashaddr_t last = strtoul(argv[2], 0, 0);
    avr_t *avr = avr_make_mcu_by_name("atmega128");
    if (!avr || avr_init(avr))
        return 2;
    avr_load_firmware(avr, &firmware);
    while (avr->pc != last) {
        int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed)
            return 3;
    }
    size_t first = strtoul(argv[3], 0, 0), end = strtoul(argv[4], 0, 0);
    FILE *file = fopen(argv[5], "wb");
    return !file || fwrite(avr->data + first, 1, end - first, file) != end - first || fclose(file);
}
