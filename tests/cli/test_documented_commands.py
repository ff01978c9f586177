"""Commands that the documentation shows have options that there are; what it shows to be typed works."""

from __future__ import annotations

import re
import shlex
from importlib import import_module
from pathlib import Path

import pytest

from tests.campaign.commands import untaken
from untaken.cli.main import COMMANDS
from untaken.cli.manual.table import COMPILER
from untaken.cli.run import before_dashes, joined_flags

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SHOWN = re.compile(
    r"(?:^    |^ *- |`)(?:.*?&& )?(untaken (?:{})(?: [^`\n]*)?)(?:`|$)".format("|".join(COMMANDS)), re.MULTILINE
)
PLACEHOLDER = re.compile(r"\.\.\.|[\[\]|…$]|\b[A-Z]$")  # "untaken run TARGET [--time S]" tells, and is not to be typed


def commands() -> list[tuple[str, str]]:
    found = []
    for page in PAGES:
        if page.name != "commands.md":
            for match in SHOWN.finditer(page.read_text()):
                line = re.sub(r"\s+#.*|[;&>\\].*", "", match[1]).strip()
                if len(line.split()) > 2 and not PLACEHOLDER.search(line):
                    found.append((page.relative_to(ROOT).as_posix(), line))
    return found


@pytest.mark.parametrize(("page", "line"), commands())
def test_a_command_that_is_shown_can_be_typed(page: str, line: str) -> None:
    _, name, *words = shlex.split(line)
    if name == COMPILER or "--list-strategies" in words or "--list-cpus" in words:
        return
    parser = import_module(f"untaken.cli.{COMMANDS[name][0]}").make_parser()
    options = [word.split("=")[0] for word in joined_flags(before_dashes(words)[0]) if word.startswith("--")]
    assert not set(options) - set(parser._option_string_actions), page


def test_there_are_many() -> None:
    assert len(commands()) > 40


HARNESS = ROOT / "docs" / "how-to" / "write-a-harness.md"
TABLE = """
#include <stdlib.h>
struct table { int keys[4], size; };
static struct table *table_new(void) { return calloc(1, sizeof(struct table)); }
static int *table_find(struct table *t, int key) {
    for (int i = 0; i < t->size; i++) if (t->keys[i] == key) return &t->keys[i];
    return NULL;
}
static int table_has(struct table *t, int key) { return table_find(t, key) != NULL; }
static void table_put(struct table *t, int key, int value) {
    (void)value;
    if (!table_has(t, key) && t->size < 4) t->keys[t->size++] = key;
}
static void table_remove(struct table *t, int key) {
    int *found = table_find(t, key);
    if (found) { *found = t->keys[t->size - 1]; t->size -= 1 + (key == 77); }
}
static int table_is_sound(struct table *t) { return t->size >= 0; }
static void table_free(struct table *t) { free(t); }
"""


def test_the_harness_of_the_documentation_finds_a_mistake(tmp_path: Path) -> None:
    text = re.search(r"```c\n(.*?)```", HARNESS.read_text(), re.DOTALL)
    assert text is not None
    (tmp_path / "harness.c").write_text(text[1])
    (tmp_path / "table.h").write_text(TABLE)
    answer = untaken("run", tmp_path / "harness.c", "--iterations", "3000", "--out", tmp_path / "out")
    assert answer.code == 1
    assert "the table is broken" in answer.printed
