"""Where campaigns may have to work: as root, as somebody else, where namespaces are forbidden, with little memory to
share, and on a disk that is full sooner or later."""

from __future__ import annotations

import os
import shutil
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

from benchmarks.soaking.canaries import PROGRAM, Canaries, signals_are_held
from benchmarks.soaking.commands import Said, forked
from benchmarks.soaking.outcomes import SoakTrial
from benchmarks.soaking.processes import in_child, mount, processes_left, unshare
from benchmarks.soaking.wholeness import Remembered

NEW_MOUNTS, NEW_USERS = 0x00020000, 0x10000000
BIND, RECURSIVE, PRIVATE, REMOUNT = 0x1000, 0x4000, 1 << 18, 32
NOBODY = 65534
DISK_STEP = 4 << 10  # a page: another write each time
ROOM = "64m"
MOST_REACHED = 5  # canaries that a program reaches where nothing is in its way


def small_disks(folder: Path, program: Path, deadline: float, most: int) -> Iterator[SoakTrial]:
    """A disk that is full at another write each time; then there is room again, and the campaign goes on."""
    out = folder / "small"
    out.mkdir(exist_ok=True)
    for number in range(1, most + 1):
        if time.monotonic() > deadline:
            return
        size = number * DISK_STEP
        try:
            first, second, loss = in_child(partial(_on_small_disk, out, program, size))
        except OSError as error:
            yield SoakTrial("full disk", f"{size} bytes", skipped=str(error))
            return
        fault = first.fault or second.fault or loss or processes_left()
        yield SoakTrial("full disk", f"{size} bytes", f"exit {first.code}, then {second.code}", fault)


def _on_small_disk(out: Path, program: Path, size: int) -> tuple[Said, Said, str | None]:
    _own_mounts()
    mount("soak", out, "tmpfs", 0, f"size={size}")
    words = ["run", str(program), "--iterations", "30", "--quiet", "--out", str(out / "out")]
    remembered = Remembered()
    first = forked(words)
    remembered.loss(out / "out") if (out / "out" / "tests").exists() else None
    mount("soak", out, "tmpfs", REMOUNT, f"size={ROOM}")
    second = forked(words)
    return first, second, remembered.loss(out / "out")


def _own_mounts() -> None:
    """A mount namespace; for others than root it takes a user namespace."""
    user, group = os.geteuid(), os.getegid()
    unshare(NEW_MOUNTS | (NEW_USERS if user else 0))
    if user:
        for name, text in (("setgroups", "deny"), ("uid_map", f"0 {user} 1"), ("gid_map", f"0 {group} 1")):
            Path("/proc/self", name).write_text(text)
    mount("none", "/", None, RECURSIVE | PRIVATE)


def other_places(folder: Path, program: Path) -> Iterator[SoakTrial]:
    """A campaign and a replay in each; and a program that tries to reach out, which only works without a sandbox."""
    places: dict[str, Callable[[Path], None]] = {
        "as it is": lambda out: None,
        "as an ordinary user": _as_nobody,
        "no namespaces": _without_namespaces,
        "1 MiB in /dev/shm": _little_shared_memory,
    }
    for name, enter in places.items():
        out = folder / name.replace(" ", "-").replace("/", "")
        try:
            found, reached = in_child(partial(_used, enter, program, out))
        except OSError as error:
            yield SoakTrial("places", name, skipped=str(error))
            continue
        fault = next((said.fault for said in found if said.fault), None) or reached or processes_left()
        yield SoakTrial("places", name, f"{name}: exit {', '.join(str(said.code) for said in found)}", fault)


def _used(enter: Callable[[Path], None], program: Path, out: Path) -> tuple[list[Said], str | None]:
    out.mkdir(parents=True)
    out.chmod(0o777)
    copy = shutil.copy(program, out / "program.c")
    Path(copy).chmod(0o644)
    work = out / "work"
    work.mkdir()
    work.chmod(0o777)
    enter(out)
    os.chdir(work)
    run = forked(["run", str(copy), "--iterations", "30", "--quiet", "--out", str(out / "out")])
    if run.code == 2:
        return [run], None
    return [run, forked(["replay", str(out / "out")])], _broken_out(out)


def _broken_out(out: Path) -> str | None:
    """What the sandbox did not hold; or that there was nothing to hold, so that this shows nothing."""
    with Canaries(out / "canaries") as canaries:
        _reach_out(out, canaries)
        if reached := canaries.reached(by_signals=signals_are_held()):
            return f"the sandbox does not hold: the program reached {', '.join(reached)}"
    with Canaries(out / "unprotected") as canaries:
        _reach_out(out, canaries, "--no-sandbox")
        return None if len(canaries.reached()) >= MOST_REACHED else f"the trial is none: {canaries.reached()}"


def _reach_out(out: Path, canaries: Canaries, *options: str) -> None:
    work = out / f"of-{canaries.folder.name}"
    words = ["run", str(PROGRAM), "--iterations", "5", "--quiet", "--out", str(work), *options]
    forked([*words, "--", *canaries.words])


def _as_nobody(out: Path) -> None:
    if os.geteuid():
        raise OSError("only root can become somebody else")
    _own_mounts()
    _let_others_read(Path(sys.base_prefix), out)
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)
    os.environ |= {"HOME": str(out), "XDG_CACHE_HOME": str(out / "cache")}


def _let_others_read(needed: Path, out: Path) -> None:
    """Python may lie in a folder that only its owner may enter: the same path, with nothing else in it."""
    closed = [path for path in reversed(needed.parents) if not path.stat().st_mode & stat.S_IXOTH]
    if not closed:
        return
    aside = out / "python"
    aside.mkdir()
    mount(str(needed), aside, None, BIND | RECURSIVE)
    mount("soak", closed[0], "tmpfs", 0, "mode=755")
    needed.mkdir(parents=True)
    mount(str(aside), needed, None, BIND | RECURSIVE)


def _without_namespaces(out: Path) -> None:
    """As in a container that forbids them: no more user namespaces, and no rights that would do without."""
    _as_nobody(out) if os.geteuid() == 0 else None
    user = os.geteuid()
    unshare(NEW_USERS)
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{user} {user} 1")):
        with suppress(OSError):
            Path("/proc/self", name).write_text(text)
    Path("/proc/sys/user/max_user_namespaces").write_text("0")


def _little_shared_memory(out: Path) -> None:
    _own_mounts()
    mount("soak", "/dev/shm", "tmpfs", 0, "size=1m")
