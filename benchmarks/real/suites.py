"""The test suites that packages come with: what each of their tests came to, in the formats that are usual."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.real.steps import code_of_step, log_of

CHECK = "check"  # the step
KEPT = "suite.json"  # what a suite came to; it is there once it was run
ENDING = "make"  # among the results: how the suite as a whole ended
NOT_RUN, UNFINISHED = "not run", "not done"
AUTOMAKE = re.compile(r"^(PASS|FAIL|XFAIL|XPASS|SKIP|ERROR): (\S+)", re.MULTILINE)
AUTOTEST = re.compile(r"^ *\d+: (.+?) {2,}(ok|FAILED|skipped|expected failure)", re.MULTILINE)
CTEST = re.compile(r"^ *\d+/\d+ Test +#\d+: (\S+) \.*(.*?) +[\d.]+ sec", re.MULTILINE)
COUNTS = re.compile(r"^(\d+)%: Checks: (\d+), (?:Failures|Failed): (\d+)", re.MULTILINE)
TRS = re.compile(r"^:test-global-result:\s*(.*)$", re.MULTILINE)
CHANGES = re.compile(r"\s*(0x[0-9a-f]+|\d+([.:,]\d+)*)\s*")  # addresses, times, process numbers: others in each run


def suite_results(
    words: Sequence[str], folder: Path, top: Path, environment: Mapping[str, str], seconds: float
) -> dict[str, str]:
    """The result of each test by its name, from `make` with these words, unless that was done before."""
    kept = folder / KEPT
    if not kept.exists():
        kept.write_text(json.dumps(run_suite(words, top, environment, seconds)))
    found: dict[str, str] = json.loads(kept.read_text())
    return found


def run_suite(words: Sequence[str], top: Path, environment: Mapping[str, str], seconds: float) -> dict[str, str]:
    try:
        code = code_of_step(CHECK, ["make", "-k", *words], top, environment, seconds)
    except subprocess.TimeoutExpired:
        return {ENDING: f"{UNFINISHED} after {seconds:g} s"}
    results = test_results(top)
    if not results:
        results |= printed_lines(log_of(CHECK, top).read_text(errors="replace"), top, environment.get("CC", ""))
    return {**results, ENDING: f"exit code {code}"}


def is_unfinished(results: Mapping[str, str]) -> bool:
    return results[ENDING].startswith(UNFINISHED)


def test_results(top: Path) -> dict[str, str]:
    """From automake's .trs files, from the log, and the counts that a test program prints."""
    results = {
        str(path.relative_to(top)): found[1]
        for path in sorted(top.rglob("*.trs"))
        if (found := TRS.search(path.read_text(errors="replace")))
    }
    text = log_of(CHECK, top).read_text(errors="replace")
    results |= {f"log of {name}": result for result, name in AUTOMAKE.findall(text)}
    results |= dict(AUTOTEST.findall(text))
    results |= {name: result.strip(" *") for name, result in CTEST.findall(text)}
    for path in sorted(top.rglob("*.log")):
        for index, counts in enumerate(COUNTS.findall(path.read_text(errors="replace"))):
            results[f"counts {path.relative_to(top)} {index}"] = " ".join(counts)
    return results


def printed_lines(text: str, top: Path, compiler: str) -> dict[str, str]:
    """Where results have no format of their own: what the suite prints, and how often; no commands that compile, and
    of lines that are written over again and again the last state."""
    lines = [line.rpartition("\r")[2].split() for line in text.replace(str(top), "TOP").split("\n")]
    kept = [" ".join(words) for words in lines if words and not any(compiler and compiler in word for word in words)]
    counted = Counter(f"prints {CHANGES.sub(' N ', line)}" for line in kept)
    return {line: f"{number} times" for line, number in counted.items()}


def differences(plain: Mapping[str, str], ours: Mapping[str, str]) -> Iterator[str]:
    for name in sorted(plain.keys() | ours.keys()):
        before, after = plain.get(name, NOT_RUN), ours.get(name, NOT_RUN)
        if before != after:
            yield f"{name}: plain {before}, instrumented {after}"
