"""`--dict`: words of the user, and the words that a campaign met."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign.commands import EXAMPLES, untaken, written

# No solver inverts the hash, and no comparison tells the word.
HASHED = """
#include <stdint.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    char text[40] = "";
    size_t size = fread(text, 1, 39, stdin);
    for (size_t at = 0; at + 9 <= size; at++) {
        uint64_t hash = 14695981039346656037u;
        for (size_t i = 0; i < 9; i++) hash = (hash ^ (unsigned char)text[at + i]) * 1099511628211u;
        hash ^= hash >> 29;
        if (hash == WANTED) { puts("found"); return 3; }
    }
    if (strcmp(text, "keyword!") == 0) puts("keyword");
    return 0;
}
"""
WORD = b'\x7fPa5"w0r\\'


def wanted() -> int:
    value = 14695981039346656037
    for byte in WORD:
        value = (value ^ byte) * 1099511628211 % (1 << 64)
    return value ^ (value >> 29)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("hashed"), HASHED.replace("WANTED", f"{wanted()}u"))


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_word_of_the_user_is_put_into_inputs(program: Path, jobs: int, tmp_path: Path) -> None:
    (tmp_path / "words").write_text('secret="\\x7fPa5\\"w0r\\\\"\n')
    words = ("run", program, "--stdin", 39, "--iterations", 300, "--jobs", jobs, "--strategy", "words")
    assert untaken(*words, "--out", tmp_path / "without").code == 0
    assert untaken(*words, "--out", tmp_path / "with", "--dict", tmp_path / "words").code == 0
    assert any_test_has(WORD, tmp_path / "with") and not any_test_has(WORD, tmp_path / "without")


def any_test_has(word: bytes, out: Path) -> bool:
    return any(word in path.read_bytes() for path in (out / "tests").rglob("*") if path.is_file())


def test_the_words_that_were_met_are_a_dictionary(tmp_path: Path) -> None:
    """Those of all workers, in the order in which they were met."""
    out = tmp_path / "out"
    inputs = ("--file", "settings.ini=40", "--strategy", "words", "--iterations", 100, "--jobs", 2)
    assert untaken("run", EXAMPLES / "settings_file.c", *inputs, "--quiet", "--out", out).code in (0, 1)
    answer = untaken("export", out, "--format", "dict")
    assert answer.code == 0 and "3 words in" in answer.printed
    assert (out / "export-dict" / "words.dict").read_text() == '"width="\n"columns="\n"verbose="\n'


def test_a_strategy_that_has_no_use_for_words_refuses_them(program: Path, tmp_path: Path) -> None:
    (tmp_path / "words").write_text('"word"\n')
    answer = untaken("run", program, "--strategy", "dfs", "--dict", tmp_path / "words", "--out", tmp_path / "out")
    assert answer.code == 2 and "--dict is for the strategies auto, words and havoc, not for dfs" in answer.said


def test_a_campaign_that_met_no_words_says_so(tmp_path: Path) -> None:
    source = written(tmp_path, "#include <stdio.h>\nint main(void) { return getchar() == 7 ? 1 : 0; }\n")
    assert untaken("run", source, "--stdin", 4, "--iterations", 30, "--out", tmp_path / "out").code == 0
    answer = untaken("export", tmp_path / "out", "--format", "dict")
    assert answer.code == 2 and "met no words" in answer.said


def test_a_libfuzzer_corpus_is_taken_and_given_back(tmp_path: Path) -> None:
    """Plain files, longer than what such a target has by default."""
    source = written(tmp_path, """
        #include <stddef.h>
        #include <stdint.h>
        int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
            uint32_t hash = 17;
            for (size_t i = 0; i < size; i++) hash = hash * 2654435761u ^ data[i] ^ hash >> 13;
            if (size == 90) return hash == WANTED ? 0 : -1;
            return 0;
        }
    """)  # fmt: skip
    data, value = bytes(range(90)), 17
    for byte in data:
        value = (value * 2654435761 % (1 << 32)) ^ byte ^ (value >> 13)
    source.write_text(source.read_text().replace("WANTED", f"{value}u"))
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "0a1b2c").write_bytes(data)
    out = tmp_path / "out"
    answer = untaken("run", source, "--seeds", tmp_path / "corpus", "--iterations", 40, "--json", "--out", out)
    assert answer.summary["branches_covered"] == answer.summary["branches_total"]
    assert untaken("export", out, "--format", "files", "--out", tmp_path / "back").code == 0
    assert data in [path.read_bytes() for path in (tmp_path / "back").iterdir()]
