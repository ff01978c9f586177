"""summary.json is what its schema and its page say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.campaign.commands import untaken, written
from untaken.search.budget import Ending
from untaken.search.coverage_goals import Criterion

REFERENCE = Path(__file__).parents[3] / "docs" / "reference"
SCHEMA = json.loads((REFERENCE / "summary.schema.json").read_text())
PROGRAM = """
#include <assert.h>
#include <stdlib.h>
#include <untaken.h>
static int f(int x) { return l64a(x)[0] == 'q' && x != 7 ? 1 : 2; }
int main(int argc, char **argv) {
    int x;
    untaken_int(&x);
    if (argc > 9) return argv[0][0];
    if (x == 1234) abort();
    assert(x != 99);
    return f(x);
}
"""


def described(schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """All fields, also those inside others."""
    for name, field in schema.get("properties", {}).items():
        yield name, field
        yield from described(field)
        yield from described(field.get("items", {}))


@pytest.mark.parametrize(
    "words",
    [
        ("run", "--iterations", "60", "--fail-under", "1"),
        ("run", "--iterations", "40", "--jobs", "2"),
        ("run", "--iterations", "1", "--goal", "conditions", "--prune", "lookahead", "--strategy", "bfs"),
    ],
)
def test_summaries_fit_the_schema(tmp_path: Path, words: tuple[str, ...]) -> None:
    program = written(tmp_path, PROGRAM)
    answer = untaken(words[0], program, *words[1:], "--json", "--out", tmp_path / "out")
    for summary in (answer.summary, json.loads((tmp_path / "out" / "summary.json").read_text())):
        jsonschema.validate(summary, SCHEMA, cls=jsonschema.Draft202012Validator)
    again = untaken(
        words[0], program, *words[1:], "--json", "--out", tmp_path / "again", "--baseline", tmp_path / "out"
    )
    assert set(again.summary) >= set(SCHEMA["required"]) | {"against"}
    jsonschema.validate(again.summary, SCHEMA, cls=jsonschema.Draft202012Validator)


def test_units_fit_the_schema(tmp_path: Path) -> None:
    program = written(tmp_path, "int sign(int x) { return x < 0 ? -1 : x > 0; }\n")
    answer = untaken("unit", program, "sign", "--iterations", "20", "--json", "--out", tmp_path / "out")
    assert "unit" in answer.summary
    jsonschema.validate(answer.summary, SCHEMA, cls=jsonschema.Draft202012Validator)


def test_what_can_be_said_is_in_the_schema() -> None:
    assert set(SCHEMA["properties"]["ended_by"]["enum"]) == {ending.value for ending in Ending}
    assert set(SCHEMA["properties"]["goal"]["enum"]) == {each.value for each in Criterion}


def test_the_page_has_every_field() -> None:
    page = (REFERENCE / "output-folder.md").read_text()
    for name, field in (*described(SCHEMA), *described(SCHEMA["$defs"]["finding"])):
        assert f"{name}` |" in page, name
        assert field["description"] in page, name
