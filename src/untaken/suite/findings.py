"""What a campaign found wrong: crashes, failed assertions, errors reached, sanitizer reports, timeouts.

One finding for each distinct place: what went wrong, and the innermost calls with their lines. The stack comes from
the trace itself (entries and returns of functions, and the branch last taken in each), so no debugger is needed.

A finding counts once it is confirmed (campaign/findings/confirm.py). finding.json, in crashes/NNNN-KIND/ or
unconfirmed/, has:
    kind        "signal", "assertion", "error", "sanitizer", "timeout" or "memory"
    what        one line: "SIGSEGV", the assertion, the sanitizer's headline
    signal      its number, or null
    location    FILE:LINE of the innermost frame, or null
    frames      innermost first: [{function, file, line}]; the line is of the call, or of the branch last taken
    iteration   of the first test that showed it
    bytes       of the shortest input that shows it; `fields` says what is in that
    exit        as in the description of a test
    confirmed   true or false; null if there was no time to try
    confirmed_on  the program that decided that, in words
    shows       how it ended; or why nothing is known yet
    cause       why it crashes, if that is known, else ""
"""

from __future__ import annotations

import re
import shlex
import signal
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any

from untaken.model.path import Exit, ExitKind, Path
from untaken.model.program import ProgramMap
from untaken.suite.call_stack import Frame, stack_of
from untaken.suite.corpus import CRASHES, UNCONFIRMED
from untaken.suite.fields import live_bytes

FINDING_NAME = r"\d{4,}-[a-z0-9_+-]{1,80}"  # "0001-sigsegv": a folder has it
FRAMES_THAT_COUNT = 3
LAST_EVENTS = 32
SANITIZER_HEADLINE = re.compile(
    rb"ERROR: (?:Address|Leak)Sanitizer:? ([^\n(]*?)(?: on | at |\n|\()|([^\n:]+:\d+(?::\d+)?): runtime error: ([^\n]+)"
)
NUMBERS = re.compile(r"0x[0-9a-f]+|-?\d+")
ACCESSED = re.compile(
    r" at 0x[0-9a-f]+ by(?= 0x)"
)  # of lifted programs: which instruction it is counts, not what its pointer held


@dataclass(frozen=True, slots=True)
class Trouble:
    """How one run went wrong, before anyone asks where."""

    kind: str
    what: str
    signal: int | None = None
    place: str = ""  # FILE:LINE if the message itself says so


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What a run of its own says of something that went wrong while exploring."""

    holds: bool | None = None  # None: not known
    on: str = ""  # which program was run
    shows: str = "it was not run in a process of its own yet"  # how that ended, or why nothing is known
    cause: str = ""  # of the crash, if that is known

    @property
    def confirmed_crash(self) -> bool:
        """Whether the run of its own ended by a signal, or in an error function."""
        return bool(self.holds) and (self.shows in signal.Signals.__members__ or self.shows in ERROR_FUNCTIONS)

    @property
    def reason(self) -> str:
        """Why it is no finding."""
        return self.shows if self.holds is None else f"{self.on}: {self.shows}"


@dataclass(slots=True)
class Finding:
    """A distinct thing that goes wrong, with the shortest input that shows it."""

    name: str
    kind: str
    what: str
    signal: int | None
    frames: tuple[Frame, ...]
    location: str | None
    iteration: int
    length: tuple[int, int] = (0, 0)  # live bytes, and how many are not zero
    times: int = 1
    confirmation: Confirmation = Confirmation()

    @property
    def confirmed(self) -> bool:
        return bool(self.confirmation.holds)

    @property
    def in_words(self) -> str:
        """What went wrong, and why if that is known. The plain program is faster: it may crash where the campaign's one
        was ended for lack of time."""
        found = self.confirmation
        crashed = self.kind == "timeout" and found.confirmed_crash
        what = f"{found.shows}, before which time ran out in the campaign" if crashed else self.what
        return ": ".join(filter(None, (what, found.cause)))

    def as_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "what": self.what,
            "signal": self.signal,
            "location": self.location,
            "frames": [frame.as_json() for frame in self.frames],
            "iteration": self.iteration,
            "confirmed": self.confirmation.holds,
            "confirmed_on": self.confirmation.on,
            "shows": self.confirmation.shows,
            "cause": self.confirmation.cause,
        }


@dataclass(slots=True)
class Triage:
    """Tells which runs went wrong, and whether that is news."""

    program: ProgramMap
    abort_is_an_end: bool = False  # Test-Comp programs leave through abort() where an assumption fails
    findings: dict[str, Finding] = field(default_factory=dict)  # by place
    named: int = 0  # numbers that are taken
    begins: int | None = None  # the entry of what is tested: before that is passed, nothing counts
    _seen: dict[tuple[Trouble, bytes], str] = field(default_factory=dict)  # place by how the trace ends
    _errors: dict[int, str] = field(init=False)  # error functions that the program defines itself, by their entries

    def __post_init__(self) -> None:
        functions = self.program.functions
        self._errors = {each.entry_id: each.name for each in functions if each.name in ERROR_FUNCTIONS}

    @property
    def has_errors(self) -> bool:
        """Whether there are functions that a run must not enter."""
        return bool(self._errors)

    def has_begun(self, path: Path) -> bool:
        """Whether what is tested was called at all."""
        return self.begins is None or bool((path.events == self.begins).any())

    def reached_error(self, path: Path) -> Trouble | None:
        """Entering such a function is the error, whatever its body does: many only abort, return or exit."""
        if not self._errors:
            return None
        entered = self._errors.keys() & set(path.events.tolist())
        return Trouble("error", self._errors[min(entered)]) if entered else None

    def trouble(self, exit: Exit, output: bytes = b"") -> Trouble | None:
        """What went wrong in a run, if anything did."""
        if output and (reported := sanitizer_report(output)) is not None:
            return reported
        match exit.kind:
            case ExitKind.SIGNAL if exit.code == signal.SIGABRT and self.abort_is_an_end:
                return None
            case ExitKind.SIGNAL:
                return Trouble("signal", signal_name(exit.code), exit.code)
            case ExitKind.TIMEOUT:
                return Trouble("timeout", "the run did not end in time")
            case ExitKind.MEMORY:
                return Trouble("memory", exit.message or "the kernel killed the run, for memory ran out")
            case ExitKind.ERROR:
                return assertion(exit.message)
            case _:
                return None

    def place(self, trouble: Trouble, path: Path) -> str:
        """The same text for the same place."""
        end = (trouble, path.events[-LAST_EVENTS:].tobytes())
        known = self._seen.get(end)
        if known is None:
            if len(self._seen) > 100_000:
                self._seen.clear()
            known = self._seen[end] = self._place(trouble, path)
        return known

    def add(self, trouble: Trouble, path: Path, iteration: int, name: str | None = None) -> Finding:
        """A new finding, at the place of this run; `name` if it had one before the program changed."""
        self.named += name is None
        frames = self._frames(path)
        location = trouble.place or next((frame.place for frame in frames if frame.line), None)
        found = Finding(
            name=name or f"{self.named:04}-{short_name(trouble)}",
            kind=trouble.kind,
            what=trouble.what,
            signal=trouble.signal,
            frames=frames,
            location=location,
            iteration=iteration,
            length=length_of(path),
        )
        self.findings[self.place(trouble, path)] = found
        return found

    def _frames(self, path: Path) -> tuple[Frame, ...]:
        frames = stack_of(path, self.program)
        return frames[1:] if len(frames) > 1 and frames[0].function == REACH_ERROR else frames

    def _place(self, trouble: Trouble, path: Path) -> str:
        what = NUMBERS.sub("#", trouble.what) if trouble.kind == "sanitizer" else ACCESSED.sub(" by", trouble.what)
        if trouble.place:
            return f"{trouble.kind} {what} {trouble.place}"
        frames = self._frames(path)[:FRAMES_THAT_COUNT]
        if trouble.kind in ("timeout", "memory"):
            # Where exactly the time ran out is chance; in which function is mostly not.
            return f"{trouble.kind} {frames[0].function if frames else ''}"
        return " ".join([trouble.kind, what, *(f"{frame.function}:{frame.line}" for frame in frames)])


def length_of(path: Path) -> tuple[int, int]:
    """Shorter is better, then fewer bytes that are not zero."""
    used = path.input[: path.input_used]
    return live_bytes(path), len(used) - used.count(0)


def sanitizer_report(output: bytes) -> Trouble | None:
    """The first report in what a run printed."""
    match = SANITIZER_HEADLINE.search(output)
    if match is None:
        return None
    memory, place, undefined = (group.decode(errors="replace") if group else "" for group in match.groups())
    return Trouble("sanitizer", memory.strip() or undefined, None, ":".join(place.split(":")[:2]))


ASSERTION = re.compile(r"([^:]+:\d+): (?:([^:]+): )?assertion `(.*)' failed", re.DOTALL)
ERROR_FUNCTIONS = ("reach_error", "__VERIFIER_error")
SAID_BY_ASSERT = re.compile(rb": (%b): Assertion `" % "|".join(ERROR_FUNCTIONS).encode())
REACH_ERROR = "reach_error"  # Test-Comp's: a function of the program whose only statement is a failed assertion


def assertion(message: str) -> Trouble:
    """A failed assertion or another error that the program reports about itself."""
    match = ASSERTION.match(message)
    if match is None:
        return Trouble("error", message or "the program reported an error")
    if match[2] == REACH_ERROR:
        return Trouble("error", REACH_ERROR)
    return Trouble("assertion", f"assertion `{match[3]}' failed", None, match[1])


def error_said(output: bytes) -> str | None:
    """The error function that the C library's assert names, if it does."""
    said = SAID_BY_ASSERT.search(output)
    return None if said is None else said[1].decode()


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def short_name(trouble: Trouble) -> str:
    """What went wrong in a word or two, for the name of a folder."""
    if trouble.kind == "signal":
        return trouble.what.lower().replace(" ", "-")
    if trouble.kind == "sanitizer" and re.fullmatch(r"[a-zA-Z-]{1,40}", trouble.what):
        return trouble.what.lower()
    return trouble.kind


def replay_command(folder: FilePath, finding: Finding) -> str:
    """What shows a finding again."""
    return shlex.join(["untaken", "replay", str(folder), f"{folder_of(finding)}/{finding.name}"])


def folder_of(finding: Finding) -> str:
    """The folder in which a finding's input lies, below the output folder."""
    return CRASHES if finding.confirmed else UNCONFIRMED
