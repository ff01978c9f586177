"""Numbers that a text spells out are found also where they need more digits than any path has read."""

from __future__ import annotations

from pathlib import Path

import pytest

from untaken.campaign.campaign import run_campaign
from untaken.campaign.config import Config
from untaken.campaign.watcher import Watcher
from untaken.execute.target import find_target

# Between separators, so that no digit can take the place of what follows.
WITH_STRTOL = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char line[40], *rest;
    int count = 0;
    long v[3];
    if (!fgets(line, sizeof line, stdin)) return 1;
    for (char *part = strtok(line, ","); part && count < 3; part = strtok(NULL, ","))
        v[count++] = strtol(part, &rest, 10);
    if (count < 3) return 2;
    if (v[0] == -512) puts("first");
    if (v[1] > 65535) puts("second");
    if (v[2] == 1969) puts("third");
    return 0;
}
"""
BY_HAND = r"""
#include <stdio.h>
static int number(const char **at) {
    int value = 0;
    while (**at >= '0' && **at <= '9') value = 10 * value + *(*at)++ - '0';
    return value;
}
int main(void) {
    char line[40];
    const char *at = line;
    if (!fgets(line, sizeof line, stdin)) return 1;
    int major = number(&at);
    if (*at++ != '.') return 2;
    int minor = number(&at);
    if (*at++ != ';') return 3;
    if (major == 4321) puts("major");
    if (minor - 7 >= 20000) puts("minor");
    return 0;
}
"""


SCANNED = r"""
#include <stdio.h>
int main(void) {
    int year, month;
    if (scanf("%d/%d", &year, &month) < 2) return 1;
    if (year < -3000) puts("year");
    if (1000 <= month) puts("month");
    return 0;
}
"""


@pytest.mark.parametrize("text", [WITH_STRTOL, BY_HAND, SCANNED])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_numbers_of_many_digits_are_met(text: str, seed: int, tmp_path: Path) -> None:
    source = tmp_path / "numbers.c"
    source.write_text(text)
    config = Config((str(source),), stdin=32, seed=seed, iterations=4_000, out=tmp_path / "out", after_coverage=0)
    summary = run_campaign(config, find_target([str(source)]), Watcher())
    assert summary.covered == summary.total
