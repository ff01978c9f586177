"""Same behaviour: random programs print the same checksums plain and instrumented, with and without symbolic input."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.collection import Outcome, build_instrumented, build_plain, random_stdins, stdin_input, stdin_settings
from tests.csmith_programs import PATIENCE, SEEDS, SHOW_ALL, compiler_flags, generate, plain_outcome, unavailable
from untaken.execute.session import Session
from untaken.model.path import ExitKind

CANDIDATES = 12
BATCH = 10  # programs compared, out of so many candidates: another csmith may write others that run for ever
BATCHES = 3  # benchmarks/csmith_soak.py compares as many as one likes
INPUTS = 4  # the last one of them is no input at all

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=unavailable() or "")


def compare(seed: int, folder: Path) -> bool:
    """Runs one random program both ways; false if the plain one does not always end in time."""
    source = generate(seed, folder)
    # Not optimised: or else loops would be left out that the instrumented program has to go through.
    plain = build_plain(source, folder / "plain", ["-O0", *compiler_flags()])
    instrumented = build_instrumented(source, folder / "instrumented", ["-O1", *compiler_flags()])
    with Session(instrumented, stdin_settings(arguments=SHOW_ALL)) as session:
        for stdin in [*random_stdins(f"csmith{seed}", INPUTS - 1), b""]:
            expected = plain_outcome(plain, stdin)
            if expected is None:
                return False
            path = session.run(stdin_input(stdin))
            assert path.exit.kind is ExitKind.CODE, f"seed {seed}, stdin {stdin.hex()}: {path.exit}"
            assert Outcome(session.output, path.exit.code) == expected, f"seed {seed}, stdin {stdin.hex()}"
    return True


@pytest.mark.parametrize("batch", range(BATCHES))
def test_same_checksums(batch: int, tmp_path: Path) -> None:
    candidates = SEEDS[batch * CANDIDATES : (batch + 1) * CANDIDATES]
    compared = 0
    for seed in candidates:
        compared += compare(seed, tmp_path)
        if compared == BATCH:
            break
    assert compared == BATCH, f"of the seeds {candidates} too few end within {PATIENCE} s"
