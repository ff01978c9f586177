"""Programs, object files and archives that were cut off or changed: one sentence, no other exception."""

from __future__ import annotations

import json
import subprocess
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from untaken.build.driver import build_program
from untaken.build.instrument.abi import DIGEST_SIZE
from untaken.build.library.own_functions import with_own_functions
from untaken.build.objects.archive import archive
from untaken.build.objects.elf import sections
from untaken.build.objects.origin import is_instrumented
from untaken.build.objects.program_map import read_program_map, unknown_calls
from untaken.build.plain import read_images
from untaken.errors import PlainBuildError, ProgramMapError

SOURCE = "#include <string.h>\nint strcmp(const char *a, const char *b) { return *a > *b ? 1 : *a < *b; }\n"
MAIN = 'int main(int n, char **v) { return n > 1 && strcmp(v[1], "x") == 0; }\n'
CUTS = 40
FLIPS = 120


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    (folder / "program.c").write_text(SOURCE + MAIN)
    build_program([folder / "program.c"], folder / "program", ["-g"])
    return folder / "program"


def damaged(data: bytes, random: Random) -> list[bytes]:
    """Cut off anywhere, and with bytes changed, mostly where the tables are: at the beginning and at the end."""
    found = [data[: random.randrange(len(data))] for _ in range(CUTS)]
    for _ in range(FLIPS):
        changed = bytearray(data)
        at_end = len(data) - 1 - random.randrange(min(4096, len(data)))
        place = random.choice((random.randrange(64), random.randrange(len(data)), at_end))
        changed[place] = random.randrange(256)
        found.append(bytes(changed))
    return found


def test_a_damaged_program_is_told(program: Path, tmp_path: Path) -> None:
    place, told = tmp_path / "damaged", 0
    for data in damaged(program.read_bytes(), Random(1)):
        place.write_bytes(data)
        try:
            read_program_map(place)
            read_images(place)
        except (ProgramMapError, PlainBuildError) as error:
            told += 1
            assert "\n" not in str(error)
    assert told > CUTS


def test_links_with_libraries_are_told_of_damaged_programs(program: Path, tmp_path: Path) -> None:
    place, told = tmp_path / "damaged", 0
    section = sections(program, ("untaken_map",))["untaken_map"]
    for byte in range(DIGEST_SIZE + 8, DIGEST_SIZE + 28):
        place.write_bytes(program.read_bytes().replace(section[:byte], section[: byte - 1] + b"\xff", 1))
        try:
            unknown_calls(place)
        except ProgramMapError:
            told += 1
    assert told > 10


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda record: record["functions"][0].update(entry=10**9), "an id is"),
        (lambda record: record["functions"][0].update(file=7), "refers to what is not there"),
        (lambda record: record["functions"][0].update(blocks=[[[], [[99, 0]]]]), "refers to what is not there"),
        (lambda record: record.update(functions=None), "Expected `array`, got `null`"),
        (lambda record: record.update(files=[3]), "Expected `str`, got `int`"),
        (lambda record: record["origin"].update(variables={"LD_PRELOAD": ""}), "LD_PRELOAD is no variable"),
        (lambda record: record.update(version=99), "another version"),
    ],
)
def test_a_map_that_says_nonsense_is_told(
    change: Callable[[dict[str, Any]], None], said: str, program: Path, tmp_path: Path
) -> None:
    section = sections(program, ("untaken_map",))["untaken_map"]
    size = int.from_bytes(section[DIGEST_SIZE : DIGEST_SIZE + 4], "little")
    packed = section[DIGEST_SIZE + 8 : DIGEST_SIZE + 8 + size]
    record = json.loads(zlib.decompress(packed))
    record["origin"] |= {"digest": "", "files": [], "directory": ""}  # makes room
    change(record)
    again = zlib.compress(json.dumps(record, separators=(",", ":")).encode(), 9)
    assert len(again) <= size
    data, place = program.read_bytes(), tmp_path / "nonsense"
    place.write_bytes(data.replace(packed, again.ljust(size, b"\0"), 1))
    with pytest.raises(ProgramMapError, match=said):
        read_program_map(place)


def test_damaged_objects_are_left_to_the_linker(program: Path, tmp_path: Path) -> None:
    subprocess.run(["cc", "-c", program.with_suffix(".c"), "-o", tmp_path / "unit.o"], check=True)
    whole = (tmp_path / "unit.o").read_bytes()
    for data in damaged(whole, Random(2)) + damaged(archive({"unit.o": whole}), Random(3)):
        (tmp_path / "given").write_bytes(data)
        inputs = {0: str(tmp_path / "given")}
        assert set(with_own_functions(inputs, ("strcmp",), str(tmp_path))) == {0}
        assert not is_instrumented(str(tmp_path / "given"))
