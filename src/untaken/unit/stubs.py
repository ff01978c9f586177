"""Functions that stand for others: for one that is missing, or for a callback that the function under test is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from untaken.unit.places import CPlace
from untaken.unit.shape import NAME, Shape, Stub, Variable
from untaken.unit.types import Basic, CPointer, CVoid, Encoding, Enumeration, Signature, TypeTable

WIDEST = 8  # bytes of an integer
NAME_LENGTH = 39  # as long as the runtime keeps names of fields


def output_name(shown: str, argument: str) -> str:
    """What the input calls what a stub writes through an argument."""
    return f"{shown} *{argument}"


@dataclass(frozen=True, slots=True)
class StubMaker:
    """`shape` says what lies at a place, so many pointers deep."""

    table: TypeTable
    depth: int
    shape: Callable[[str, CPlace, int], Shape]

    def stub(self, name: str, shown: str, signature: Signature, *, returns: bool = True) -> Stub:
        """A function of this type that returns inputs; pointers that it returns lead one step further at most."""
        parameters = [
            self.table.declaration(self.table.unqualified(parameter), f"argument{place}")
            for place, parameter in enumerate(signature.parameters, 1)
        ]
        listed = ", ".join([*parameters, "..."] if signature.variadic and parameters else parameters)
        if not listed and not signature.variadic:
            listed = "void"
        header = self.table.declaration(signature.result, f"{name}({listed})")
        result = None
        if returns and not isinstance(self.table.plain(signature.result), CVoid):
            own = self.table.unqualified(signature.result)
            shape = self.shape(own, CPlace(shown), max(0, self.depth - 1))
            result = Variable(shown, self.table.declaration(own, NAME), shape)
        outputs = tuple(self._outputs(signature, shown)) if returns else ()
        return Stub(name, header, shown, result, returns, tuple(self._numbers(signature)), outputs)

    def _outputs(self, signature: Signature, shown: str) -> Iterator[Variable]:
        """Numbers that the stub may write through its arguments; not into text, whose length nothing says."""
        for place, parameter in enumerate(signature.parameters, 1):
            pointer = self.table.plain(parameter)
            if not isinstance(pointer, CPointer) or self.table.is_const(pointer.target):
                continue
            found, own = self.table.plain(pointer.target), self.table.unqualified(pointer.target)
            wide = isinstance(found, Basic) and 1 < found.size <= WIDEST
            name = f"argument{place}"
            if (wide or isinstance(found, Enumeration)) and len(output_name(shown, name)) <= NAME_LENGTH:
                yield Variable(name, self.table.declaration(own, NAME), self.shape(own, CPlace(name), self.depth))

    def _numbers(self, signature: Signature) -> Iterator[Variable]:
        """The arguments of a stub that are integers, characters or enums."""
        for place, parameter in enumerate(signature.parameters, 1):
            own = self.table.unqualified(parameter)
            match self.table.plain(own):
                case Enumeration():
                    pass
                case Basic(encoding=encoding, size=size) if encoding is not Encoding.FLOAT and size <= WIDEST:
                    pass
                case _:
                    continue
            name = f"argument{place}"
            yield Variable(name, self.table.declaration(own, NAME), self.shape(own, CPlace(name), 0))
