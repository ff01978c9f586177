"""Explores each hostile program here, and says whether it was contained.

    python benchmarks/hostile/check.py [NAME...] [--time SECONDS] [-- OPTIONS OF untaken run]

Contained means: the campaign ends in time with exit code 0 or 1, without a traceback; no file of the folder it runs
in, of the home folder or of /etc has changed; and no process is left. One line each; exit code 1 if one got through.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from pathlib import Path

HERE = Path(__file__).parent
GRACE_SECONDS = 60.0  # beyond the time that the campaign has: building, starting, confirming
MARK = "UNTAKEN_HOSTILE_CHECK"  # a variable by which all processes of a campaign are known
WATCHED = (Path("/etc"), Path.home())


def main() -> int:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="programs, without .c (default all)")
    parser.add_argument("--time", type=float, default=5.0, help="seconds that each is explored")
    own, rest = split(sys.argv[1:])
    options = parser.parse_args(own)
    names = options.names or sorted(path.stem for path in HERE.glob("*.c"))
    failures = 0
    for name in names:
        begun = time.monotonic()
        problems = explored(HERE / f"{name}.c", options.time, rest)
        print(f"{name:28}{time.monotonic() - begun:6.1f} s  {'; '.join(problems) or 'contained'}", flush=True)
        failures += bool(problems)
    print(f"{len(names) - failures} of {len(names)} contained")
    return int(failures > 0)


def split(words: list[str]) -> tuple[list[str], list[str]]:
    place = words.index("--") if "--" in words else len(words)
    return words[:place], words[place + 1 :]


def explored(source: Path, seconds: float, options: list[str]) -> list[str]:
    """What went wrong with the campaign."""
    with tempfile.TemporaryDirectory(prefix="hostile-") as folder:
        work = Path(folder) / "work"
        work.mkdir()
        (work / "precious").write_text("precious")
        before = state(work)
        mark = f"{os.getpid()}-{source.stem}"
        words = [sys.executable, "-c", "import sys; from untaken.cli.main import main; sys.exit(main())", "run"]
        words += [str(source), "--time", str(seconds), "--timeout", "1", "--memory", "1200", "--keep-env", MARK]
        environment = {**os.environ, MARK: mark, "HOSTILE_TOKEN": "secret"}
        try:
            done = subprocess.run(
                [*words, "--out", f"{folder}/out", *options],
                cwd=work,
                env=environment,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=seconds + GRACE_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return ["the campaign did not end", *left_behind(mark)]
        problems = [] if done.returncode in (0, 1) else [f"exit code {done.returncode}: {done.stderr.strip()[-300:]}"]
        if "Traceback" in done.stderr + done.stdout:
            problems.append(f"traceback: {done.stderr.strip()[-300:]}")
        if state(work) != before:
            problems.append("files have changed")
        if not (Path(folder) / "out" / "summary.json").exists():
            problems.append("no summary")
        return problems + left_behind(mark)


def state(work: Path) -> list[tuple[str, int, int]]:
    """Names, sizes and times of what must not change."""
    files = [*work.rglob("*"), *(path for folder in WATCHED for path in folder.iterdir() if path.is_file())]
    return sorted((str(path), path.lstat().st_size, path.lstat().st_mtime_ns) for path in files)


def left_behind(mark: str) -> list[str]:
    """Processes of the campaign that are still there."""
    wanted = f"{MARK}={mark}".encode()
    found = []
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdecimal() and wanted in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
        except OSError:
            continue
    return [f"processes are left: {found}"] if found else []


if __name__ == "__main__":
    sys.exit(main())
