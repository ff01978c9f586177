"""What the instructions of the 8051 do.

SLEIGH's description of this processor cannot be used for running code: the flags of ADD and SUBB are those of other
processors (bit 5 of PSW for negative, bit 1 for zero), SUBB forgets a borrow where the operand is 255, and SP, ACC, B,
PSW and DPTR are bytes of their own beside the special function registers of the same names. The set is small, so it
is written down here. The carry, the auxiliary carry and the overflow are registers of their own: most of what happens
to PSW never matters, and what does not is left out.
"""

from __future__ import annotations

from untaken.executables.machine_code.operations import REGISTER, UNIQUE, Operation, Varnode, constant

IRAM, SFR, XRAM, CODE = "iram", "sfr", "xram", "code"
A, B, SP, DPL, DPH = (Varnode(REGISTER, offset, 1) for offset in (0xE0, 0xF0, 0x81, 0x82, 0x83))
PSW = Varnode(REGISTER, 0xD0, 1)  # what is left of it: F0, both bank bits, F1
CY, AC, OV = (Varnode(REGISTER, offset, 1) for offset in (0x100, 0x101, 0x102))
OWN = {0xE0: A, 0xF0: B, 0x81: SP, 0x82: DPL, 0x83: DPH}  # special function registers that the processor works with
P2 = 0xA0
BANK_BITS = 0x18
PSW_ADDRESS = 0xD0
PARITY = 0xD0  # its bit address; A decides, not what is written there


def one(value: int) -> Varnode:
    return constant(value, 1)


class Semantics:
    """Writes the operations of one instruction; `banked` if the program chooses register banks."""

    def __init__(self, code: bytes, address: int, length: int, banked: bool) -> None:
        self.code = code
        self.next = (address + length) & 0xFFFF
        self._banked = banked
        self.operations: list[Operation] = []
        self._uniques = 0

    # ---- operations

    def make(self, code: str, *inputs: Varnode, size: int = 1) -> Varnode:
        self._uniques += 1
        output = Varnode(UNIQUE, 0x100 * self._uniques, size)
        self.operations.append(Operation(code, output, inputs))
        return output

    def put(self, target: Varnode, value: Varnode) -> None:
        self.operations.append(Operation("COPY", target, (value,)))

    def load(self, space: str, address: Varnode) -> Varnode:
        self._uniques += 1
        output = Varnode(UNIQUE, 0x100 * self._uniques, 1)
        self.operations.append(Operation("LOAD", output, (address,), space=space))
        return output

    def store(self, space: str, address: Varnode, value: Varnode) -> None:
        self.operations.append(Operation("STORE", None, (address, value), space=space))

    def jump(self, address: int) -> None:
        self.operations.append(Operation("BRANCH", None, (Varnode(CODE, address & 0xFFFF, 2),)))

    def jump_if(self, condition: Varnode, address: int) -> None:
        self.operations.append(Operation("CBRANCH", None, (Varnode(CODE, address & 0xFFFF, 2), condition)))

    # ---- operands

    def bank_address(self, number: int) -> Varnode:
        return self.make("INT_OR", self.make("INT_AND", PSW, one(BANK_BITS)), one(number))

    def get_register(self, number: int) -> Varnode:
        if self._banked:
            return self.load(IRAM, self.bank_address(number))
        return self.make("COPY", Varnode(IRAM, number, 1))

    def put_register(self, number: int, value: Varnode) -> None:
        if self._banked:
            self.store(IRAM, self.bank_address(number), value)
        else:
            self.put(Varnode(IRAM, number, 1), value)

    def get_direct(self, address: int, latch: bool = False) -> Varnode:
        """With `latch`, what was last written to a port, not its pins: so do instructions that change a port."""
        if address == PSW_ADDRESS:
            return self._status()
        if address < 0x80:
            return self.make("COPY", Varnode(IRAM, address, 1))
        if address in OWN:
            return self.make("COPY", OWN[address])
        return self.make("COPY" if latch else "PORT", Varnode(SFR, address, 1))

    def put_direct(self, address: int, value: Varnode) -> None:
        if address == PSW_ADDRESS:
            self._set_status(value)
        elif address < 0x80:
            self.put(Varnode(IRAM, address, 1), value)
        else:
            self.put(OWN.get(address, Varnode(SFR, address, 1)), value)

    def _status(self) -> Varnode:
        value = self.make("INT_OR", PSW, self._parity())
        for flag, bit in ((CY, 7), (AC, 6), (OV, 2)):
            value = self.make("INT_OR", value, self.make("INT_LEFT", flag, one(bit)))
        return value

    def _parity(self) -> Varnode:
        return self.make("INT_AND", self.make("POPCOUNT", A), one(1))

    def _set_status(self, value: Varnode) -> None:
        for flag, bit in ((CY, 7), (AC, 6), (OV, 2)):
            self.put(flag, self.make("INT_AND", self.make("INT_RIGHT", value, one(bit)), one(1)))
        self.put(PSW, self.make("INT_AND", value, one(0x3A)))

    def operand(self) -> Varnode:
        """The second operand, as the lowest digit of the opcode says."""
        digit = self.code[0] & 0xF
        if digit == 4:
            return one(self.code[1])
        if digit == 5:
            return self.get_direct(self.code[1])
        if digit in (6, 7):
            return self.load(IRAM, self.get_register(digit - 6))
        return self.get_register(digit - 8)

    def put_operand(self, value: Varnode) -> None:
        digit = self.code[0] & 0xF
        if digit == 4:
            self.put(A, value)
        elif digit == 5:
            self.put_direct(self.code[1], value)
        elif digit in (6, 7):
            self.store(IRAM, self.get_register(digit - 6), value)
        else:
            self.put_register(digit - 8, value)

    def changed_operand(self) -> Varnode:
        """As `operand`, where the result goes back there: of a port that is the latch."""
        digit = self.code[0] & 0xF
        if digit == 4:
            return A
        return self.get_direct(self.code[1], latch=True) if digit == 5 else self.operand()

    # ---- bits

    def bit_place(self, bit: int) -> tuple[int, int]:
        """The direct address of the byte, and which of its bits."""
        return (0x20 + bit // 8, bit % 8) if bit < 0x80 else (bit & 0xF8, bit % 8)

    def get_bit(self, bit: int, latch: bool = False) -> Varnode:
        if (own := self._own_bit(bit)) is not None:
            return own
        address, number = self.bit_place(bit)
        if bit == PARITY:
            return self._parity()
        value = PSW if address == PSW_ADDRESS else self.get_direct(address, latch)
        return self.make("INT_AND", self.make("INT_RIGHT", value, one(number)), one(1))

    def put_bit(self, bit: int, value: Varnode) -> None:
        if (own := self._own_bit(bit)) is not None:
            self.put(own, value)
            return
        address, number = self.bit_place(bit)
        status = address == PSW_ADDRESS  # no flag changes with another bit, so flags stay unneeded where they were
        whole = PSW if status else self.get_direct(address, latch=True)
        kept = self.make("INT_AND", whole, one(~(1 << number)))
        changed = self.make("INT_OR", kept, self.make("INT_LEFT", value, one(number)))
        if not status:
            self.put_direct(address, changed)
        elif bit != PARITY:
            self.put(PSW, changed)

    def _own_bit(self, bit: int) -> Varnode | None:
        return {0xD7: CY, 0xD6: AC, 0xD2: OV}.get(bit)

    # ---- larger parts

    def relative(self) -> int:
        """The target of a short jump, which is the last byte."""
        offset = self.code[-1]
        return (self.next + (offset ^ 0x80) - 0x80) & 0xFFFF

    def pointer(self) -> Varnode:
        return self.make("PIECE", DPH, DPL, size=2)

    def add(self, operand: Varnode, carry: Varnode | None) -> None:
        """ADD and ADDC: in nine bits, in five for the auxiliary carry."""
        extended = [self.make("INT_ZEXT", value, size=2) for value in (A, operand)]
        low = [self.make("INT_AND", value, one(0xF)) for value in (A, operand)]
        total, half = self.make("INT_ADD", *extended, size=2), self.make("INT_ADD", *low)
        if carry is not None:
            total = self.make("INT_ADD", total, self.make("INT_ZEXT", carry, size=2), size=2)
            half = self.make("INT_ADD", half, carry)
        result = self.make("SUBPIECE", total, constant(0, 4))
        self._overflow(self.make("INT_XOR", self.make("INT_XOR", A, operand), one(0xFF)), result)
        self.put(CY, self.make("SUBPIECE", total, constant(1, 4)))
        self.put(AC, self.make("INT_RIGHT", half, one(4)))
        self.put(A, result)

    def subtract(self, operand: Varnode) -> None:
        """SUBB: the borrow is the ninth bit."""
        extended = [self.make("INT_ZEXT", value, size=2) for value in (A, operand, CY)]
        low = [self.make("INT_AND", value, one(0xF)) for value in (A, operand)]
        total = self.make("INT_SUB", self.make("INT_SUB", *extended[:2], size=2), extended[2], size=2)
        half = self.make("INT_SUB", self.make("INT_SUB", *low), CY)
        result = self.make("SUBPIECE", total, constant(0, 4))
        borrowed = self.make("INT_AND", self.make("SUBPIECE", total, constant(1, 4)), one(1))
        self._overflow(self.make("INT_XOR", A, operand), result)
        self.put(CY, borrowed)
        self.put(AC, self.make("INT_RIGHT", half, one(7)))
        self.put(A, result)

    def _overflow(self, may: Varnode, result: Varnode) -> None:
        """The sign of the result is another than A's, though the operands' signs cannot lead there."""
        turned = self.make("INT_XOR", A, result)
        self.put(OV, self.make("INT_RIGHT", self.make("INT_AND", may, turned), one(7)))

    def adjust(self) -> None:
        """DA A: each digit above 9, or that carried, gets 6 more."""
        low = self.make("INT_LESS", one(9), self.make("INT_AND", A, one(0xF)))
        low = self.make("BOOL_OR", low, AC)
        first = self.make("INT_ADD", self.make("INT_ZEXT", A, size=2), self._six(low), size=2)
        carried = self.make("BOOL_OR", CY, self.make("SUBPIECE", first, constant(1, 4)))
        digits = self.make("INT_AND", first, constant(0x1F0, 2), size=2)
        high = self.make("BOOL_OR", self.make("INT_LESS", constant(0x90, 2), digits), carried)
        second = self.make("INT_ADD", first, self.make("INT_LEFT", self._six(high), one(4), size=2), size=2)
        over = self.make("INT_NOTEQUAL", self.make("SUBPIECE", second, constant(1, 4)), one(0))
        self.put(CY, self.make("BOOL_OR", carried, over))
        self.put(A, self.make("SUBPIECE", second, constant(0, 4)))

    def _six(self, condition: Varnode) -> Varnode:
        return self.make("INT_MULT", self.make("INT_ZEXT", condition, size=2), constant(6, 2), size=2)

    def multiply(self) -> None:
        extended = [self.make("INT_ZEXT", value, size=2) for value in (A, B)]
        product = self.make("INT_MULT", *extended, size=2)
        high = self.make("SUBPIECE", product, constant(1, 4))
        self.put(A, self.make("SUBPIECE", product, constant(0, 4)))
        self.put(B, high)
        self.put(CY, one(0))
        self.put(OV, self.make("INT_NOTEQUAL", high, one(0)))

    def divide(self) -> None:
        quotient, rest = self.make("INT_DIV", A, B), self.make("INT_REM", A, B)
        self.put(A, quotient)
        self.put(B, rest)
        self.put(CY, one(0))
        self.put(OV, one(0))

    def push(self, value: Varnode) -> None:
        self.put(SP, self.make("INT_ADD", SP, one(1)))
        self.store(IRAM, SP, value)

    def pop(self) -> Varnode:
        value = self.load(IRAM, SP)
        self.put(SP, self.make("INT_SUB", SP, one(1)))
        return value

    def call(self, address: int) -> None:
        self.push(one(self.next))
        self.push(one(self.next >> 8))
        self.operations.append(Operation("CALL", None, (Varnode(CODE, address & 0xFFFF, 2),)))

    def give_back(self) -> None:
        high = self.pop()
        low = self.pop()
        self.operations.append(Operation("RETURN", None, (self.make("PIECE", high, low, size=2),)))

    def compare(self, left: Varnode, right: Varnode) -> None:
        """CJNE: sets the carry if less, and jumps if not equal."""
        self.put(CY, self.make("INT_LESS", left, right))
        self.jump_if(self.make("INT_NOTEQUAL", left, right), self.relative())

    def rotate(self, left: bool, value: Varnode) -> None:
        """By one place; `value` is the bit that comes in."""
        if left:
            self.put(A, self.make("INT_OR", self.make("INT_LEFT", A, one(1)), value))
        else:
            self.put(A, self.make("INT_OR", self.make("INT_RIGHT", A, one(1)), self.make("INT_LEFT", value, one(7))))

    def top_bit(self) -> Varnode:
        return self.make("INT_RIGHT", A, one(7))

    def bottom_bit(self) -> Varnode:
        return self.make("INT_AND", A, one(1))

    def paged(self) -> Varnode:
        """The address of MOVX @Ri: its page is in P2."""
        low = self.get_register(self.code[0] & 1)
        return self.make("PIECE", self.make("COPY", Varnode(SFR, P2, 1)), low, size=2)
