"""Same behaviour at length: thousands of random programs, plain and instrumented, on several inputs each.

    python benchmarks/csmith_soak.py [--programs 2000] [--first-seed 10000] [--jobs 2]

csmith (`apt-get install csmith libcsmith-dev`) writes the programs; `tests/csmith_programs.py` folds an input into
them. Both builds must print the same checksums and exit alike, with no input and with several. A program that does not
end in time without us, or that does something else itself
with sanitizers or optimised, says nothing and is counted apart.
Exits with 1 if any other program behaves differently.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.collection import Outcome, build_instrumented, build_plain, random_stdins, stdin_input, stdin_settings
from tests.csmith_programs import SHOW_ALL, compiler_flags, generate, plain_outcome, unavailable
from untaken.execute.session import Session
from untaken.model.path import ExitKind

INPUTS = 6  # the last one of them is no input at all
SAME, LATE, UNDEFINED, DIFFERENT, FAILED = "same", "too slow without us", "undefined in C", "different", "not built"
SANITIZERS = ["-fsanitize=undefined,address", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the comparison of one program came to; `detail` says which input showed it."""

    seed: int
    kind: str
    detail: str = ""


def is_undefined(source: Path, stdin: bytes, folder: Path) -> bool:
    """True if the plain program itself does something else with sanitizers or optimised: C then promises nothing."""
    checked = build_plain(source, folder / "checked", ["-O0", *SANITIZERS, *compiler_flags()])
    unchecked = build_plain(source, folder / "optimised", ["-O2", *compiler_flags()])
    expected = plain_outcome(folder / "plain", stdin)
    return plain_outcome(checked, stdin) != expected or plain_outcome(unchecked, stdin) != expected


def compare_inputs(seed: int, source: Path, plain: Path, instrumented: Path) -> Verdict:
    """Runs both builds on the same inputs, up to the first difference."""
    with Session(instrumented, stdin_settings(arguments=SHOW_ALL)) as session:
        for stdin in [*random_stdins(f"soak{seed}", INPUTS - 1), b""]:
            expected = plain_outcome(plain, stdin)
            if expected is None:
                return Verdict(seed, LATE)
            path = session.run(stdin_input(stdin))
            ended_alike = path.exit.kind is ExitKind.CODE and Outcome(session.output, path.exit.code) == expected
            if not ended_alike:
                kind = UNDEFINED if is_undefined(source, stdin, plain.parent) else DIFFERENT
                return Verdict(seed, kind, f"stdin {stdin.hex() or 'empty'}: {path.exit}")
    return Verdict(seed, SAME)


def compare(seed: int) -> Verdict:
    """One random program, built both ways in a folder of its own."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        source = generate(seed, folder)
        plain = build_plain(source, folder / "plain", ["-O0", *compiler_flags()])
        try:
            instrumented = build_instrumented(source, folder / "instrumented", ["-O1", *compiler_flags()])
        except AssertionError:
            return Verdict(seed, FAILED)
        return compare_inputs(seed, source, plain, instrumented)


def soak(seeds: range, jobs: int) -> Counter[str]:
    """Compares all programs, with a line for each that is not the same and one each hundred programs."""
    counts: Counter[str] = Counter()
    with ProcessPoolExecutor(jobs) as pool:
        for verdict in pool.map(compare, seeds):
            counts[verdict.kind] += 1
            if verdict.kind in (DIFFERENT, FAILED):
                print(f"seed {verdict.seed}: {verdict.kind}, {verdict.detail}", flush=True)
            if counts.total() % 100 == 0:
                print(described(counts), flush=True)
    return counts


def described(counts: Counter[str]) -> str:
    return f"{counts.total():,} programs: " + ", ".join(f"{count:,} {kind}" for kind, count in counts.most_common())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=2000)
    parser.add_argument("--first-seed", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    if reason := unavailable():
        print(f"not possible here: {reason}", file=sys.stderr)
        return 2
    counts = soak(range(options.first_seed, options.first_seed + options.programs), options.jobs)
    print(described(counts))
    return 1 if counts[DIFFERENT] or counts[FAILED] else 0


if __name__ == "__main__":
    sys.exit(main())
