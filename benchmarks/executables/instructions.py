"""Random values through each instruction of a list: results and flags, which compilers mostly do not look at.

python -m benchmarks.executables.soak avr --instructions --programs 20
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

CASES = 150  # in one program
EDGES = (0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x0F, 0x10, 0x99)


@dataclass(frozen=True, slots=True)
class InstructionList:
    """Instructions of a processor as its assembler takes them, and the C around one of them.

    `case` is given an instruction, random values, and the number of the first of `results` that are to be written.
    """

    plain: str
    case: Callable[[str, random.Random, int], str]
    kind: str  # of the results, in C
    results: int = 3


def value(chance: random.Random, bits: int) -> int:
    """Edges as often as anything else."""
    drawn = chance.choice(EDGES) if chance.random() < 0.5 else chance.getrandbits(bits)
    return drawn & ((1 << bits) - 1)


def random_instructions(processor: str, seed: int) -> str:
    """A program that runs random ones, and keeps what they did."""
    known, chance = LISTS[processor], random.Random(seed)
    words = [line.strip() for line in known.plain.split(";") if line.strip()]
    cases = [known.case(chance.choice(words), chance, known.results * number) for number in range(CASES)]
    body = "\n".join(cases)
    return f"{known.kind} results[{known.results * CASES}];\nint random_main(void) {{\n{body}\nreturn 0;\n}}\n"


def _numbered(text: str, chance: random.Random) -> str:
    """With numbers for N (a byte that is not 0) and B (a bit)."""
    return text.replace("{N}", str(chance.randrange(1, 256))).replace("{B}", str(chance.randrange(8)))


def _8051(text: str, chance: random.Random, first: int) -> str:
    text = _numbered(text, chance).replace("|", "\n")
    values = (
        value(chance, 8) & 0xE7,
        value(chance, 8),
        value(chance, 8) or 3,
    )  # PSW without its bank; no division by 0
    setting = "mov r0,#0x40\nmov 0x40,#{1}\nmov r7,#{0}\nmov b,#{2}\nmov psw,r7\nmov a,#{1}".format(*values)
    keeping = "mov r7,a\nmov r6,psw\n"
    for place, kept in enumerate(("r7", "r6", "b", "0x40")):
        keeping += f"mov dptr,#(_results+{first + place})\nmov a,{kept}\nmovx @dptr,a\n"
    return f"__asm\n{setting}\n{text.replace('L', f'0{first:04d}$')}\n{keeping}__endasm;"


def _avr(text: str, chance: random.Random, first: int) -> str:
    text = _numbered(text, chance).replace("|", r"\n")
    left, right, status = (value(chance, 8) for _ in range(3))
    flags = status & 0x7F
    return (
        f'{{ register unsigned char d asm("r24") = {left}, e asm("r25") = {right}, s asm("r18") = {flags};\n'
        'register unsigned char r asm("r22") = ' + str(value(chance, 8)) + "; unsigned char l;\n"
        f'asm volatile("out 0x3f,r18\\n{text}\\nin r18,0x3f\\nmov %0,r0\\nclr r1" '
        ': "=&r"(l), "+r"(d), "+r"(e), "+r"(s), "+r"(r) : : "r0");\n'
        f"results[{first}] = d; results[{first + 1}] = e; results[{first + 2}] = s; results[{first + 3}] = l; }}"
    )


def _msp430(text: str, chance: random.Random, first: int) -> str:
    left, right = value(chance, 16), value(chance, 16)
    if text.startswith("dadd"):
        left, right = (int(str(chance.randrange(10000)), 16) for _ in range(2))
    mask = 0x007 if text.startswith("dadd") else 0x107  # V is nobody's after dadd
    return (
        f"{{ unsigned d, s;\n"
        f'asm volatile("mov #{left}, r12\\nmov #{right}, r13\\nmov #{value(chance, 3) | chance.getrandbits(1) << 8}, r2'
        f'\\n{text}\\nmov r2, r13\\nmov r12, %0\\nmov r13, %1" : "=r"(d), "=r"(s) : : "r12", "r13");\n'
        f"results[{first}] = d; results[{first + 1}] = s & {mask}; }}"
    )


def _ppc(text: str, chance: random.Random, first: int) -> str:
    text = text.replace("{S}", str(chance.randrange(32))).replace("{T}", str(chance.randrange(32)))
    text = text.replace("{U}", str(chance.randrange(32))).replace("{I}", str(chance.randrange(-0x8000, 0x8000)))
    left, right, before = (value(chance, 32) for _ in range(3))
    right = right or 7
    if text.startswith("div") and right == 0xFFFFFFFF:
        right = 3
    status = chance.choice((0, 0x20000000, 0x80000000, 0xA0000000))
    return (
        f"{{ unsigned d = {before}u, c, x;\n"
        f'asm volatile("mtcr %5\\nmtxer %6\\n{text}\\nmfcr %1\\nmfxer %2" : "+&r"(d), "=&r"(c), "=&r"(x) '
        f': "r"({left}u), "r"({right}u), "r"({value(chance, 32)}u), "r"({status}u) : "cr0", "xer");\n'
        f"results[{first}] = d; results[{first + 1}] = c; results[{first + 2}] = x; }}"
    )


def _arm(text: str, chance: random.Random, first: int) -> str:
    text = text.replace("{S}", str(chance.randrange(1, 32))).replace("{W}", str(chance.randrange(1, 8)))
    left, right, before = (value(chance, 32) for _ in range(3))
    if chance.random() < 0.3:
        right = chance.randrange(1, 40)
    return (
        f"{{ unsigned d = {before}u, s = {chance.getrandbits(4) << 28}u;\n"
        f'asm volatile(".syntax unified\\nmsr APSR_nzcvq, %1\\n{text.replace("|", NEXT)}\\nmrs %1, APSR" '
        f': "+&l"(d), "+&l"(s) : "l"({left}u), "l"({right or 5}u) : "cc");\n'
        f"results[{first}] = d; results[{first + 1}] = s & 0xf8000000u; }}"
    )


# The flags that are defined after an instruction that begins so; the auxiliary carry only code of 32 bits reads.
FLAGS = {
    "rol": 1,
    "ror": 1,
    "rc": 1,
    "sh": 0x0C5,
    "sar": 0x0C5,
    "or{s} $1": 0x040,
    "bt": 1,
    "mul": 0x801,
    "imul": 0x801,
}
FLAGS |= {"two imul": 0x801, "xor %%": 0, "cqo": 0, "popcnt": 0}
ALL_FLAGS = 0x8C5
NOT_OF_BYTES = ("or{s} $1", "bt", "imul", "cmov", "shld", "shrd", "popcnt")
NEXT = "\\n"


def _x86(text: str, chance: random.Random, first: int) -> str:
    size = chance.choice("lwq" if text.startswith(NOT_OF_BYTES) else "blwq")
    if text.startswith("bswap"):
        size = "q"
    bits = {"b": 8, "w": 16, "l": 32, "q": 64}[size]
    mask = next((flags for start, flags in FLAGS.items() if text.startswith(start)), ALL_FLAGS)
    letter = {"b": "b", "w": "w", "l": "k", "q": "q"}[size]
    named = {
        "{s}": size,
        "{a}": f"%{letter}0",
        "{c}": f"%{letter}2",
        "{n}": str(chance.randrange(1, bits)),
        "{d}": "%0",
    }
    for mark, word in named.items():
        text = text.replace(mark, word)
    flags, left, right, high = chance.choice((0x2, 0x3, 0x8C3, 0x42, 0x83)), *(value(chance, 64) or 9 for _ in range(3))
    return (
        f"{{ unsigned long d = {left}ul, f = {flags}, c = {right}ul, e = {high}ul;\n"
        f'asm volatile("push %1\\npopfq\\n{text.removeprefix("two ").replace("|", NEXT)}\\npushfq\\npop %1" '
        ': "+&a"(d), "+&r"(f), "+&c"(c), "+&d"(e) : : "cc", "memory");\n'
        f"results[{first}] = d; results[{first + 1}] = f & {mask}; results[{first + 2}] = e; }}"
    )


LISTS = {
    "8051": InstructionList(
        """
        add a,#{N}; add a,b; addc a,#{N}; addc a,b; subb a,#{N}; subb a,b; subb a,@r0; add a,@r0; da a; add a,b|da a;
        mul ab; div ab; rl a; rr a; rlc a; rrc a; swap a; cpl a; inc a; dec a; inc @r0; dec @r0; anl a,b; orl a,b;
        xrl a,b; anl 0x40,a; orl 0x40,#{N}; xrl 0x40,a; xch a,@r0; xch a,b; xchd a,@r0; cpl c; clr c; setb c;
        anl c,acc.{B}; anl c,/acc.{B}; orl c,acc.{B}; orl c,/acc.{B}; mov c,acc.{B}; mov acc.{B},c; cpl acc.{B};
        setb b.{B}; clr b.{B}; cjne a,#{N},L|L:; cjne @r0,#{N},L|inc b|L:; cjne a,b,L|cpl a|L:; djnz b,L|inc a|L:;
        jb acc.{B},L|inc b|L:; jbc acc.{B},L|inc b|L:; jnb psw.0,L|inc b|L:; jc L|inc b|L:;
        mov psw,b|anl psw,#0xe7|cpl a; push acc|pop b; mov b,psw
        """,
        _8051,
        "__xdata unsigned char",
        4,
    ),
    "avr": InstructionList(
        """
        add r24,r22; adc r24,r22; sub r24,r22; sbc r24,r22; and r24,r22; or r24,r22; eor r24,r22; com r24; neg r24;
        inc r24; dec r24; lsl r24; lsr r24; rol r24; ror r24; asr r24; swap r24; mul r24,r22; muls r24,r22;
        mulsu r20,r22; fmul r20,r22; fmuls r20,r22; fmulsu r20,r22; adiw r24,{B}; sbiw r24,{B}; bst r24,{B};
        bld r24,{B}; subi r24,{N}; sbci r24,{N}; cpi r24,{N}; cp r24,r22; cpc r24,r22; andi r24,{N}; ori r24,{N};
        tst r24; sbrc r24,{B}|inc r25; sbrs r24,{B}|inc r25; cpse r24,r25|inc r25; brhs .+2|inc r25; brvs .+2|inc r25;
        brts .+2|inc r25; brlt .+2|inc r25; movw r24,r22; bset {B}|bclr 7; bclr {B}; clr r24; ser r24
        """,
        _avr,
        "unsigned char",
        4,
    ),
    "msp430": InstructionList(
        """
        add r13, r12; add.b r13, r12; addc r13, r12; addc.b r13, r12; sub r13, r12; sub.b r13, r12; subc r13, r12;
        subc.b r13, r12; cmp r13, r12; cmp.b r13, r12; dadd r13, r12; bit r13, r12; bit.b r13, r12; bic r13, r12;
        bic.b r13, r12; bis r13, r12; bis.b r13, r12; xor r13, r12; xor.b r13, r12; and r13, r12; and.b r13, r12;
        rrc r12; rrc.b r12; rra r12; rra.b r12; swpb r12; sxt r12; mov.b r13, r12; inv r12; inc.b r12; dec r12; adc r12;
        sbc.b r12; rla r12; rlc.b r12; tst r12; clr.b r12
        """,
        _msp430,
        "unsigned",
        2,
    ),
    "ppc": InstructionList(
        """
        add. %0,%3,%4; addo. %0,%3,%4; addc. %0,%3,%4; addco %0,%3,%4; adde. %0,%3,%4; addeo. %0,%3,%4; addze. %0,%3;
        addme. %0,%3; subf. %0,%3,%4; subfo. %0,%3,%4; subfc. %0,%3,%4; subfe. %0,%3,%4; subfeo %0,%3,%4; subfze. %0,%3;
        subfme. %0,%3; neg. %0,%3; nego. %0,%3; mullw. %0,%3,%4; mullwo. %0,%3,%4; mulhw. %0,%3,%4; mulhwu. %0,%3,%4;
        divw. %0,%3,%4; divwu. %0,%3,%4; and. %0,%3,%4; andc. %0,%3,%4; or. %0,%3,%4; orc. %0,%3,%4; xor. %0,%3,%4;
        nand. %0,%3,%4; nor. %0,%3,%4; eqv. %0,%3,%4; cntlzw. %0,%3; extsb. %0,%3; extsh. %0,%3; slw. %0,%3,%4;
        srw. %0,%3,%4; sraw. %0,%3,%4; srawi. %0,%3,{S}; rlwinm. %0,%3,{S},{T},{U}; rlwimi. %0,%3,{S},{T},{U};
        rlwnm. %0,%3,%4,{T},{U}; cmpw %3,%4; cmplw 3,%3,%4; cmpwi 5,%3,{I}; addic. %0,%3,{I}; subfic %0,%3,{I};
        mulli %0,%3,{I}; crand {S},{T},{U}; crandc {S},{T},{U}; cror {S},{T},{U}; crnor {S},{T},{U}; crxor {S},{T},{U};
        creqv {S},{T},{U}; crnand {S},{T},{U}; crorc {S},{T},{U}; mcrf 2,6; mcrxr 3; mtcrf 0x5a,%3
        """,
        _ppc,
        "unsigned",
    ),
    "arm": InstructionList(
        """
        adds %0,%2,%3; adcs %0,%3; adcs.w %0,%2,%3; subs %0,%2,%3; sbcs %0,%3; sbcs.w %0,%2,%3; rsbs %0,%2,#0;
        rsbs.w %0,%2,%3; ands %0,%3; orrs %0,%3; orns %0,%2,%3; eors %0,%3; bics %0,%3; mvns %0,%3; lsls %0,%3;
        lsrs %0,%3; asrs %0,%3; rors %0,%3; lsls %0,%2,#{S}; lsrs %0,%2,#{S}; asrs %0,%2,#{S}; rors.w %0,%2,#{S};
        rrxs %0,%2; muls %0,%2,%0; mla %0,%2,%3,%0; mls %0,%2,%3,%0; sdiv %0,%2,%3; udiv %0,%2,%3; clz %0,%2;
        rbit %0,%2; rev %0,%2; rev16 %0,%2; revsh %0,%2; sxtb %0,%2; sxth %0,%2; uxtb %0,%2; uxth %0,%2;
        sxtb.w %0,%2,ror #8; ubfx %0,%2,#{W},#13; sbfx %0,%2,#{W},#9; bfi %0,%2,#{W},#{W}; bfc %0,#{W},#7;
        ssat %0,#{S},%2; usat %0,#{S},%2; ssat %0,#{W},%2,asr #{S}; cmp %2,%3; cmn %2,%3; tst %2,%3; teq %2,%3;
        cmp.w %2,%3,lsl #{S}; adds.w %0,%2,%3,lsr #{S}; ands.w %0,%2,%3,asr #{S}; ite eq|addeq %0,%2|subne %0,%3;
        itt hi|movhi %0,%2|lslhi %0,%0,#{W}; ite lt|rsblt %0,%2,#3|mvnge %0,%3; movs.w %0,#0xff000000; movt %0,#{S};
        movw %0,#{S}; adds %0,#{S}; subs.w %0,%2,#0xff00ff; eors.w %0,%2,%3,ror #{S}; orrs.w %0,%2,%3,lsl #{S};
        bics.w %0,%2,%3,lsr #{S}; tst.w %2,%3,lsl #{S}; teq.w %2,%3,ror #{S}; mvns.w %0,%3,asr #{S};
        orns.w %0,%2,%3,lsl #{S}; ands.w %0,%2,#0xff000000; tst.w %2,#0x80000000; ands.w %0,%2,%3,lsl #{S};
        ands.w %0,%2,%3,ror #{S}; orrs.w %0,%2,#0x7f8000; teq.w %2,#0xff00ff00
        """,
        _arm,
        "unsigned",
        2,
    ),
    "x86-64": InstructionList(
        """
        add{s} {c},{a}; adc{s} {c},{a}; sub{s} {c},{a}; sbb{s} {c},{a}; cmp{s} {c},{a}; and{s} {c},{a}; or{s} {c},{a};
        xor{s} {c},{a}; test{s} {c},{a}; inc{s} {a}; dec{s} {a}; neg{s} {a}; not{s} {a}; shl{s} ${n},{a};
        shr{s} ${n},{a}; sar{s} ${n},{a}; rol{s} ${n},{a}; ror{s} ${n},{a}; rcl{s} ${n},{a}; rcr{s} ${n},{a};
        imul{s} {c},{a}; mul{s} {c}; two imul{s} {c}; or{s} $1,{c}|bsf{s} {c},{a}; or{s} $1,{c}|bsr{s} {c},{a};
        bt{s} ${n},{a}; bts{s} ${n},{a};
        btr{s} {c},{a}; btc{s} ${n},{a}; bswap {d}; xadd{s} {c},{a}; xchg{s} {c},{a}; movsbl %%cl,%%eax;
        movzwl %%cx,%%eax; movslq %%ecx,%%rax; cmovb{s} {c},{a}; cmovle{s} {c},{a}; cmovp{s} {c},{a}; cmovo{s} {c},{a};
        seta %%al; setl %%dl; setp %%al; setno %%dl; popcnt{s} {c},{a}; xor %%edx,%%edx|div %%rcx; cqo|idiv %%rcx; cltd;
        cbtw; lea 3(%%rax,%%rcx,4),%%rdx; shld{s} ${n},{c},{a}; shrd{s} ${n},{c},{a}; shl %%cl,%%rax; sar %%cl,%%eax;
        rol %%cl,%%rax; cmc; stc; clc; sahf; lahf|and $0xc5ff,%%eax
        """,
        _x86,
        "unsigned long",
    ),
}
