"""The compiler's modules are compiled once, also where Python may not write beside them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import untaken

PACKAGE = Path(untaken.__file__).parent


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A package of which nothing is compiled, and a source to compile with it."""
    shutil.copytree(PACKAGE, tmp_path / "untaken", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "unit.c").write_text("int main(void) { return 0; }\n")
    return tmp_path


def compiled_modules(copy: Path, *options: str) -> tuple[set[str], set[str]]:
    """What a call of the compiler leaves beside its sources and in the cache."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"PYTHONPATH": str(copy), "XDG_CACHE_HOME": str(copy / "cache")}
    script = "import sys; from untaken.cli.cc import main; sys.argv[1:] = ['-c', 'unit.c']; sys.exit(main())"
    subprocess.run([sys.executable, *options, "-c", script], cwd=copy, env=environment, check=True, timeout=60)
    assert (copy / "unit.o").is_file()
    beside, cache = ((copy / name).rglob("*.pyc") for name in ("untaken", "cache/untaken/python"))
    return {file.name.split(".")[0] for file in beside}, {file.name.split(".")[0] for file in cache}


def test_modules_are_kept_in_the_cache_where_python_keeps_none(copy: Path) -> None:
    beside, kept = compiled_modules(copy, "-B")
    assert not beside
    assert {"driver", "llvm", "module"} <= kept


def test_modules_that_python_keeps_are_not_kept_twice(copy: Path) -> None:
    beside, kept = compiled_modules(copy)
    assert {"driver", "llvm", "module"} <= beside
    assert not kept
