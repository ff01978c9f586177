"""Findings are confirmed in a process of their own; what is not is listed apart and is no finding."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from tests.campaign.commands import campaign, files_of, untaken, written
from tests.compilers import has_runtime_library
from untaken.build.driver import build_program
from untaken.build.plain import ADDRESS_CHECKED, plain_compiler
from untaken.build.toolchain.compilers import front_end
from untaken.campaign.findings.confirm import BY_HAND, IN_A_SESSION
from untaken.suite.findings import Finding

# Its clock begins in 2001 while it is explored, as everywhere in a campaign; outside, it is another year.
CLOCK = """
#include <stdlib.h>
#include <time.h>
#include <untaken.h>
int main(void) {
    int x;
    untaken_int(&x);
    if (x == 4711 && time(NULL) < 1500000000) abort();
    if (x == 42) abort();
    return 0;
}
"""
ONLY_CLOCK = CLOCK.replace("x == 42", "x == 4711")


def reasons(findings: tuple[Finding, ...]) -> list[tuple[str, str]]:
    return [(finding.what, finding.confirmation.reason) for finding in findings]


def test_what_only_exploring_shows_is_no_finding(tmp_path: Path) -> None:
    out = tmp_path / "out"
    program = ONLY_CLOCK.replace("if (x == 4711) abort();", "")
    answer = untaken("run", written(tmp_path, program), "--iterations", 30, "--strategy", "dfs", "--json", "--out", out)
    assert answer.code == 0, answer.said
    assert answer.summary["crashes"] == []
    [seen] = answer.summary["unconfirmed"]
    assert seen["what"] == "SIGABRT" and seen["confirmed"] is False and seen["shows"] == "exit code 0"
    assert (out / seen["test"]).read_bytes()[:4] == (4711).to_bytes(4, "little")
    assert list((out / "crashes").iterdir()) == []
    assert "seen only while exploring: SIGABRT (the plain program: exit code 0)" in answer.said
    replayed = untaken("replay", out, f"unconfirmed/{seen['name']}")
    assert replayed.code == 0 and "unconfirmed 0001-sigabrt  SIGABRT: was SIGABRT, is exit code 0" in replayed.printed


def test_a_function_that_is_called_like_one_of_sockets_keeps_nobody_from_the_plain_program(tmp_path: Path) -> None:
    """Parsers like to call theirs `accept`."""
    program = """
#include <stdio.h>
#include <stdlib.h>
static int accept(int wanted) { return getchar() == wanted; }
int main(void) { if (accept('a')) abort(); return 0; }
"""
    source, out = written(tmp_path, program), tmp_path / "out"
    answer = untaken("run", source, "--stdin", 4, "--iterations", 30, "--json", "--out", out)
    [found] = answer.summary["crashes"]
    assert found["confirmed_on"] == "the plain program"


def test_the_closing_lists_it_apart(tmp_path: Path) -> None:
    source = written(tmp_path, CLOCK)
    answer = untaken("run", source, "--iterations", 30, "--strategy", "dfs", "--out", tmp_path / "out")
    assert answer.code == 1
    found, apart = answer.printed.split("Seen only while exploring, so these are no findings")
    assert "1 finding\n" in found and "untaken replay" in apart.split("\n")[2] and "unconfirmed/" in apart


def test_a_place_is_tried_again_with_other_inputs(tmp_path: Path) -> None:
    """The first input at a place went wrong for a reason of its own."""
    source = written(
        tmp_path,
        """
        #include <stdlib.h>
        #include <time.h>
        #include <untaken.h>
        int main(void) {
            unsigned char x;
            untaken_input(&x, 1, "x");
            if (x > 2 && (time(NULL) < 1500000000 || x > 200)) abort();
            return 0;
        }
        """,
    )
    summary = campaign(source, "--iterations", 60, "--strategy", "random", "--out", tmp_path / "out")
    [finding] = summary.findings
    assert (tmp_path / "out/crashes" / finding.name / "input.bin").read_bytes()[0] > 200
    assert not (tmp_path / "out/unconfirmed").exists()


UNDEFINED = """
#include <untaken.h>
int main(void) {
    int x;
    untaken_int(&x);
    if (x == 42) *(int *)0 = x;
    return 0;
}
"""


@pytest.mark.parametrize("flags", ["", "-O2"])
def test_undefined_behaviour_is_confirmed_whatever_the_optimiser_makes_of_it(tmp_path: Path, flags: str) -> None:
    words = ["--iterations", 30, "--strategy", "dfs", "--out", tmp_path / "out"]
    summary = campaign(written(tmp_path, UNDEFINED), *words, *([f"--cflags={flags}"] if flags else []))
    [finding] = summary.findings
    assert finding.what == "SIGSEGV"
    assert finding.confirmation.on.startswith("the plain program")


# While exploring it goes wrong; on the plain program nothing but the overrun itself does.
OVERRUN = """
#include <stdlib.h>
#include <time.h>
#include <untaken.h>
int main(void) {
    int x;
    untaken_int(&x);
    volatile char *text = malloc(8);
    if (x == 4711 && text[9] < 2 && time(NULL) < 1500000000) abort();
    free((void *)text);
    return 0;
}
"""


@pytest.mark.skipif(
    not has_runtime_library(plain_compiler(front_end(), ADDRESS_CHECKED.options), "-fsanitize=address"),
    reason="needs a compiler with AddressSanitizer: apt-get install clang libclang-rt-dev",
)
def test_an_overrun_that_the_plain_program_survives_is_told_by_a_sanitizer(tmp_path: Path) -> None:
    """Reading on is wrong, whether or not what lies there makes a difference."""
    source = written(tmp_path, OVERRUN)
    summary = campaign(source, "--iterations", 30, "--strategy", "dfs", "--out", tmp_path / "out")
    [finding] = summary.findings
    assert finding.confirmation.shows == "heap-buffer-overflow"
    replayed = untaken("replay", tmp_path / "out")
    assert replayed.code == 1 and "different" not in replayed.printed
    assert "SIGABRT: heap-buffer-overflow, on the plain program with AddressSanitizer" in replayed.printed
    debugger = untaken("replay", tmp_path / "out", finding.name, "--gdb").printed
    assert b"__asan" in Path(shlex.split(debugger)[-1]).read_bytes()


def test_a_program_whose_sources_are_gone_is_run_by_hand(tmp_path: Path) -> None:
    source, program = written(tmp_path, UNDEFINED), tmp_path / "program"
    build_program([source], program)
    source.unlink()
    summary = campaign(program, "--iterations", 30, "--strategy", "dfs", "--out", tmp_path / "out")
    assert [finding.confirmation.on for finding in summary.findings] == [BY_HAND]


def test_what_can_only_be_delivered_in_a_campaign_is_run_in_one_of_its_own(tmp_path: Path) -> None:
    program = """
        #include <stdio.h>
        #include <stdlib.h>
        int main(void) { FILE *f = fopen("/nowhere/x", "r"); if (f && fgetc(f) == 65) abort(); return 0; }
    """
    words = ["--file", "/nowhere/x=2", "--iterations", 20, "--strategy", "dfs", "--out", tmp_path / "out"]
    summary = campaign(written(tmp_path, program), *words)
    assert [finding.confirmation.on for finding in summary.findings] == [IN_A_SESSION]


ENDS = """
#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <untaken.h>
static void leave(int number) { exit(number); }
int main(int argc, char **argv) {
    int x;
    untaken_int(&x);
    int c = getchar();
    if (x == 1) for (;;) ;
    if (x == 2) assert(c != 'k');
    if (x == 3) { signal(SIGABRT, leave); assert(c != 'l'); }
    if (x == 4) memset(malloc(1L << 40), 1, 9);
    if (x == 5 && argc == 2 && argv[1][0] == 'm') raise(SIGUSR1);
    return 0;
}
"""


def test_every_kind_of_end_is_confirmed(tmp_path: Path) -> None:
    words = ["--stdin", 2, "--arg", 3, "--timeout", 0.5, "--iterations", 150, "--out", tmp_path / "out"]
    summary = campaign(written(tmp_path, ENDS), *words)
    found = {finding.what for finding in summary.findings}
    assert {"SIGSEGV", "SIGUSR1", "assertion `c != 'k'' failed", "assertion `c != 'l'' failed"} <= found
    assert "timeout" in {finding.kind for finding in summary.findings}
    assert reasons(summary.unconfirmed) == []


def test_the_same_seed_confirms_the_same(tmp_path: Path) -> None:
    source = written(tmp_path, CLOCK)
    for name in ("one", "other"):
        campaign(source, "--iterations", 40, "--out", tmp_path / name)
    for folder in ("tests", "crashes", "unconfirmed"):
        assert files_of(tmp_path / "one" / folder) == files_of(tmp_path / "other" / folder)


def test_what_there_was_no_time_for_is_confirmed_when_it_goes_on(tmp_path: Path) -> None:
    """A hang cannot be confirmed within the second that is left."""
    source = written(tmp_path, "#include <stdio.h>\nint main(void) { if (getchar() == 'h') for (;;) ; return 0; }\n")
    seeds = tmp_path / "seeds"
    seeds.mkdir()
    (seeds / "h").write_bytes(b"h")
    words = ["run", source, "--stdin", 1, "--timeout", 2, "--out", tmp_path / "out", "--seeds", seeds, "--json"]
    first = untaken(*words, "--time", 2.5)
    assert first.code == 0 and first.summary["crashes"] == []
    assert [seen["confirmed"] for seen in first.summary["unconfirmed"]] == [None]
    second = untaken(*words, "--iterations", 1)
    assert second.code == 1 and second.summary["unconfirmed"] == []
    assert [found["kind"] for found in second.summary["crashes"]] == ["timeout"]


def test_what_a_killed_campaign_left_of_such_a_run_is_removed(tmp_path: Path) -> None:
    source = written(tmp_path, "#include <stdio.h>\nint main(void) { return getchar() == 'h'; }\n")
    words = [source, "--stdin", 1, "--iterations", 2, "--out", tmp_path / "out"]
    campaign(*words)
    left = tmp_path / "out" / ".confirm-1234" / "work" / "deeper"
    left.mkdir(parents=True)
    (left / "file").write_text("left")
    campaign(*words)
    assert not list((tmp_path / "out").glob(".confirm-*"))


def test_a_shortened_finding_is_confirmed_again(tmp_path: Path) -> None:
    """While exploring, one byte is enough; the plain program wants two."""
    source = written(
        tmp_path,
        """
        #include <stdio.h>
        #include <stdlib.h>
        #include <time.h>
        int main(void) {
            char text[8] = "";
            size_t size = fread(text, 1, sizeof text, stdin);
            int wanted = time(NULL) < 1500000000 ? 1 : 2;
            if (size >= (size_t)wanted && text[0] == 'b') abort();
            return 0;
        }
        """,
    )
    seeds = tmp_path / "seeds"
    seeds.mkdir()
    (seeds / "b").write_bytes(b"bcdef")
    words = ["--stdin", 8, "--seeds", seeds, "--iterations", 1, "--minimise", "--out", tmp_path / "out"]
    [finding] = campaign(source, *words).findings
    described = json.loads((tmp_path / "out/crashes" / finding.name / "finding.json").read_text())
    assert described["fields"][1]["value"] == "bcdef"
