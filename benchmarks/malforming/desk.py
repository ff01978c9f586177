"""A user's folder, with sources, a campaign, seeds and weights in it: what a command must leave as it is."""

from __future__ import annotations

import shutil
from pathlib import Path

from benchmarks.soaking.commands import forked, prepared
from benchmarks.soaking.damaged import SOURCE

OTHER = """
int twice(int x) { return 2 * x; }
int weigh(const char *text, unsigned n) { return n > 3 && text[0] == 'q' ? twice((int)n) : 0; }
"""
KEPT = "kept"  # the campaign
KEPT_FILES = (f"{KEPT}/tests/*.bin", f"{KEPT}/crashes/*/input.bin", "*.c", "seeds/*", "weights.json", "notes/*")


class Desk:
    """Makes the folder; says which files are no longer what they were."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        program = prepared(folder, SOURCE, "--iterations", "40", "--seed", "1")
        (folder / "out").rename(folder / KEPT)
        said = forked(["cc", "-g", str(program), "-o", str(folder / "built")])
        if said.code:
            raise SystemExit(said.text)
        (folder / "other.c").write_text(OTHER)
        (folder / "seeds").mkdir()
        (folder / "seeds" / "one").write_bytes(b"stop")
        (folder / "notes").mkdir()
        (folder / "notes" / "mine.txt").write_text("not of untaken\n")
        shipped = Path(__file__).parents[2] / "src/untaken/search/heuristics/general.json"
        shutil.copy(shipped, folder / "weights.json")
        self._known = self._contents()

    def _contents(self) -> dict[Path, bytes]:
        found = (path for pattern in KEPT_FILES for path in self.folder.glob(pattern))
        return {path: path.read_bytes() for path in found if path.is_file()}

    def lost(self, but: Path | None = None) -> str | None:
        """What is gone or changed of what was there, `but` for one file."""
        now = self._contents()
        names = [path.name for path, data in self._known.items() if path != but and now.get(path) != data]
        return f"lost or changed: {', '.join(names)}" if names else None
