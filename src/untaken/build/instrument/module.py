"""Instruments a printed module: its functions, and beside them the ids, switch tables, globals and program map."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field, replace

from untaken.build.instrument import abi, mathematics
from untaken.build.instrument.allocations import DECLARATIONS
from untaken.build.instrument.branches import IdTable
from untaken.build.instrument.calls import CallContext, StringPool
from untaken.build.instrument.debug import DebugInfo
from untaken.build.instrument.function import FunctionInstrumenter, ModuleContext, size_of
from untaken.build.instrument.sketch import FunctionSketch
from untaken.build.instrument.stdio import counting_formats, telling_results
from untaken.build.instrument.system_files import SYSTEM_FOLDERS, is_system_file
from untaken.build.instrument.variables import named_globals, sized_globals
from untaken.build.instrument.writing.steps import GroupTable
from untaken.build.instrument.writing.writer import ModuleWriting
from untaken.build.ir.reader import FunctionBody, FunctionText, ModuleText, read_function, read_types, split_module
from untaken.build.ir.spelled_words import spelled_words
from untaken.build.ir.strings import escaped, plain_name
from untaken.build.ir.types import Type
from untaken.build.library.contained import ASSEMBLY, UNTRACKED, naming, outside, taken_in_code
from untaken.build.library.models.memory import ALLOCATED_SIZES
from untaken.build.library.models.model import Model
from untaken.build.library.models.table import MODELS
from untaken.build.objects.origin import Origin
from untaken.build.objects.program_map import encode_unit
from untaken.build.words.layout import keep_old_layout
from untaken.build.words.lowering import lower_large_integers
from untaken.errors import InstrumentationError
from untaken.model.mathematics import NUMBERS

_NOTE_ADDRESS = "  store i8 1, ptr @__untaken_took_address, align 1"
HUGE = 20_000  # the size of functions that are not optimised
LARGE = 150_000  # the size of modules that are emitted in a hurry, unless an optimisation was asked for
_ALIAS = re.compile(r'^(@(?:"[^"]*"|[-\w$.]+)) = .*?\balias .*, ptr (@(?:"[^"]*"|[-\w$.]+))')
_IFUNC = re.compile(r"\bifunc\b.*ptr (@[-\w$.]+)")
_NAME = re.compile(r'@(?:"[^"]*"|[-\w$.]+)')
_PHI = re.compile(r"^\s*%\S+ = phi ")
_DECLARE = re.compile(r'^declare .*?(@(?:"[^"]*"|[-\w$.]+))\(')
_ATTRIBUTES = re.compile(r"\)([^()]*)$")  # behind the parameters
_ASSEMBLY = re.compile(r"^module asm|\bcallbr\b")  # of which nobody can note that it is passed
_QUOTED_OR_NAME = re.compile(r'"[^"]*"|@[-\w$.]+')


@dataclass(slots=True)
class Instrumented:
    """The new text, what was left as it is, and whether most functions are `HUGE`, or the whole is `LARGE`."""

    text: str
    uninstrumented: list[str] = field(default_factory=list)
    is_huge: bool = False
    is_large: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    """How a module is instrumented."""

    source: str  # its name in the program map
    origin: Origin | None = None  # what it takes to compile it without us
    checking: bool = False  # compares each value that the runtime computes with the program's own
    only_inline: frozenset[str] = frozenset()  # functions that have no definition but their inline one


def instrument(text: str, settings: Settings) -> Instrumented:
    """Adds symbolic tracking and a program map to a module printed by the pinned LLVM."""
    module = split_module(text)
    _drop_inline_copies(module)
    _keep_to_itself(module, settings.only_inline)
    keep_old_layout(module)
    lower_large_integers(module)
    _use_models(module)
    return _ModuleInstrumenter(module, settings).run()


class _ModuleInstrumenter:
    def __init__(self, module: ModuleText, settings: Settings) -> None:
        self._module = module
        self._settings = settings
        self._types = read_types(module.preamble)
        self._debug = DebugInfo(module.metadata)
        self._declared = frozenset(m[1] for line in module.preamble if (m := _DECLARE.match(line)))
        self._strings = StringPool()
        self._ids = IdTable()
        self._globals = sized_globals(module.preamble, self._types)
        self._switches: list[str] = []
        self._groups = GroupTable()
        self._sketches: list[FunctionSketch] = []
        self._uninstrumented: list[str] = []
        aliases = {m[1]: m[2] for line in module.preamble if (m := _ALIAS.match(line))}
        self._resolvers = {m[1] for line in module.preamble if (m := _IFUNC.search(line))}
        self._read: dict[str, FunctionBody | str] = {f.name: self._read_or_leave(f) for f in module.functions}
        self._calls = CallContext(
            "",
            frozenset(),
            aliases,
            self._strings,
            counting=counting_formats(module.preamble),
            variables=named_globals(module.preamble),
        )
        self._addresses = self._noted_addresses()

    def run(self) -> Instrumented:
        self._calls.defined = frozenset(name for name, read in self._read.items() if not isinstance(read, str))
        bodies = [line for function in self._module.functions for line in self._function(function)]
        tables = self._tables()
        lines = [*self._module.preamble, abi.DECLARATIONS, *tables, *bodies, *_metadata(self._module.metadata)]
        sizes = [size_of(function) for function in self._read.values() if not isinstance(function, str)]
        is_huge = 2 * sum(size for size in sizes if size > HUGE) > sum(sizes)
        return Instrumented("\n".join(lines) + "\n", self._uninstrumented, is_huge, sum(sizes) > LARGE)

    def _read_or_leave(self, source: FunctionText) -> FunctionBody | str:
        """The function, or why it cannot be instrumented."""
        if source.name in self._resolvers:
            return "runs before the program is loaded"
        if " naked " in self._attributes(source.header):
            return "is declared naked"
        try:
            return read_function(source, self._types)
        except InstrumentationError as error:
            return str(error)

    def _attributes(self, header: str) -> str:
        group = re.search(r" (#\d+)", header)
        prefix = f"attributes {group[1]} = " if group else "\0"
        return next((line for line in self._module.metadata if line.startswith(prefix)), "")

    def _function(self, source: FunctionText) -> list[str]:
        function = self._read[source.name]
        if isinstance(function, str):
            self._uninstrumented.append(f"{plain_name(source.name)}: {function}")
            return [source.header, *source.lines, "}"]
        self._calls.self_name = function.name
        self._calls.telling = telling_results(function)
        context = ModuleContext(
            self._ids,
            self._calls,
            self._globals,
            self._switches,
            ModuleWriting(self._groups, _COLD_REFERENCE, self._debug.line, self._settings.checking),
        )
        sketch = FunctionSketch(function, self._debug, is_system_file, self._declared)
        body = FunctionInstrumenter(function, context, sketch).run()
        if _GUARDED.search(self._attributes(source.header)):
            body = [_OWN_ARRAY.sub(_in_one_piece, line) for line in body]
        self._sketches.append(sketch)
        return [source.header, *self._with_notes(body), "}"]

    def _noted_addresses(self) -> frozenset[str]:
        """Functions whose addresses are taken by instructions that can say so."""
        code = [line for function in self._module.functions for line in function.lines]
        return taken_in_code(self._outsiders(), code, self._data())

    def _with_notes(self, body: list[str]) -> list[str]:
        """Whoever has such an address may call the function under any name. Phis come first in their block."""
        if not self._addresses:
            return body
        named = naming(self._addresses)
        lines, is_due = list[str](), False
        for line in body:
            is_due |= bool(named.search(line))
            if is_due and not _PHI.match(line):
                lines.append(_NOTE_ADDRESS)
                is_due = False
            lines.append(line)
        return lines

    def _outsiders(self) -> list[str]:
        return [plain_name(name) for name in self._declared]

    def _data(self) -> list[str]:
        return [line for line in self._module.preamble if not _DECLARE.match(line)]

    def _tables(self) -> list[str]:
        origin = self._settings.origin
        unit = encode_unit(
            self._settings.source,
            self._sketches,
            self._uninstrumented,
            self._calls.aliases,
            self._outside(),
            spelled_words(self._module.preamble),
            None if origin is None else origin.as_json(self._own_files()),
        )
        digest = hashlib.sha256(unit + bytes(self._ids.kinds)).digest()[: abi.DIGEST_SIZE]
        blob = digest + len(unit).to_bytes(4, "little") + len(self._ids.kinds).to_bytes(4, "little") + unit
        used = ["@untaken.map"]
        lines = [_bytes("@untaken.map", blob, "untaken_map", 1)]
        if self._ids.kinds:
            lines.append(_bytes("@untaken.ids", digest + bytes(self._ids.kinds), "untaken_ids", abi.DIGEST_SIZE))
            used.append("@untaken.ids")
        if self._globals:
            lines.append(self._global_table())
            used.append("@untaken.globals")
        lines += DECLARATIONS if self._calls.allocates else ()
        lines += self._switches + self._groups.definitions() + self._strings.definitions()
        _add_used(self._module.preamble, used)
        return lines

    def _own_files(self) -> list[str]:
        """The files that the unit was made from, as far as they are the project's own."""
        named = {self._debug.file_of(reference) for reference in self._debug.files()}
        return sorted(file for file in named if not file.startswith(SYSTEM_FOLDERS))

    def _outside(self) -> list[str]:
        """What of all that the unit does may leave traces in the system, by name."""
        lines = [line for function in self._module.functions for line in function.lines]
        lines += self._data()
        named = outside(self._outsiders(), lines, self._addresses)
        named += [ASSEMBLY] * any(map(_ASSEMBLY.search, lines))
        return named + [UNTRACKED] * bool(self._uninstrumented)

    def _global_table(self) -> str:
        entries = ", ".join(f"{{ ptr, i64 }} {{ ptr {name}, i64 {size} }}" for name, size in self._globals.items())
        count = len(self._globals)
        return (
            f"@untaken.globals = internal constant [{count} x {{ ptr, i64 }}] [{entries}], "
            'section "untaken_globals", align 8'
        )


_COLD_REFERENCE = "!9999990"


def _drop_inline_copies(module: ModuleText) -> None:
    """Bodies that only serve inlining (the real function lies elsewhere) become declarations."""
    kept = []
    for function in module.functions:
        if function.header.startswith("define available_externally"):
            header = function.header.replace("define available_externally", "declare").replace(" dso_local", "")
            module.preamble.append(re.sub(r"( !dbg !\d+)? \{$", "", header))
        else:
            kept.append(function)
    module.functions = kept


def _keep_to_itself(module: ModuleText, names: frozenset[str]) -> None:
    """Inline definitions that name what only this unit has are its own, as they are where they are inlined."""
    own = {line.partition(" = ")[0] for line in module.preamble if " = internal " in line}
    own |= {function.name for function in module.functions if function.header.startswith("define internal ")}
    for place, function in enumerate(module.functions):
        if plain_name(function.name) in names and any(
            not own.isdisjoint(_NAME.findall(line)) for line in function.lines
        ):
            header = re.sub(r"^define (?:dso_local )?", "define internal ", function.header)
            module.functions[place] = replace(function, header=header)


def _use_models(module: ModuleText) -> None:
    """Renames declared library functions that the runtime has a model of, or a name, everywhere in the module."""
    mathematics.replace_remainders(module)
    types = read_types(module.preamble)
    renamed, named, kept = {}, set(), []
    for line in module.preamble:
        match = _DECLARE.match(line)
        name = _modelled(line, match[1], types) if match else ""
        if match and name:
            renamed[match[1]] = f"@{mathematics.PREFIX}{name}"
        if name in NUMBERS:
            named.add(name)
        else:
            kept.append(_with_size(line, name))
    if not renamed:
        return

    def rename(line: str) -> str:
        return _QUOTED_OR_NAME.sub(lambda match: renamed.get(match[0], match[0]), line)

    module.preamble = [*map(rename, kept), *(line for name in sorted(named) for line in mathematics.definition(name))]
    module.functions = [
        FunctionText(rename(function.header), tuple(rename(line) for line in function.lines), function.variables)
        for function in module.functions
    ]


def _with_size(line: str, name: str) -> str:
    """The declaration of an allocating model says what size its memory has, as clang knows of the function itself."""
    size = ALLOCATED_SIZES.get(name)
    return line if size is None else _ATTRIBUTES.sub(lambda rest: f") allocsize({size}){rest[1]}", line)


def _modelled(line: str, declared: str, types: dict[str, Type]) -> str:
    """The name of the model, or nothing if the declaration has another type: configure scripts declare all kinds."""
    name = mathematics.library_name(declared)
    model = MODELS.get(name) if declared[1:] == name else None
    if model is None and name not in NUMBERS:
        return ""
    function = read_function(FunctionText(line.replace("declare ", "define ", 1), ()), types).type
    result, parameters = str(function.result), tuple(map(str, function.parameters))
    if model is None:
        return name if mathematics.fits(name, result, parameters) else ""
    return name if Model(result, parameters, function.variadic) == model else ""


# Promises about memory, which label passing would break; and what clang adds only because it does not optimise.
_UNWANTED_ATTRIBUTES = re.compile(r' (?:memory\([^)]*\)|noinline|"frame-pointer"="all")(?=[ }])')


def _metadata(lines: list[str]) -> list[str]:
    """The metadata of the module, attributes cleaned, and our branch weights."""
    cleaned = [_cleaned_attributes(line) if line[0] == "a" else line for line in lines]
    return [*cleaned, f'{_COLD_REFERENCE} = !{{!"branch_weights", i32 1, i32 2000}}']


# A frame touches its pages one by one, so that one which does not fit ends with the stack. Else an array as large as
# the input says would lie on other memory, the trace among it.
_PROBES = ' "probe-stack"="inline-asm"'


def _cleaned_attributes(line: str) -> str:
    """A group is never empty then, which it must not be."""
    cleaned = _UNWANTED_ATTRIBUTES.sub("", line)
    return cleaned if _PROBES in cleaned else cleaned.removesuffix(" }") + _PROBES + " }"


# -fstack-protector puts arrays nearest to the guard. Ours among them would take what runs over the program's own.
_GUARDED = re.compile(r" ssp(req|strong)?\b")
_OWN_ARRAY = re.compile(r"^(  %\$\.\S+ = alloca) \[(\d+) x i(\d+)\]")


def _in_one_piece(array: re.Match[str]) -> str:
    """A variable of ours as a number of the same size, which is no array."""
    return f"{array[1]} i{int(array[2]) * int(array[3])}"


def _bytes(name: str, content: bytes, section: str, align: int) -> str:
    return f'{name} = internal constant [{len(content)} x i8] c"{escaped(content)}", section "{section}", align {align}'


def _add_used(preamble: list[str], names: list[str]) -> None:
    """Keeps our tables through optimisation and linking."""
    for index, line in enumerate(preamble):
        if line.startswith("@llvm.used = "):
            inside = line[line.index("] [") + 3 : line.rindex("]")]
            names = [*(part.strip().removeprefix("ptr ") for part in inside.split(",")), *names]
            del preamble[index]
            break
    entries = ", ".join(f"ptr {name}" for name in names)
    preamble.append(f'@llvm.used = appending global [{len(names)} x ptr] [{entries}], section "llvm.metadata"')
