"""Bursts: inputs are changed at random by the program's own process, which goes on until one shows something."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import untaken
from untaken.execute.burst import BurstWriter
from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings
from untaken.execute.target import Target, find_target
from untaken.execute.trace_reader import Glance
from untaken.model.burst import BurstStart, ChangedInputs
from untaken.model.input import Field, FieldKind, Source, SourceKind
from untaken.model.path import ExitKind

RUNTIME = Path(untaken.__file__).parent / "runtime"
LENGTH = Field("stdin", FieldKind.LENGTH, 0, 4)
STDIN = Field("stdin", FieldKind.STDIN, 4, 10)
NUMBER = Field("n", FieldKind.SIGNED, 14, 4)
FIELDS = (LENGTH, STDIN, NUMBER)
ROOM = 1 << 16
Change = Callable[[ChangedInputs], list[bytes]]


def given(text: bytes, number: int) -> bytes:
    return len(text).to_bytes(4, "little") + text.ljust(10, b"\0") + number.to_bytes(4, "little")


# ---- the changes, by themselves


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Change:
    """What runtime/input/changes.c makes of all inputs of a burst; what is undefined in C ends the test."""
    compiler = shutil.which("cc") or shutil.which("clang") or pytest.fail("a C compiler is needed: cc or clang")
    library = tmp_path_factory.mktemp("changes") / "changes.so"
    checks = ["-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"]
    source = RUNTIME / "input" / "changes.c"
    subprocess.run([compiler, "-O1", *checks, "-shared", "-fPIC", f"-I{RUNTIME}", source, "-o", library], check=True)
    function = ctypes.CDLL(str(library)).untaken_changed_input
    function.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_uint64]
    function.restype = ctypes.c_uint64

    def change(changes: ChangedInputs) -> list[bytes]:
        room, input = (ctypes.c_uint64 * (ROOM // 8))(), (ctypes.c_uint8 * ROOM)()
        BurstWriter(memoryview(room).cast("B"), ROOM).write(changes)
        sizes = [(function(room, changes.seed, run, input, ROOM), bytes(input)) for run in range(len(changes))]
        return [data[:size] for size, data in sizes]

    return change


def copies(input: bytes, count: int, fields: tuple[Field, ...] = FIELDS, seed: int = 3) -> ChangedInputs:
    return ChangedInputs([BurstStart(input, fields), BurstStart(b"another", ())], count, [b"word"], seed)


def test_no_field_moves_and_streams_have_their_lengths(changed: Change) -> None:
    made = changed(copies(given(b"text", 7), 2000))[:2000]
    assert {len(input) for input in made} == {18}
    lengths = {int.from_bytes(input[:4], "little") for input in made}
    assert lengths == set(range(11))
    assert all(not any(input[4 + int.from_bytes(input[:4], "little") : 14]) for input in made), "zeros after its end"
    assert any(b"word" in input for input in made)
    assert any(b"othe" in input for input in made)
    assert len({input[14:] for input in made}) > 100
    assert len(set(made)) > 1500


def test_words_and_tokens_of_other_inputs_stand_apart(changed: Change) -> None:
    stream = Field("stdin", FieldKind.STDIN, 4, 30)
    start = BurstStart((5).to_bytes(4, "little") + b"ab+cd".ljust(30, b"\0"), (LENGTH, stream))
    made = changed(ChangedInputs([start, BurstStart(b"?one*two?", ())], 4000, [b"word"], 5))[:4000]
    for apart in (b"word ab", b"+word cd", b"cd word", b"two ab", b"one*two"):
        assert any(apart in input for input in made), apart


def test_a_full_stream_may_end_sooner_or_have_zeros_at_its_end(changed: Change) -> None:
    made = changed(copies(given(b"0123456789", 7), 1000))[:1000]
    shorter = [input for input in made if not any(input[12:14])]
    lengths = [int.from_bytes(input[:4], "little") for input in shorter]
    assert lengths.count(10) > 20 and sum(length < 10 for length in lengths) > 20


def test_inputs_without_fields_and_empty_ones_are_changed_too(changed: Change) -> None:
    assert len(set(changed(copies(b"abc", 200, ()))[:200])) > 100
    assert len(set(changed(copies(b"", 200, ()))[:200])) > 100
    assert len(set(changed(copies(given(b"", 0), 200))[:200])) > 100


def test_what_follows_a_single_character_moves_with_it(changed: Change) -> None:
    fields = (Field("c", FieldKind.CHARACTER, 0, 1), Field("d", FieldKind.CHARACTER, 1, 1))
    made = changed(copies(b"ab" + b"0123456789", 500, fields))[:500]
    assert any(len(input) > 12 for input in made) and any(len(input) < 12 for input in made)
    assert all(b"56789" in input for input in made)


def test_the_same_seed_makes_the_same_changes(changed: Change) -> None:
    assert changed(copies(given(b"text", 7), 50)) == changed(copies(given(b"text", 7), 50))
    assert changed(copies(given(b"text", 7), 50)) != changed(copies(given(b"text", 7), 50, seed=4))


def test_a_new_start_is_run_as_it_is_first(changed: Change) -> None:
    starts = [BurstStart(given(b"one", 1), FIELDS, is_new=True), BurstStart(given(b"two", 2), FIELDS)]
    made = changed(ChangedInputs(starts, 5, (), 10))
    assert made[0] == given(b"one", 1)
    assert given(b"two", 2) not in made


def test_of_inputs_that_have_no_room_together_some_are_changed(changed: Change) -> None:
    starts = [BurstStart(bytes([number]) * (ROOM // 3), ()) for number in range(5)]
    made = changed(ChangedInputs(starts, 1, (), 1))
    assert len(made) == 5 and all(len(input) >= ROOM // 3 - 512 for input in made)


def test_of_very_many_fields_some_are_changed(changed: Change) -> None:
    fields = tuple(Field("n", FieldKind.SIGNED, 4 * number, 4) for number in range(3000))
    made = changed(copies(bytes(12_000), 30, fields))[:30]
    assert all(len(input) == 12_000 for input in made)
    assert len(set(made)) > 25


# ---- in a program

PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int calls; /* runs do not see each other: it is 0 at the beginning of each */

int main(void) {
    char text[16] = "";
    if (calls++ != 0)
        abort();
    size_t size = fread(text, 1, sizeof text, stdin);
    for (size_t i = 0; i < size && text[i] == '+'; i++)
        calls++;
    if (size > 0 && text[0] == '!')
        abort();
    if (size > 0 && text[0] == '?')
        for (;;)
            ;
    if (size > 1 && text[0] == 'a' && text[1] == 'b')
        puts("ab");
    MORE
    return 0;
}
"""


def built(folder: Path, more: str = "") -> Target:
    source = folder / "program.c"
    source.write_text(PROGRAM.replace("MORE", more))
    return find_target([str(source)])


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Target:
    return built(tmp_path_factory.mktemp("burst"))


@pytest.fixture
def session(target: Target) -> Iterator[Session]:
    with session_of(target) as session:
        yield session


def session_of(target: Target, most_runs: int = 1000, *, uses_files: bool = False) -> Session:
    sources = (Source(SourceKind.STDIN, 10),)
    settings = SessionSettings(sources=sources, most_runs=most_runs, uses_files=uses_files, timeout=0.2)
    return Session(target.program, settings)


def text(*starts: bytes, number: int = 1) -> ChangedInputs:
    """Each as it is, and then changed so many times less one."""
    return ChangedInputs(
        [BurstStart(given(start, 0)[:14], (LENGTH, STDIN), is_new=True) for start in starts], number, (), 1
    )


def glances(session: Session, changes: ChangedInputs, step: int = 1000) -> list[tuple[int, Glance]]:
    """All that a burst comes to, asked for in pieces of so many runs; each with the number of runs so far."""
    passes, done, all = np.zeros(session.id_count, np.uint8), 0, []
    while done < len(changes):
        glance = session.burst(changes, range(done, min(len(changes), done + step)), passes, 0.2)
        done += glance.runs
        all.append((done, glance))
    return all


def shown(session: Session, changes: ChangedInputs, step: int = 1000) -> list[tuple[int, bytes, ExitKind]]:
    """Of these, the runs that show something."""
    return [
        (done, glance.input[4:].rstrip(b"\0"), glance.exit.kind)
        for done, glance in glances(session, changes, step)
        if glance.exit and (glance.new_ids or glance.is_oftener or glance.exit.kind is not ExitKind.CODE)
    ]


def test_a_burst_ends_where_something_is_new(session: Session) -> None:
    code = ExitKind.CODE
    assert shown(session, text(b"x", b"y", b"x", b"ab", b"z")) == [(1, b"x", code), (4, b"ab", code)]
    assert shown(session, text(b"x", b"y")) == [(1, b"x", code)], "so often none had passed it, in this table"


def test_one_that_passes_something_oftener_is_seen(session: Session) -> None:
    seen = shown(session, text(b"+", b"+", b"++", b"+", b"++", b"+++++++", b"++++"))
    assert [number for number, _, _ in seen] == [1, 3, 6]


def test_crashes_and_hangs_are_results_and_the_burst_goes_on(session: Session) -> None:
    seen = shown(session, text(b"x", b"!", b"x", b"?", b"y"))
    assert seen == [(1, b"x", ExitKind.CODE), (2, b"!", ExitKind.SIGNAL), (4, b"?", ExitKind.TIMEOUT)]


def test_one_request_is_for_many_runs(session: Session) -> None:
    changes = text(b"x", number=2000)
    assert len(glances(session, changes)) > 1
    assert len(glances(session, changes)) < 400, "they take at least 20 ms each, if nothing is new"


@pytest.mark.parametrize("most_runs", [1, 7, 1000])
def test_it_does_not_matter_how_runs_are_shared_out(target: Target, most_runs: int) -> None:
    changes = text(b"++", b"ab", b"xyz", number=60)
    with session_of(target) as one, session_of(target, most_runs) as other:
        seen = shown(one, changes)
        assert len(seen) > 3
        assert seen == shown(other, changes, step=5)


def test_a_process_for_each_run_where_there_has_to_be_one(tmp_path: Path) -> None:
    with session_of(built(tmp_path, more="if (fork() == 0) _exit(0);")) as session:
        assert [done for done, _ in glances(session, text(b"x", b"y", b"x", b"y"))] == [1, 2, 3, 4]


@pytest.mark.parametrize("name", ["/tmp/left", "left"])
def test_no_run_finds_what_another_one_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    more = f'if (access("{name}", F_OK) == 0) abort(); if (text[0] == \'f\') fclose(fopen("{name}", "w"));'
    changes = text(b"x", b"f", b"x", b"f", b"f", b"y", number=40)
    with session_of(built(tmp_path, more), uses_files=True) as session:
        all = glances(session, changes)
    kinds = {glance.exit.kind for _, glance in all if glance.exit and not set(glance.input) & set(b"!?")}
    assert kinds == {ExitKind.CODE}, "but for those that crash and hang by themselves"
    assert len(all) < 200, "most runs leave nothing"


@pytest.mark.parametrize("name", ["/tmp", ".", "inside"])
def test_no_run_finds_other_rights_than_another_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "inside").mkdir()
    more = f"""
        struct stat state;
        if (stat("{name}", &state) != 0 || (state.st_mode & 0777) == 0711) abort();
        if (text[0] == 'c' && chmod("{name}", 0711) != 0) abort();
    """
    with session_of(built(tmp_path, more), uses_files=True) as session:
        all = glances(session, text(b"x", b"c", b"x", b"c", b"y", number=5))
    assert {glance.exit.kind for _, glance in all if glance.exit} == {ExitKind.CODE}


def test_after_a_burst_runs_are_recorded_as_before(session: Session) -> None:
    before = session.run(given(b"ab", 0)[:14])
    glances(session, text(b"ab", number=50))
    after = session.run(given(b"ab", 0)[:14])
    assert len(before) and before.events.tolist() == after.events.tolist()
    assert before.constraints["node"].tolist() == after.constraints["node"].tolist()


@pytest.mark.parametrize("size", [20 << 20, 40 << 20])
def test_what_is_longer_than_inputs_may_be_is_changed_as_far_as_they_go(session: Session, size: int) -> None:
    fields = (LENGTH, Field("stdin", FieldKind.STDIN, 4, size), Field("n", FieldKind.SIGNED, 4 + size, 4))
    all = glances(session, ChangedInputs([BurstStart(given(b"x", 0), fields)], 2))
    assert {glance.exit.kind for _, glance in all if glance.exit} == {ExitKind.CODE}
    assert session.memory.get("input_size") == len(session.memory.input)


def test_a_burst_goes_on_when_shared_memory_was_damaged(session: Session) -> None:
    changes, passes = text(b"x", b"y", b"ab"), np.zeros(session.id_count, np.uint8)
    assert session.burst(changes, range(1), passes, 0.2).input == given(b"x", 0)[:14]
    session.begin_afresh()
    after = session.burst(changes, range(1, 2), passes, 0.2)
    assert after.input == given(b"y", 0)[:14] and after.exit and after.exit.kind is ExitKind.CODE
