"""Callbacks that are called while an argument is made: their answers belong to that, and tests are still written."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tests.campaign.commands import written
from tests.unit.test_project import untaken

TABLE_C = """
#include <stdlib.h>
typedef unsigned hash_function(const char *key);
struct table { hash_function *hash; unsigned used[4]; };
struct table *table_new(hash_function *hash) {
    struct table *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    made->hash = hash;
    return made;
}
void table_add(struct table *table, const char *key) { table->used[table->hash(key) % 4]++; }
int table_has(struct table *table, const char *key) {
    unsigned used = table->used[table->hash(key) % 4];
    if (used > 1) return 2;
    return used == 1;
}
"""


def test_tests_are_written_where_making_an_argument_calls_back(tmp_path: Path) -> None:
    source = written(tmp_path, TABLE_C, "table.c")
    out = tmp_path / "out"
    done = untaken("unit", str(source), "--all", "--out", str(out), "--iterations", "150", "--json")
    (file,) = json.loads(done.printed)["tests"]
    assert not file["problems"]
    assert "table_add(table, " in (out / "tests" / "test_table.c").read_text()
    made = subprocess.run(["make", "-C", str(out / "tests"), "check"], capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
