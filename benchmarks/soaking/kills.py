"""Kills at random moments of campaigns, which then go on: nothing is lost, and nothing runs backwards."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from benchmarks.soaking.commands import ALLOWED_CODES, SIGNS_OF_FAULT, become, forked
from benchmarks.soaking.outcomes import SoakTrial
from benchmarks.soaking.processes import processes_left
from benchmarks.soaking.wholeness import Remembered

SOURCE = """
#include <stdlib.h>
#include <untaken.h>
#define LOCK(i) \\
    if (key[i] == (unsigned char)(key[i + 1] * 7 + i)) opened++; \\
    if (key[i] > 200 && key[i + 1] < 20) opened += 2;
int main(void) {
    unsigned char key[24];
    int opened = 0;
    untaken_input(key, sizeof key, "key");
    LOCK(0) LOCK(1) LOCK(2) LOCK(3) LOCK(4) LOCK(5) LOCK(6) LOCK(7) LOCK(8) LOCK(9) LOCK(10) LOCK(11) LOCK(12)
    LOCK(13) LOCK(14) LOCK(15) LOCK(16) LOCK(17) LOCK(18) LOCK(19) LOCK(20) LOCK(21)
    if (opened == 3 && key[0] == 'x') abort();
    return opened == 1000;
}
"""
ASKED = (signal.SIGINT, signal.SIGTERM)
KILLS_TO_ONE_ASKED = 9  # all but every tenth is a kill with -9
A_WHILE = 1.5  # seconds after which a campaign is in full swing
NEW_FOLDER = 25  # kills in one folder


def killed_campaigns(folder: Path, random: Random, deadline: float, most: int) -> Iterator[SoakTrial]:
    """One kill after the other."""
    program = folder / "locks.c"
    program.write_text(SOURCE)
    forked(["run", str(program), "--iterations", "1", "--quiet", "--out", str(folder / "first")])  # builds it
    remembered = Remembered()
    for number in range(most + most // KILLS_TO_ONE_ASKED):
        if time.monotonic() > deadline:
            return
        out = folder / f"out-{number // NEW_FOLDER}"
        remembered = Remembered() if number % NEW_FOLDER == 0 else remembered
        chosen = random.choice(ASKED) if number % (KILLS_TO_ONE_ASKED + 1) == KILLS_TO_ONE_ASKED else signal.SIGKILL
        yield _killed(program, out, random, chosen, remembered)


def _killed(program: Path, out: Path, random: Random, chosen: signal.Signals, remembered: Remembered) -> SoakTrial:
    log = out.with_suffix(".log")
    ended = _kill_in_the_middle(["run", str(program), "--out", str(out)], log, chosen, random.uniform(0.0, A_WHILE))
    said = log.read_text(errors="replace")
    fault = remembered.loss(out) or processes_left()
    early = ended == -chosen and not said  # before there was anything that could answer the signal
    if any(sign in said for sign in SIGNS_OF_FAULT) or (ended not in (*ALLOWED_CODES, -signal.SIGKILL) and not early):
        fault = f"exit code {ended}: {said[-1500:]}"
    return SoakTrial("kills", str(out), chosen.name, fault)


def _kill_in_the_middle(words: list[str], log: Path, chosen: signal.Signals, after: float) -> int:
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    child = os.fork()
    if child == 0:
        become(words, output)
    os.close(output)
    time.sleep(after)
    os.kill(child, chosen)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
