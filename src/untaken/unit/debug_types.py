"""Reads C types, functions and variables from the debug metadata of a printed module."""

from __future__ import annotations

import re
from dataclasses import dataclass

from untaken.build.instrument.debug import DebugInfo
from untaken.unit.types import (
    VOID,
    Basic,
    CArray,
    CPointer,
    CType,
    CUnknown,
    CVoid,
    Encoding,
    Enumeration,
    Member,
    Qualified,
    Record,
    Signature,
    Typedef,
    TypeTable,
)

_ENCODINGS = {
    "DW_ATE_signed": Encoding.SIGNED,
    "DW_ATE_signed_char": Encoding.SIGNED,
    "DW_ATE_unsigned": Encoding.UNSIGNED,
    "DW_ATE_unsigned_char": Encoding.UNSIGNED,
    "DW_ATE_UTF": Encoding.UNSIGNED,
    "DW_ATE_boolean": Encoding.BOOL,
    "DW_ATE_float": Encoding.FLOAT,
}
_QUALIFIERS = {
    "DW_TAG_const_type": "const",
    "DW_TAG_volatile_type": "volatile",
    "DW_TAG_restrict_type": "restrict",
}
_TYPE_NODES = ("!DIBasicType(", "!DIDerivedType(", "!DICompositeType(", "!DISubroutineType(")


@dataclass(frozen=True, slots=True)
class FunctionInfo:
    """A function with a body: names and types of its parameters."""

    name: str
    signature: Signature
    parameters: tuple[str, ...]  # names
    file: str


class DebugTypes:
    """All types of a module, and its functions and variables on request."""

    def __init__(self, debug: DebugInfo) -> None:
        self._debug = debug
        found: dict[str, CType] = {VOID: CVoid()}
        extra: dict[str, CType] = {}  # the rows of arrays of arrays
        for reference in debug.references():
            body = debug.body(reference).removeprefix("distinct ")
            if body.startswith(_TYPE_NODES) and not body.startswith("!DIDerivedType(tag: DW_TAG_member"):
                found[reference] = self._read(reference, body, extra)
        self.table = TypeTable({**found, **extra})

    def function(self, name: str, reference: str) -> FunctionInfo | None:
        """Of the DISubprogram that a definition names."""
        fields = self._debug.fields(reference)
        if "type" not in fields:
            return None
        signature = self.table[fields["type"]]
        assert isinstance(signature, Signature)
        names = self._parameter_names(reference)
        listed = tuple(names.get(place, f"argument{place}") for place in range(1, len(signature.parameters) + 1))
        return FunctionInfo(name, signature, listed, self._debug.file_of(reference))

    def line_of(self, place: str) -> int:
        """The line that the place of an instruction names; 0 if it names none."""
        return int(self._debug.fields(place).get("line", "0"))

    def variables(self) -> dict[str, str]:
        """The file's global variables, by name: their types."""
        found = {}
        for reference in self._debug.references():
            if "!DIGlobalVariable(" in self._debug.body(reference):
                fields = self._debug.fields(reference)
                # String constants have none: clang describes them, too, from version 16 on.
                if "name" in fields and not self._is_local(fields.get("scope", "")):
                    found[fields["name"]] = fields.get("type", VOID)
        return found

    def _is_local(self, scope: str) -> bool:
        """Variables that are static inside a function cannot be reached from outside it."""
        return "!DISubprogram(" in self._debug.body(scope) or "!DILexicalBlock" in self._debug.body(scope)

    def _parameter_names(self, function: str) -> dict[int, str]:
        found = {}
        for reference in self._debug.references():
            if self._debug.body(reference).startswith("!DILocalVariable("):
                fields = self._debug.fields(reference)
                if fields.get("scope") == function and "arg" in fields and fields.get("name"):
                    found[int(fields["arg"])] = fields["name"]
        return found

    def _read(self, reference: str, body: str, extra: dict[str, CType]) -> CType:
        fields = self._debug.fields(reference)
        target = fields.get("baseType", VOID)
        if body.startswith("!DIBasicType("):
            return _basic(fields)
        if body.startswith("!DISubroutineType("):
            return self._signature(fields)
        match fields["tag"]:
            case "DW_TAG_pointer_type":
                return CPointer(target)
            case "DW_TAG_typedef":
                return Typedef(fields["name"], target)
            case "DW_TAG_structure_type" | "DW_TAG_union_type":
                return self._record(reference, fields)
            case "DW_TAG_enumeration_type":
                return self._enumeration(fields)
            case "DW_TAG_array_type" if "DIFlagVector" not in fields.get("flags", ""):
                return self._array(reference, fields, extra)
            case "DW_TAG_atomic_type":
                return Qualified("_Atomic", target)
            case tag if tag in _QUALIFIERS:
                return Qualified(_QUALIFIERS[tag], target)
            case tag:
                return CUnknown("a vector" if tag == "DW_TAG_array_type" else tag)

    def _items(self, fields: dict[str, str], key: str) -> list[str]:
        body = self._debug.body(fields.get(key, ""))
        return re.findall(r"!\d+|null", body.partition("{")[2])

    def _signature(self, fields: dict[str, str]) -> CType:
        result, *parameters = self._items(fields, "types") or [VOID]
        variadic = bool(parameters) and parameters[-1] == VOID
        return Signature(result, tuple(parameters[:-1] if variadic else parameters), variadic)

    def _record(self, reference: str, fields: dict[str, str]) -> Record:
        union = fields["tag"] == "DW_TAG_union_type"
        declared = "DIFlagFwdDecl" in fields.get("flags", "")
        members = None if declared else tuple(map(self._member, self._items(fields, "elements")))
        size = int(fields.get("size", "0")) // 8
        return Record(union, fields.get("name", ""), size, members, self._debug.file_of(reference))

    def _member(self, reference: str) -> Member:
        fields = self._debug.fields(reference)
        bits = int(fields["size"]) if "DIFlagBitField" in fields.get("flags", "") else None
        return Member(fields.get("name", ""), fields.get("baseType", VOID), bits)

    def _enumeration(self, fields: dict[str, str]) -> Enumeration:
        listed = [self._debug.fields(reference) for reference in self._items(fields, "elements")]
        enumerators = tuple((entry["name"], int(entry["value"])) for entry in listed)
        base = self._debug.fields(fields.get("baseType", ""))
        signed = base.get("encoding", "") == "DW_ATE_signed"
        return Enumeration(fields.get("name", ""), int(fields.get("size", "32")) // 8, signed, enumerators)

    def _array(self, reference: str, fields: dict[str, str], extra: dict[str, CType]) -> CArray:
        """An array of arrays is one node with several ranges: the inner rows get names of their own."""
        ranges = [self._debug.fields(entry).get("count", "") for entry in self._items(fields, "elements")]
        counts = [int(text) if text.isdecimal() else None for text in ranges]
        element = fields.get("baseType", VOID)
        for depth in range(len(counts) - 1, 0, -1):
            extra[f"{reference}.{depth}"] = CArray(element, counts[depth])
            element = f"{reference}.{depth}"
        return CArray(element, counts[0] if counts else None)


def _basic(fields: dict[str, str]) -> CType:
    encoding = _ENCODINGS.get(fields.get("encoding", ""), Encoding.OTHER)
    name, size = fields.get("name", ""), int(fields.get("size", "0")) // 8
    if encoding is Encoding.OTHER:
        return CUnknown(name)
    return Basic(name, size, Encoding.CHARACTER if name == "char" else encoding)
