"""Programs that wander on random inputs, wait as snapshots, and are run from there: real ones, in their sandbox."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.search.hybrid.programs import LOCK, READER, built
from untaken.execute.session import Session
from untaken.execute.session_settings import SessionSettings
from untaken.execute.wanderer import Wanderer, WanderManner
from untaken.model.input import Bias, Source, SourceKind
from untaken.model.path import ConstraintKind, ExitKind

FAR = 1 << 20
WAIT = WanderManner(seed=7, saturation=300, limit=FAR)


@contextmanager
def wandering(program: Path, settings: SessionSettings | None = None) -> Iterator[tuple[Session, Wanderer]]:
    with Session(program, settings or SessionSettings(timeout=20)) as session:
        wanderer = Wanderer(session)
        try:
            yield session, wanderer
        finally:
            wanderer.close()


def test_a_snapshot_is_run_from_and_gone_on_from(tmp_path: Path) -> None:
    with wandering(built(tmp_path, LOCK)) as (session, wanderer):
        first = wanderer.start(WAIT)
        assert first.snapshot and first.exit is None and len(first.input) == first.statements - 1
        before = session.counters.restarts
        miss = wanderer.run(first.snapshot, b"abc", 3)
        assert miss.exit.kind is ExitKind.INPUTS and miss.input_used == 3 and miss.snapshot == first.snapshot
        assert 3 <= len(miss.symbolic) <= len(miss.events) < 12, "only what comes after the snapshot is there"
        # Nothing of one run is left for the next, and the prefix is not run again.
        hit = wanderer.run(first.snapshot, b"\0sesa", 9)
        assert hit.exit.kind is ExitKind.SIGNAL
        assert wanderer.run(first.snapshot, b"abc", 3).events.tolist() == miss.events.tolist()
        # From the program's start the whole input does the same.
        whole = session.replay(wanderer.whole_input(hit))
        assert whole.exit == hit.exit and whole.events.tolist()[-len(hit.events) :] == hit.events.tolist()
        second = wanderer.resume(first.snapshot, b"ab", WAIT)
        assert second.snapshot != first.snapshot
        assert second.input.startswith(first.input + b"ab") and second.statements > first.statements
        assert session.counters.restarts == before


def test_a_run_tells_where_it_asked_for_inputs(tmp_path: Path) -> None:
    with wandering(built(tmp_path, LOCK)) as (_, wanderer):
        stretch = wanderer.start(WAIT)
        path = wanderer.run(stretch.snapshot, b"sex", 3)
        assert [position for position, _ in path.asked] == [1, 2]
        events = [events for _, events in path.asked]
        assert 0 < events[0] < events[1] < len(path.events)
        assert wanderer.run(stretch.snapshot, b"s", 1).asked == ()


@pytest.mark.parametrize("cflags", [(), ("-DSTDIO",)], ids=["read", "getchar"])
def test_a_run_tells_where_it_read_on(tmp_path: Path, cflags: tuple[str, ...]) -> None:
    settings = SessionSettings(timeout=20, sources=(Source(SourceKind.STDIN, 2000),), biases=(Bias("stdin", 97, 99),))
    with wandering(built(tmp_path, READER, *cflags), settings) as (_, wanderer):
        stretch = wanderer.start(WAIT)
        path = wanderer.run(stretch.snapshot, b"abcab", 5)
        assert [position for position, _ in path.asked] == [1, 2, 3, 4]
        assert path.input_used == 5


PUSHES_BACK = """
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    for (int c; (c = getchar()) != EOF;) {
        ungetc('!', stdin); /* none of what is drawn */
        if (getchar() != '!') abort();
    }
    return 0;
}
"""


@pytest.mark.parametrize("saturation", [40, 41, 42])
def test_what_was_pushed_back_is_not_lost(tmp_path: Path, saturation: int) -> None:
    settings = SessionSettings(timeout=20, sources=(Source(SourceKind.STDIN, 2000),), biases=(Bias("stdin", 97, 99),))
    with wandering(built(tmp_path, PUSHES_BACK), settings) as (_, wanderer):
        stretch = wanderer.start(WanderManner(seed=7, saturation=saturation, limit=FAR))
        assert wanderer.run(stretch.snapshot, b"abcab", 9).exit.kind is ExitKind.INPUTS


def test_the_same_seed_draws_the_same_inputs(tmp_path: Path) -> None:
    program = built(tmp_path, LOCK)
    drawn = []
    for _ in range(2):
        with wandering(program) as (_, wanderer):
            drawn.append(wanderer.start(WAIT).input)
    with wandering(program) as (_, wanderer):
        other = wanderer.start(WanderManner(8, 300, FAR)).input
    assert drawn[0] == drawn[1] != other


def test_ordinary_runs_go_on_beside_a_snapshot(tmp_path: Path) -> None:
    with wandering(built(tmp_path, LOCK)) as (session, wanderer):
        stretch = wanderer.start(WAIT)
        alone = wanderer.run(stretch.snapshot, b"se", 2)
        session.input_limit = 4
        path = session.run(b"sesa")
        assert path.exit.kind is ExitKind.SIGNAL and len(path.symbolic) >= 4
        again = wanderer.run(stretch.snapshot, b"se", 2)
        assert again.constraints.tolist() == alone.constraints.tolist()


@pytest.mark.parametrize("cflags", [(), ("-DSTDIO",)], ids=["read", "getchar"])
def test_each_read_of_stdin_is_an_input_statement(tmp_path: Path, cflags: tuple[str, ...]) -> None:
    settings = SessionSettings(timeout=20, sources=(Source(SourceKind.STDIN, 2000),), biases=(Bias("stdin", 97, 99),))
    with wandering(built(tmp_path, READER, *cflags), settings) as (session, wanderer):
        stretch = wanderer.start(WAIT)
        assert stretch.snapshot and stretch.statements >= 300
        path = wanderer.run(stretch.snapshot, b"aax", 5)
        assert path.exit.code == 1 and len(path.symbolic) == 3
        missed = wanderer.run(stretch.snapshot, b"aay", 5)
        assert missed.exit.kind is ExitKind.INPUTS and len(missed.symbolic) == 5
        assert session.replay(wanderer.whole_input(path)).exit.code == 1
        ended = wanderer.resume(stretch.snapshot, b"aax", WAIT)
        assert ended.exit is not None and ended.exit.code == 1 and ended.statements == stretch.statements + 2
        assert wanderer.resume(stretch.snapshot, b"", WAIT).snapshot, "what is lost begins anew"


def test_wandering_covers_what_its_inputs_do(tmp_path: Path) -> None:
    """Stretches of all kinds: like the one before, as long but other, longer than there is room for, in any switch."""
    cases = " ".join(f"case {7 * number}: kind = {number % 5}; break;" for number in range(300))
    program = built(
        tmp_path,
        f"""
        #include <untaken.h>
        static int folded(unsigned short n) {{
            int kind = 9;
            switch (n % 2200) {{ {cases} }}
            return kind;
        }}
        int main(void) {{
            for (unsigned last = 0, sum = 0, count = 0;; count++) {{
                unsigned short n;
                untaken_ushort(&n);
                if (count < 2000) {{
                    if (n % 500 == 3) last++; else sum++;
                    continue;
                }}
                switch (n >> 8) {{ case 'a': last++; break; case 'b': last = 0; break; case 'c': last += 2; }}
                if (n % 64 < 2) {{ if (n & 1) sum++; else last++; }}
                if (n < 600) for (unsigned i = 0; i < 4u * n; i++) if (i % 97 == last % 97) sum++;
                if (n > 60000) sum += (unsigned)folded(n);
                switch (sum % 7) {{ case 1: case 3: sum += n > 200; break; case 5: sum--; default: sum += 3; }}
            }}
        }}
        """,
    )
    manner = WanderManner(5, FAR, 4000)
    with wandering(program) as (session, wanderer):
        drawn = wanderer.start(manner).input
        covered = session.coverage.nonzero()[0].tolist()
    with Session(program, SessionSettings(timeout=20)) as session:
        session.input_limit = manner.limit
        session.run(drawn, concrete=True)
        assert covered == session.coverage.nonzero()[0].tolist()


def test_random_inputs_keep_to_ranges_values_and_printables(tmp_path: Path) -> None:
    program = built(
        tmp_path,
        """
        #include <untaken.h>
        #include <stdlib.h>
        int main(void) {
            for (;;) {
                int n; short v; char text[5];
                untaken_input_int(&n, "n");
                untaken_input_short(&v, "v");
                untaken_input(text, sizeof text, "text");
                if (n < -3 || n > 5) abort();
                if (v != 7 && v != -2 && v != 'q') abort();
                for (int i = 0; i < 5; i++) if ((text[i] < 32 || text[i] > 126) && text[i] != 10) abort();
            }
        }
        """,
    )
    biases = (Bias("n", -3, 5), Bias("v", values=(7, -2, ord("q"))))
    with wandering(program, SessionSettings(timeout=20, biases=biases, printable=True)) as (_, wanderer):
        stretch = wanderer.start(WanderManner(1, 3000, FAR))
        assert stretch.exit is None
        numbers = {int.from_bytes(stretch.input[at : at + 4], "little", signed=True) for at in range(0, 5500, 11)}
        assert numbers == set(range(-3, 6))


def test_a_crash_and_a_hang_end_the_run(tmp_path: Path) -> None:
    text = """
    #include <untaken.h>
    #include <stdlib.h>
    int main(void) {
        for (;;) {
            unsigned char c;
            untaken_uchar(&c);
            if (c == 200) ACTION;
        }
    }
    """
    for action, kind in (("abort()", ExitKind.SIGNAL), ("for (;;) {}", ExitKind.TIMEOUT), ("exit(3)", ExitKind.CODE)):
        program = built(tmp_path, text.replace("ACTION", action))
        with wandering(program, SessionSettings(timeout=0.5)) as (session, wanderer):
            stretch = wanderer.start(WanderManner(1, 1 << 30, FAR))
            assert stretch.exit is not None and stretch.exit.kind is kind and stretch.snapshot == 0
            assert stretch.input[-1] == 200 and stretch.reach == len(stretch.input)
            assert session.replay(stretch.input).exit == stretch.exit
            assert wanderer.start(WanderManner(2, 1 << 30, FAR)).exit == stretch.exit, "and it can be started again"


SETUPS = {
    "threads": ("pthread_t other; pthread_create(&other, 0, wait_for_ever, 0);", "several threads", False),
    "children": ("if (fork() == 0) for (;;) pause();", "child processes", False),
    "files": ('chdir(getenv("TMPDIR")); FILE *log = fopen("log", "w"); fputs("x", log);', "open for writing", True),
    "pipes": ("int ends[2]; if (pipe(ends)) return 1;", "pipes or sockets", True),
    "timers": ("signal(SIGALRM, ring); ualarm(1000, 1000);", "", True),
}


@pytest.mark.parametrize("setup", SETUPS)
def test_what_a_fork_does_not_copy_is_told(tmp_path: Path, setup: str) -> None:
    code, told, taken = SETUPS[setup]
    program = built(
        tmp_path,
        f"""
        #define _GNU_SOURCE
        #include <untaken.h>
        #include <pthread.h>
        #include <signal.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <unistd.h>
        void *wait_for_ever(void *unused) {{ for (;;) pause(); return unused; }}
        void ring(int number) {{ (void)number; }}
        int main(void) {{
            {code}
            for (;;) {{ char c; untaken_char(&c); if (c == 'x') usleep(1); }}
        }}
        """,
        "-pthread",
    )
    with wandering(program) as (_, wanderer):
        stretch = wanderer.start(WanderManner(1, 200, 2000))
        assert bool(stretch.snapshot) is taken
        assert [told in note for note in wanderer.notes] == ([True] if told else [])
        for _ in range(3 if taken else 0):
            assert wanderer.run(stretch.snapshot, b"ax", 2).exit.kind is ExitKind.INPUTS


def test_the_offset_of_an_open_file_is_that_of_the_snapshot(tmp_path: Path) -> None:
    """The file is the program itself, which is there in any sandbox: it begins with 7f, E, L, F."""
    program = built(
        tmp_path,
        """
        #include <untaken.h>
        #include <fcntl.h>
        #include <unistd.h>
        int main(void) {
            int file = open("/proc/self/exe", O_RDONLY);
            for (int i = 0;; i++) {
                char c, byte;
                untaken_char(&c);
                if (i < 50) continue;
                if (read(file, &byte, 1) != 1) return 9;
                if (i > 50) return byte;
            }
        }
        """,
    )
    with wandering(program) as (_, wanderer):
        stretch = wanderer.start(WanderManner(1, 40, FAR))
        assert stretch.snapshot
        codes = {wanderer.run(stretch.snapshot, b"", FAR).exit.code for _ in range(3)}
        assert codes == {ord("E")}


# A table on the heap that was made and moved while the program was on random inputs.
TABLE = """
#include <untaken.h>
#include <stdlib.h>
int main(void) {
    unsigned char *table = NULL;
    for (int count = 0;; count++) {
        unsigned char c;
        if (count < 50) {
            table = realloc(table, count + 256);
            for (int i = 0; i < count + 256; i++) table[i] = (unsigned char)(3 * i);
        }
        untaken_uchar(&c);
        if (table[c] == 141 && count > 5000) return 1;
    }
}
"""


def test_a_table_made_on_random_inputs_is_looked_into(tmp_path: Path) -> None:
    with wandering(built(tmp_path, TABLE)) as (_, wanderer):
        stretch = wanderer.start(WAIT)
        assert stretch.snapshot
        path = wanderer.run(stretch.snapshot, b"\x05", 1)
        assert set(path.constraints["kind"].tolist()) == {ConstraintKind.BRANCH}, "the address is not pinned"
        assert not any(path.concretised)
