"""A campaign's folder may be somebody else's: what it asks for is not done, and where its links lead nobody goes."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tests.campaign.commands import campaign, untaken, written
from untaken.build.objects.map_records import LinkageRecord, OriginRecord
from untaken.build.plain import Variant
from untaken.build.toolchain.safe_options import unsafe_option
from untaken.cli.main import guarded, run
from untaken.errors import PlainBuildError
from untaken.json_records import DamagedRecord, checked
from untaken.suite.replay.foreign import ForeignBuild, build_foreign, lend_runtime
from untaken.suite.tests import read_suite

PROGRAM = """
#include <stdlib.h>
#include <untaken.h>
int main(void) {
    int x;
    untaken_input_int(&x, "x");
    if (x == 77) abort();
    return x > 5;
}
"""
Captured = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign that was begun here."""
    folder = tmp_path_factory.mktemp("made")
    campaign(written(folder, PROGRAM), "--iterations", 60, "--out", folder / "out")
    return folder / "out"


@pytest.fixture
def foreign(made: Path, tmp_path: Path) -> Callable[..., Path]:
    """The same folder, as if somebody else had begun the campaign, with these options."""

    def copied(*cflags: str) -> Path:
        folder = tmp_path / "theirs"
        shutil.copytree(made, folder)
        recipe = json.loads((folder / "campaign.json").read_text())
        (folder / "campaign.json").write_text(json.dumps({**recipe, "cflags": list(cflags)}))
        return folder

    return copied


@pytest.mark.parametrize(
    "words",
    [
        *(["-fplugin=evil.so"], ["-fplugin-arg-x-y=z"], ["-fpass-plugin=evil.so"], ["-MD", "-MF", "/etc/passwd"]),
        *(
            ["-MF/etc/passwd"],
            ["-o", "x"],
            ["-ox"],
            ["@words"],
            ["-I", "@words"],
            ["-D", "@words"],
            ["-B."],
            ["-B", "."],
        ),
        *(["-specs=evil"], ["--specs=evil"], ["-wrapper", "sh,-c,id"], ["-Wl,-plugin,evil.so"], ["-Wl,@words"]),
        *(
            ["-Wl,-Map,/etc/passwd"],
            ["-Wl,-z,now,-T,script"],
            ["-Wl,-rpath,-plugin"],
            ["-Xlinker", "-plugin"],
            ["-T", "x"],
        ),
        *(["-Xclang", "-load", "-Xclang", "evil.so"], ["-mllvm", "-load=evil.so"], ["-mllvm=-load"], ["-Wa,-o,x"]),
        *(["-Wp,-MD,x"], ["-fuse-ld=/tmp/evil"], ["--ld-path=/tmp/evil"], ["-fdump-tree-all=x"], ["-fprofile-dir=x"]),
        *(["-save-temps"], ["-ftime-trace=x"], ["-foptimization-record-file=x"], ["--sysroot=/tmp"], ["-dumpdir", "x"]),
        *(["-fcrash-diagnostics-dir=x"], ["--config=evil"], ["-x", "-fplugin=x"], ["-I"], ["--", "x"], ["--coverage"]),
        *(
            ["-gsplit-dwarf"],
            ["-fsanitize-ignorelist=x"],
            ["-fstack-usage"],
            ["-serialize-diagnostics", "x"],
            ["-MJ", "x"],
        ),
    ],
    ids=" ".join,
)
def test_options_that_could_do_anything_are_not_safe(words: list[str]) -> None:
    assert unsafe_option(words) is not None
    assert unsafe_option(["-O2", *words]) is not None


def test_options_of_usual_programs_are_safe() -> None:
    usual = "-O2 -g -std=gnu11 -Wall -Wno-error=unused -DN=3 -D M -Iinclude -I . -isystem x -include config.h -pthread"
    linked = "-L. -lz -lm x.o liby.a -Wl,--as-needed -Wl,-rpath,$ORIGIN -Wl,-z,now,-z,relro -static"
    tuned = "-fno-strict-aliasing -fPIC -fvisibility=hidden -fsanitize=address,undefined -march=x86-64-v2 -x c"
    assert unsafe_option([*usual.split(), *linked.split(), *tuned.split()]) is None


def test_an_option_that_is_not_known_is_named(foreign: Callable[..., Path], capsys: Captured) -> None:
    folder = foreign("-fplugin=/tmp/evil.so")
    for command in (["replay", str(folder)], ["export", str(folder), "--format", "script"]):
        assert guarded(run, command) == 2
        said = capsys.readouterr().err
        assert "option -fplugin=/tmp/evil.so, which is not known to be safe" in said and "--trust" in said


def test_trust_allows_it(foreign: Callable[..., Path], capsys: Captured) -> None:
    folder = foreign("-fmessage-length=0")
    assert guarded(run, ["replay", str(folder), "1"]) == 2
    assert guarded(run, ["replay", str(folder), "1", "--trust"]) == 0
    assert "same" in capsys.readouterr().out


def test_what_is_others_is_built_in_the_sandbox(
    foreign: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    for name in ("build_cached", "plain_program"):
        monkeypatch.setattr(f"untaken.suite.replay.native.{name}", None)
    assert guarded(run, ["replay", str(foreign("-DOTHER=1"))]) == 1
    assert "do natively what they did" in capsys.readouterr().out


def test_the_sandbox_of_a_build_can_write_nowhere_else(foreign: Callable[..., Path]) -> None:
    """Even by options that the list should not have let through."""
    place = Path.home() / ".written-by-an-untaken-test"
    with suppress(PlainBuildError):
        build_foreign(
            ForeignBuild.of_suite(read_suite(foreign("-DOTHER=2"))), Variant("", (f"-Wl,-Map,{place}",)), "program"
        )
    assert not place.exists()


def test_own_campaigns_are_built_as_ever(made: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    for place in ("native", "plain_programs"):
        monkeypatch.setattr(f"untaken.suite.replay.{place}.build_foreign", None)
    assert guarded(run, ["replay", str(made), "1"]) == 0


@pytest.fixture(scope="module")
def others_program(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """A program that was built by somebody else: with another cache, that is."""
    folder = tmp_path_factory.mktemp("theirs")
    source = written(folder, PROGRAM)
    lend_runtime(folder / "cache" / "untaken")

    def built(name: str, *words: str) -> Path:
        program = folder / name
        done = untaken("cc", source, *words, "-o", program, environment={"XDG_CACHE_HOME": str(folder / "cache")})
        assert done.code == 0, done.said
        return program

    return built


def test_what_a_program_asks_for_is_not_done(
    others_program: Callable[..., Path], tmp_path: Path, capsys: Captured
) -> None:
    """A campaign that was begun here, of a program that was built elsewhere: it says itself how it was linked."""
    harm = tmp_path / "harm"
    program = others_program("harmful", f"-Wl,--as-needed,-Map={harm}")
    harm.unlink()
    begin = ["run", str(program), "--iterations", "60", "--out", str(tmp_path / "out")]
    assert guarded(run, begin) == 1
    said = capsys.readouterr().out
    assert f"-Map={harm}, which is not known to be safe" in " ".join(said.split())
    assert guarded(run, ["replay", str(tmp_path / "out"), "1"]) == 0
    assert "--trust allows it: replaying on the instrumented program" in capsys.readouterr().err
    assert not harm.exists()
    assert guarded(run, ["replay", str(tmp_path / "out"), "1", "--trust"]) == 0
    assert harm.exists()


def test_others_programs_are_confirmed_on_a_plain_program_that_the_sandbox_built(
    others_program: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("untaken.suite.replay.plain_programs.build_plain", None)
    summary = campaign(others_program("harmless"), "--iterations", "60", "--out", tmp_path / "out")
    assert [finding.confirmation.on for finding in summary.findings] == ["the plain program"]


def test_own_programs_are_built_as_they_were(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With options that are on no list, too: the user gave them here before."""
    monkeypatch.setattr("untaken.suite.replay.plain_programs.build_foreign", None)
    program = tmp_path / "own"
    assert untaken("cc", written(tmp_path, PROGRAM), "-fmessage-length=0", "-o", program).code == 0
    summary = campaign(program, "--iterations", "60", "--out", tmp_path / "out")
    assert [finding.confirmation.on for finding in summary.findings] == ["the plain program"]


ORIGIN = {"directory": "/", "source": "x.c", "language": "c", "words": [], "variables": {}, "files": [], "digest": ""}


@pytest.mark.parametrize(
    "said",
    [
        {"source": "-fplugin=x"},
        {"source": "@x"},
        {"language": "-x"},
        {"variables": {"LD_PRELOAD": "x"}},
        {"words": ["\0"]},
    ],
    ids=str,
)
def test_a_program_cannot_smuggle_options_into_its_own_build(said: dict[str, object]) -> None:
    with pytest.raises(DamagedRecord):
        checked({**ORIGIN, **said}, OriginRecord).check()
    linkage = {"directory": "/", "items": [{"file": "-plugin"}], "sanitizers": [], "shared": False, "cplusplus": False}
    with pytest.raises(DamagedRecord):
        checked(linkage, LinkageRecord).check()


LINKED = (
    "campaign.json",
    "campaign.sqlite",
    ".lock",
    "timeline.csv",
    "summary.json",
    "report.html",
    "tests",
    "crashes",
)
DEEPER = ("crashes", "tests/000001.bin", "tests/000001.json", "crashes/0001-sigabrt", "crashes/0001-sigabrt/input.bin")


@pytest.mark.parametrize("name", [*LINKED, *DEEPER, "export-files", "by-hand", "unconfirmed"])
def test_links_are_not_followed(name: str, made: Path, tmp_path: Path, capsys: Captured) -> None:
    folder, elsewhere = tmp_path / "theirs", tmp_path / "elsewhere"
    shutil.copytree(made, folder)
    place = folder / name
    if place.exists():
        place.rename(elsewhere)
    else:
        elsewhere.mkdir()
    place.symlink_to(elsewhere)
    before = contents(elsewhere)
    source = str(made.parent / "program.c")
    for command in (
        ["replay", str(folder), "1", "--gdb"],
        ["report", str(folder)],
        ["export", str(folder), "--format", "files"],
        ["run", source, "--iterations", "2", "--out", str(folder)],
    ):
        assert guarded(run, command) == 2
        assert f"{place} is a link to {elsewhere}" in capsys.readouterr().err
    assert contents(elsewhere) == before


def contents(path: Path) -> object:
    if path.is_file():
        return path.read_bytes()
    return {str(each): each.read_bytes() for each in path.rglob("*") if each.is_file()}


def test_devices_and_pipes_are_no_tests(made: Path, tmp_path: Path, capsys: Captured) -> None:
    folder = tmp_path / "theirs"
    shutil.copytree(made, folder)
    os.mkfifo(folder / "tests" / "000099.bin")
    assert guarded(run, ["export", str(folder), "--format", "files"]) == 2
    assert "000099.bin is neither a file nor a folder" in capsys.readouterr().err
