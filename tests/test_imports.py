"""Imports point one way: a stage knows only the ones before it."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "src" / "untaken"

# What each stage may import of ours, itself aside. `errors` and the package itself are for all.
ORDER = """model build execute solve search suite campaign pool team executables unit trials compare learn report api
    cli""".split()
# Neighbours that do not know each other: learning asks for trials, not for comparisons of them.
APART = {
    "learn": {"compare", "unit", "executables"},
    "compare": {"unit", "executables"},
    "trials": {"unit", "executables", "team"},
    "unit": {"executables"},
}
# Each of these is known to one module, so that what it leaves untyped stops there.
CONFINED = {
    "llvmlite": "build/llvm.py",
    "msgspec": "json_records.py",
    "ray": "pool/cluster.py",
    "bitwuzla": "solve/",
    "z3": "solve/",
    "pypcode": "executables/machine_code/sleigh.py",
    "elftools": "executables/image_files/elf.py",
}
FOREIGN_TO_SEARCH = {"subprocess", "os", "multiprocessing", "llvmlite", "bitwuzla", "z3", "ctypes"}


# JSON is parsed in one place, and checked there. These two run in processes that are to start fast.
PARSES_JSON = {"json_records.py", "execute/launcher/order.py", "suite/replay/inside.py"}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


@cache
def nodes(module: Path) -> tuple[ast.AST, ...]:
    """All of a module's syntax; its tree is the first."""
    return tuple(ast.walk(ast.parse(module.read_text())))


@cache
def imports(module: Path) -> tuple[str, ...]:
    """The full names of all modules that a module imports, also inside functions."""
    return tuple(_imports(module))


def _imports(module: Path) -> Iterator[str]:
    for node in nodes(module):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: a relative import"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def stage(name: str) -> str | None:
    """The stage of a module of ours, by its full name."""
    parts = name.split(".")
    return parts[1] if parts[0] == "untaken" and len(parts) > 1 and parts[1] in ORDER else None


def importers(package: str) -> set[str]:
    return {
        module.relative_to(PACKAGE).as_posix()
        for module in modules()
        if any(name.split(".")[0] == package for name in imports(module))
    }


def test_every_folder_is_a_stage() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir() and any(path.rglob("*.py"))}
    assert folders <= set(ORDER)
    assert {"model", "build", "cli"} <= folders


@pytest.mark.parametrize("module", modules(), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_imports_point_to_earlier_stages(module: Path) -> None:
    own = module.relative_to(PACKAGE).parts[0]
    own = {"__main__.py": "cli", "__init__.py": "api"}.get(own, own)  # the package itself offers what the api has
    if own not in ORDER:
        assert not any(stage(name) for name in imports(module))
        return
    for name in imports(module):
        other = stage(name)
        assert other is None or ORDER.index(other) <= ORDER.index(own), f"{module} imports {name}"
        assert other not in APART.get(own, ()), f"{module} imports {name}"


@pytest.mark.parametrize("package", CONFINED)
def test_confined_to_one_module(package: str) -> None:
    found = importers(package)
    assert len(found) <= 1
    assert all(module.startswith(CONFINED[package]) for module in found)


def test_search_knows_no_processes_and_no_solvers() -> None:
    for module in (PACKAGE / "search").rglob("*.py"):
        found = {name.split(".")[0] for name in imports(module)} | {stage(name) for name in imports(module)}
        assert not found & (FOREIGN_TO_SEARCH | {"build", "execute", "solve"}), module


def test_search_knows_no_names_of_the_c_library() -> None:
    """The program map says what functions without a body do (build/library/effects.py)."""
    for module in (PACKAGE / "search").rglob("*.py"):
        texts = [node.value for node in nodes(module) if isinstance(node, ast.Constant)]
        words = {text for text in texts if isinstance(text, str) and text.isidentifier()}
        assert not words & {"abort", "exit", "malloc", "setjmp", "qsort", "untaken_assume", "klee_assume"}, module


def test_nobody_draws_from_numpy() -> None:
    """Its generators may give other numbers in another version: solve/values/draws.py says the rule."""
    asked = [module for module in modules() for node in nodes(module) if _is_random(node)]
    assert not asked


def _is_random(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "random" and ast.unparse(node.value) in ("np", "numpy")


def test_no_module_of_leftovers() -> None:
    names = {module.stem for module in modules()}
    assert not names & {"util", "utils", "misc", "common", "helpers"}


def test_the_compiler_starts_lean(tmp_path: Path) -> None:
    """Configure scripts call it hundreds of times: what it can do without is not imported."""
    script = (
        "import sys\n"
        "from untaken.cli.main import run\n"
        "try: run(['cc', '-c', '-x', 'c', '-m32', '/dev/null'])\n"
        "except Exception: pass\n"
        "import untaken.build.driver\n"
        "print(*sys.modules)\n"
    )
    loaded = loaded_by(script, tmp_path)
    assert "untaken" in loaded
    assert not loaded & {"numpy", "rich", "llvmlite", "argparse", "subprocess", "json", "asyncio", "tempfile"}


def test_compiling_loads_llvm_and_nothing_of_a_campaign(tmp_path: Path) -> None:
    """numpy alone would make each compilation a third slower."""
    (tmp_path / "unit.c").write_text("#include <math.h>\nint main(void) { return sin(0) > 1; }\n")
    compile_it = "from untaken.cli.main import run\nassert run(['cc', '-c', 'unit.c']) == 0\n"
    loaded_by(compile_it, tmp_path)  # what it finds out about the compiler is in the cache from now on
    loaded = loaded_by(f"{compile_it}import sys\nprint(*sys.modules)\n", tmp_path)
    assert "llvmlite" in loaded
    assert not loaded & {"numpy", "rich", "argparse", "subprocess", "asyncio"}


def loaded_by(script: str, folder: Path) -> set[str]:
    """The packages that a script has loaded, which it prints."""
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=folder)
    return {name.split(".")[0] for name in answer.stdout.split()}


def public_types(module: Path) -> Iterator[str]:
    """Classes, and names of types that are put together from others."""
    yield from (node.name for node in nodes(module) if isinstance(node, ast.ClassDef))
    tree = nodes(module)[0]
    assert isinstance(tree, ast.Module)
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if name[0].isupper() and not name.isupper():
                yield name


def test_one_type_one_name() -> None:
    """Who reads a name knows which type is meant, in whatever module it stands."""
    found: dict[str, set[str]] = {}
    for module in modules():
        for name in public_types(module):
            found.setdefault(name, set()).add(module.relative_to(PACKAGE).as_posix())
    twice = {name: sorted(places) for name, places in found.items() if len(places) > 1}
    assert not twice


def test_json_is_read_through_the_one_checked_decoder() -> None:
    calls = {
        module.relative_to(PACKAGE).as_posix()
        for module in modules()
        for node in nodes(module)
        if isinstance(node, ast.Attribute) and ast.unparse(node) in ("json.loads", "json.load", "json.JSONDecoder")
    }
    assert calls == PARSES_JSON
