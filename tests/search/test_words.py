"""Words that a program asked for are put into its input."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np

from untaken.model.input import Field, FieldKind
from untaken.model.path import CONSTRAINT_DTYPE, Exit, ExitKind, Path
from untaken.model.word import NO_PLACE, WORD_DTYPE, WORD_SIZE, Word, words_in
from untaken.search.coverage import Coverage
from untaken.search.knowledge.spelled_words import SpelledWords
from untaken.search.knowledge.words import WantedWords, WordSighting, with_word, with_word_apart

from .programs import Condition, Part, Program

ARGUMENT = Field("argument 1", FieldKind.ARGUMENT, 0, 8)
LENGTH = Field("size of stdin", FieldKind.LENGTH, 8, 4)
STDIN = Field("stdin", FieldKind.STDIN, 12, 10)
FIELDS = (ARGUMENT, LENGTH, STDIN)


def given(argument: bytes, stdin: bytes) -> bytes:
    return argument.ljust(8, b"\0") + len(stdin).to_bytes(4, "little") + stdin.ljust(10, b"\0")


def test_what_follows_in_a_stream_moves_on_and_its_length_is_set() -> None:
    old = WordSighting(given(b"x", b"[a] b=1"), FIELDS, Word(13, 1, 0, b"net"))
    assert with_word(old) == given(b"x", b"[net] b=1")
    shorter = WordSighting(given(b"x", b"[abc]"), FIELDS, Word(13, 3, 0, b"x"))
    assert with_word(shorter) == given(b"x", b"[x]")


def test_parts_of_a_word_are_put_in_together() -> None:
    word = Word(13, 1, 0, b"net", (Word(15, 1, 0, b"port"),))
    assert with_word(WordSighting(given(b"x", b"[a]b=1"), FIELDS, word)) == given(b"x", b"[net]port=1"[:10])
    assert word.stretch == range(13, 21)


def test_parts_belong_to_the_record_before_them() -> None:
    words, rng = wanted(), Random(1)
    seen = path(given(b"a", b"b c"), (0, 1, 1, b"x"), (12, 1, 1, b"net"), (14, 1, 1, b"port"), (12, 1, 1, b"net"))
    records = np.frombuffer(seen.word_bytes, WORD_DTYPE).copy()
    records["part"][2] = 1
    words.saw(replace(seen, word_bytes=records.tobytes()), rng)
    assert list(words.texts) == [b"x", b"net", b"port"]
    tried = {words.next(rng) for _ in range(30)}
    assert tried == {given(b"x", b"b c"), given(b"a", b"net port"), given(b"a", b"net c")}


def test_a_word_does_not_become_one_with_its_neighbours() -> None:
    def put_in(stdin: bytes, start: int, length: int, text: bytes = b"set") -> bytes:
        return with_word_apart(WordSighting(given(b"", stdin), FIELDS, Word(12 + start, length, 0, text)))

    assert put_in(b"let;", 3, 1) == given(b"", b"let set")
    assert put_in(b"a;b", 1, 1) == given(b"", b"a set b")
    assert put_in(b";b", 0, 0) == given(b"", b"set;b")
    assert put_in(b"; b", 2, 0) == given(b"", b"; set b")
    assert put_in(b"let;", 3, 1, b"=") == given(b"", b"let=")
    assert put_in(b"abcd", 1, 2) == given(b"", b"asetd"), "it was one with them before"


def test_no_field_grows() -> None:
    assert with_word(WordSighting(given(b"x", b"ab"), FIELDS, Word(0, 1, 0, b"a long word"))) == given(
        b"a long w", b"ab"
    )
    full = WordSighting(given(b"x", b"0123456789"), FIELDS, Word(20, 1, 0, b"word"))
    assert with_word(full) == given(b"x", b"01234567wo")


def test_a_length_beyond_the_size_means_all_of_it() -> None:
    data = bytearray(given(b"", b"a345678901"))
    data[8:12] = b"\xff" * 4
    assert with_word(WordSighting(bytes(data), FIELDS, Word(12, 1, 0, b"in"))) == given(b"", b"in34567890")


def test_an_input_that_ends_early_reads_as_zeros() -> None:
    assert with_word(WordSighting(b"x", FIELDS, Word(0, 1, 0, b"abc")))[:8] == b"abc".ljust(8, b"\0")


def path(input: bytes, *words: tuple[int, int, int, bytes]) -> Path:
    records = np.zeros(len(words), WORD_DTYPE)
    for record, (start, length, position, text) in zip(records, words, strict=True):
        record["input"], record["length"], record["position"], record["size"] = start, length, position, len(text)
        record["text"] = np.void(text.ljust(WORD_SIZE, b"\0"))
    events = np.array([4, 6, 8], np.uint32)
    constraints = np.zeros(0, CONSTRAINT_DTYPE)
    return Path(input, events, constraints, Exit(ExitKind.CODE), FIELDS, word_bytes=records.tobytes())


def wanted() -> WantedWords:
    words = WantedWords()
    words.wanted = True
    return words


def test_records_are_decoded() -> None:
    seen = path(b"", (3, 2, 1, b"while"), (7, 1, 2, b"a\0b"))
    records = np.frombuffer(seen.word_bytes, WORD_DTYPE)
    assert list(words_in(records)) == [Word(3, 2, 1, b"while"), Word(7, 1, 2, b"a\0b")]


def test_each_word_has_its_turn_at_each_place_of_the_program() -> None:
    words, rng = wanted(), Random(1)
    assert words.next(rng) is None
    words.saw(path(given(b"a", b""), (0, 1, 1, b"set"), (0, 1, 1, b"get"), (0, 1, 2, b"set")), rng)
    tried = [words.next(rng) for _ in range(6)]
    assert sorted(map(str, tried[:3])) == sorted(map(str, tried[3:]))
    assert [tried.count(given(word, b"")) for word in (b"set", b"get")] == [4, 2]


def test_few_places_are_kept_of_a_word() -> None:
    words, rng = wanted(), Random(1)
    for number in range(100):
        words.saw(path(given(b"a", b"%d" % number), (0, 1, 1, b"set")), rng)
    tried = {words.next(rng) for _ in range(200)}
    assert 1 < len(tried) <= 8


def test_what_a_covering_run_asked_for_comes_first() -> None:
    words, rng = wanted(), Random(1)
    words.saw(path(given(b"a", b""), (0, 1, 1, b"set")), rng)
    covering = path(given(b"b", b""), (0, 1, 1, b"get"), (0, 1, 1, b"put"))
    words.saw(covering, rng)
    words.covered(covering)
    assert {words.next(rng), words.next(rng)} == {given(b"get", b""), given(b"put", b"")}
    assert words.next(rng) is not None, "then it is everybody's turn again"


def test_words_without_a_place_are_known_but_asked_for_nowhere() -> None:
    words, rng = wanted(), Random(1)
    words.saw(path(given(b"a", b"xy"), (NO_PLACE, 0, 1, b"server")), rng)
    assert list(words.texts) == [b"server"]
    assert words.next(rng) is None, "no input is known to put it into"
    words.covered(path(given(b"a", b"xy")))
    assert b"server" in b"".join(words.next(rng) or b"" for _ in range(20))


def test_spelled_words_stand_before_a_word_or_in_its_place() -> None:
    words = wanted()
    words.spelled = SpelledWords([b"begin"])
    assert words.next(Random(0)) is None  # nothing to put it into
    words.covered(path(given(b"ab", b"x = y")))
    made = {words.next(Random(seed)) for seed in range(80)}
    assert {given(b"begin", b"x = y"), given(b"begin ab", b"x = y")} <= made
    assert {given(b"ab", b"begin = y"), given(b"ab", b"x = begin"), given(b"ab", b"begin x = ")} <= made


def test_neighbours_of_a_word_that_was_of_use_come_more_often() -> None:
    spelled = SpelledWords([b"w%d" % number for number in range(1_000)])
    before = spelled.some(200, Random(1))
    spelled.covered(b"if w500 then")
    near = {b"w%d" % number for number in range(490, 510)}
    assert sum(word in near for word in before) < 20 < 80 < sum(word in near for word in spelled.some(200, Random(1)))


def test_a_flip_that_gives_the_first_byte_of_a_spelled_word_gives_the_word() -> None:
    words, rng = wanted(), Random(1)
    words.spelled = SpelledWords([b"begin", b"break", b"end"])
    old = path(given(b"", b"x: xy"))
    words.flipped(old, 4, path(given(b"", b"x: By")), rng)
    words.flipped(old, 4, path(given(b"", b"x: xb")), rng)  # not where a token begins
    words.flipped(old, 4, path(given(b"", b"b: by")), rng)  # more than one byte
    tried = {words.next(rng) for _ in range(40)} - {None}
    assert tried == {given(b"", b"x: begin"), given(b"", b"x: break")}


def test_random_changes_get_words_that_were_asked_for_and_some_that_are_spelled() -> None:
    words = wanted()
    words.spelled = SpelledWords([b"begin"])
    words.saw(path(given(b"x", b""), (0, 1, 1, b"while")), Random(0))
    assert set(words.some(Random(0))) == {b"while", b"begin"}


def test_words_that_an_uncovered_branch_waits_for_are_led_back_to_some_times() -> None:
    program = Program([[Part(reads=(0,), test=Condition(0, 4, 1, 2)), Part()]])
    covered, open_ = (edge.branch for edge in program.map.functions[0].blocks[0].edges)
    coverage, rng = Coverage(program.map), Random(1)
    words = WantedWords(coverage)
    words.wanted = True
    assert words.awaited(rng) is None
    passed = path(given(b"a", b""), (0, 1, 1, b"set"), (0, 1, 3, b"get"))
    passed = replace(passed, events=np.array([program.map.functions[0].entry_id, covered], np.uint32))
    words.saw(passed, rng)
    coverage.add_run(passed)
    led = [words.awaited(rng) for _ in range(9)]
    assert {each.word.text for each in led[:8] if each} == {b"set"} and led[8] is None, "nothing came after the other"
    coverage.add(np.array([open_], np.uint32))
    assert not any(words.awaited(rng) for _ in range(3))


def test_a_word_without_a_place_is_noted_once() -> None:
    words = wanted()
    words.saw(path(b"x", *[(NO_PLACE, 0, 1, b"list")] * 3, (NO_PLACE, 0, 1, b"lists")), Random(0))
    assert list(words.texts) == [b"list", b"lists"]
