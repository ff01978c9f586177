"""Harm to a file: what disks, editors and attackers do to one."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Any

STRANGE: tuple[Any, ...] = (
    *(None, True, -1, 0, 2**31, 2**63, 2**64, 10**30, -(2**70), 1.5, float("nan"), float("inf")),
    *("", "x", "../../../etc/passwd", "/dev/zero", "\0", "\ud800", "-fplugin=x", "a" * 100_000),
    *([], {}, [[]], {"a": 1}, [None], [1, 2, 3]),
)
Mutation = Callable[[bytes, Random], bytes]


def cut(data: bytes, random: Random) -> bytes:
    return data[: random.randrange(len(data) + 1)]


def flip(data: bytes, random: Random) -> bytes:
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 4, 64))):
        if changed:
            changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def overwrite(data: bytes, random: Random) -> bytes:
    place, length = random.randrange(len(data) + 1), random.choice((1, 2, 4, 8, 8, 64))
    return data[:place] + random.choice((b"\xff", b"\0", b"\x7f", b"\x80")) * length + data[place + length :]


def insert(data: bytes, random: Random) -> bytes:
    place = random.randrange(len(data) + 1)
    return data[:place] + random.choice((b"\xfe\xff", b"[" * 20_000, b"{" * 5, b"\n\n", b"\0")) + data[place:]


def nothing_left(data: bytes, random: Random) -> bytes:
    return random.choice((b"", b"null", b"[]", b"{}", b"\0" * len(data), b"[" * 200_000, b"\xef\xbb\xbf{}"))


def change_value(data: bytes, random: Random) -> bytes:
    """In JSON: some value becomes another, is gone, or is there twice."""
    try:
        known = json.loads(data)
    except ValueError:
        return flip(data, random)
    places = list(_places(known))
    if not places:
        return nothing_left(data, random)
    holder, key = random.choice(places)
    if random.random() < 0.2:
        del holder[key]
    else:
        holder[key] = random.choice(STRANGE)
    return json.dumps(known).encode(errors="surrogatepass")


def _places(value: Any) -> Any:
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in entries:
        yield value, key
        yield from _places(inner)


BYTES: tuple[Mutation, ...] = (cut, flip, overwrite, insert, nothing_left)


def mutate(path: Path, random: Random) -> str:
    """Does something to a file; what it was."""
    if path.suffix == ".sqlite" and random.random() < 0.6:
        return change_row(path, random)
    choices = (*BYTES, *([change_value] * 5 if path.suffix == ".json" else []))
    mutation = random.choice(choices)
    path.write_bytes(mutation(path.read_bytes(), random))
    return mutation.__name__


def change_row(path: Path, random: Random) -> str:
    """In a database: a value of some row, a table that is gone, or one that is something else."""
    with closing(sqlite3.connect(path)) as database, suppress(sqlite3.Error), database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        table = random.choice(tables)
        columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
        value = random.choice([*STRANGE, b"\xff\xfe", b"x\x9c" + b"\0" * 50, "[1, 99999999]", '{"iterations": "x"}'])
        value = str(value) if isinstance(value, list | dict) or value in (10**30, 2**64, 2**63, -(2**70)) else value
        with suppress(OverflowError, UnicodeEncodeError):
            if random.random() < 0.1:
                database.execute(f"DROP TABLE {table}")
            elif random.random() < 0.1:
                database.execute(f"ALTER TABLE {table} RENAME TO other")
                database.execute(f"CREATE VIEW {table} AS SELECT * FROM other")
            else:
                column = random.choice(columns)
                chosen = f"rowid IN (SELECT rowid FROM {table} ORDER BY random() LIMIT 1)"
                where = "key IN (SELECT key FROM meta ORDER BY random() LIMIT 1)" if table == "meta" else chosen
                database.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (value,))
    return "change_row"
