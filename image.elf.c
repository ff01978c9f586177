/* image.elf, PowerPC, 32 bits: lifted by untaken, one line an instruction. */
#include "image.elf.untaken.c"


static address fn_1000(address pc) {
        (void)pc;
        tick(1, 0x1000); stack(0x1000); ;                        /* 1000  li r3,0x1 */
        tick(1, 0x1004); untaken_finish();                       /* 1004  b 0x1004 */
}
