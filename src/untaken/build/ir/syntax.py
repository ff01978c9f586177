"""Tokens, types and values of textual IR: the lowest layer of the reader."""

from __future__ import annotations

import re
from dataclasses import dataclass

from untaken.build.ir.types import (
    Array,
    Float,
    FunctionType,
    Integer,
    Opaque,
    Pointer,
    Struct,
    Type,
    Vector,
    Void,
)
from untaken.errors import InstrumentationError

_TOKEN = re.compile(
    r"""
    [%@](?:"[^"]*"|[-\w$.]+)       # local or global name
  | c?"[^"]*"                      # string
  | !\w+ | !                       # metadata
  | \#\w+                          # attribute group
  | [-+]?\d+(?:\.\d+(?:[eE][-+]?\d+)?)?(?![\w.])   # number
  | \$?[\w.$-]+                    # word, hexadecimal float
  | \.\.\. | [()\[\]{}<>,=*|:]     # punctuation
    """,
    re.VERBOSE,
)

_OPEN = {"(": ")", "[": "]", "{": "}", "<": ">"}
_CLOSE = frozenset(_OPEN.values())

# Words that start a value; any other word before a value is an attribute of it.
_VALUE_WORDS = frozenset(
    """null true false undef poison zeroinitializer none getelementptr ptrtoint ptrtoaddr inttoptr bitcast trunc add
    sub xor addrspacecast blockaddress dso_local_equivalent no_cfi splat asm ptrauth""".split()
)
_FLOAT_WORDS = ("0x", "nan", "inf", "+nan", "-nan", "+inf", "-inf", "+qnan", "-qnan", "qnan", "snan")
_SCALARS: dict[str, Type] = {
    "void": Void(),
    "ptr": Pointer(),
    **{name: Float(name) for name in ("half", "bfloat", "float", "double", "x86_fp80", "fp128", "ppc_fp128")},
    **{name: Opaque(name) for name in ("label", "metadata", "token", "x86_amx", "opaque")},
}


@dataclass(frozen=True, slots=True)
class Value:
    """An operand: its type and its text. A name starts with `%` if local; anything else is a constant."""

    type: Type
    text: str

    @property
    def is_local(self) -> bool:
        return self.text.startswith("%")

    def __str__(self) -> str:
        return f"{self.type} {self.text}"


class Cursor:
    """Reads tokens of one instruction or declaration from left to right."""

    __slots__ = ("_ends", "_named", "_starts", "_text", "position", "tokens")

    def __init__(self, text: str, named_types: dict[str, Type]) -> None:
        matches = list(_TOKEN.finditer(text))
        self._text = text
        self._named = named_types
        self.tokens = [match.group() for match in matches]
        self._starts = [match.start() for match in matches]
        self._ends = [match.end() for match in matches]
        self.position = 0

    def peek(self, ahead: int = 0) -> str:
        at = self.position + ahead
        return self.tokens[at] if at < len(self.tokens) else ""

    def next(self) -> str:
        token = self.peek()
        self.position += 1
        return token

    def accept(self, token: str) -> bool:
        if self.peek() == token:
            self.position += 1
            return True
        return False

    def expect(self, token: str) -> None:
        if not self.accept(token):
            raise InstrumentationError(f"expected '{token}' but found '{self.peek()}' in LLVM IR: {self._text.strip()}")

    def skip_words(self, words: frozenset[str]) -> None:
        while self.peek() in words:
            self.position += 1

    def skip_group(self) -> None:
        """Past a bracketed group that starts here."""
        depth = 0
        while True:
            token = self.next()
            if not token:
                raise InstrumentationError(f"unbalanced brackets in LLVM IR: {self._text.strip()}")
            depth += (token in _OPEN) - (token in _CLOSE)
            if depth == 0:
                return

    def start(self) -> int:
        """Where in the text the next token starts."""
        return self._starts[self.position] if self.position < len(self._starts) else len(self._text)

    def text_from(self, start: int) -> str:
        return self._text[start : self._ends[self.position - 1]]

    def type(self) -> Type:
        """A type; function types are read where a call names them."""
        base = self._plain_type()
        while self.peek() == "addrspace":
            self.position += 1
            self.skip_group()
        if self.peek() == "(":
            return self._function_type(base)
        return base

    def _plain_type(self) -> Type:
        token = self.next()
        if token in _SCALARS:
            return _SCALARS[token]
        if token[0] == "i" and token[1:].isdigit():
            return Integer(int(token[1:]))
        if token[0] == "%":
            return self._named.get(token, Opaque(token))
        if token == "[":
            count = int(self.next())
            self.expect("x")
            element = self.type()
            self.expect("]")
            return Array(count, element)
        if token == "{":
            return Struct(self._struct_elements())
        if token == "<":
            return self._vector_or_packed()
        if token == "target":
            self.skip_group()
            return Opaque("target")
        raise InstrumentationError(f"unknown type '{token}' in LLVM IR: {self._text.strip()}")

    def _struct_elements(self) -> tuple[Type, ...]:
        elements: list[Type] = []
        while not self.accept("}"):
            elements.append(self.type())
            self.accept(",")
        return tuple(elements)

    def _vector_or_packed(self) -> Type:
        if self.accept("{"):
            packed = Struct(self._struct_elements(), packed=True)
            self.expect(">")
            return packed
        scalable = self.accept("vscale")
        if scalable:
            self.expect("x")
        count = int(self.next())
        self.expect("x")
        element = self.type()
        self.expect(">")
        return Vector(count, element, scalable)

    def _function_type(self, result: Type) -> FunctionType:
        self.expect("(")
        parameters: list[Type] = []
        variadic = False
        while not self.accept(")"):
            if self.accept("..."):
                variadic = True
            else:
                parameters.append(self.type())
            self.accept(",")
        return FunctionType(result, tuple(parameters), variadic)

    def value(self, of: Type) -> Value:
        """A value of a known type, attributes already skipped."""
        start = self.start()
        token = self.next()
        if token in _OPEN:
            self.position -= 1
            self.skip_group()
        elif token in _VALUE_WORDS:
            self._skip_constant_expression(token)
        return Value(of, self.text_from(start))

    def _skip_constant_expression(self, word: str) -> None:
        if word in ("null", "true", "false", "undef", "poison", "zeroinitializer", "none"):
            return
        while self.peek() and self.peek() != "(" and self.peek()[0] != "@":
            self.position += 1
        if self.peek() == "(":
            self.skip_group()
        else:
            self.position += 1

    def typed_value(self) -> Value:
        of = self.type()
        return self.value(of)

    def attributes(self) -> dict[str, str]:
        """Parameter attributes before a value: name to the text in brackets or the number behind it."""
        found: dict[str, str] = {}
        while self._at_attribute():
            name = self.next()
            if self.peek() == "(":
                start = self.start()
                self.skip_group()
                found[name] = self.text_from(start)[1:-1]
            elif name in ("align", "alignstack"):
                found[name] = self.next()
            else:
                found[name] = ""
        return found

    def _at_attribute(self) -> bool:
        token = self.peek()
        if not token or not (token[0].isalpha() or token[0] == '"'):
            return False
        return token not in _VALUE_WORDS and not token.startswith(_FLOAT_WORDS) and not token.startswith('c"')

    def skip_result_attributes(self) -> None:
        """Past what may stand before a result type: fast-math flags, calling convention, attributes."""
        while self.peek() and not starts_type(self.peek()):
            word = self.next()
            if word in ("align", "alignstack", "cc"):
                self.next()
            elif self.peek() == "(":
                self.skip_group()

    def named_type(self, text: str) -> Type:
        """A type that stands in an attribute, such as byval."""
        return Cursor(text, self._named).type()


def starts_type(token: str) -> bool:
    """Whether a type can start with this token."""
    if token in _SCALARS or token in ("{", "[", "<", "target"):
        return True
    return token[0] == "%" or (token[0] == "i" and token[1:].isdigit())
