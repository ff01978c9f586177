"""Inputs of the user to start from: files of any length, as they would be given to the program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from untaken.campaign.config import Config
from untaken.errors import UsageError
from untaken.given_files import read_beginning
from untaken.model.input import Source, SourceKind
from untaken.model.input_codec import Delivery, declared_size, encoded, encoded_length
from untaken.suite.corpus import CRASHES, INPUT, TESTS, Recipe

LARGEST_SEED = 16 << 20


def all_seeds(config: Config, note: Callable[[str], None]) -> list[bytes]:
    """Those of the user, then tests and findings of the baseline: what it covers and shows is not left to chance."""
    own = [] if config.seeds is None else read_seeds(config.seeds, config.sources, note)
    return [*own, *([] if config.baseline is None else baseline_inputs(config.baseline, config.sources, note))]


def baseline_inputs(folder: Path, sources: tuple[Source, ...], note: Callable[[str], None]) -> list[bytes]:
    """Of an earlier campaign, if its inputs mean the same to this one."""
    if Recipe.read(folder).declared != sources:
        note(f"other inputs are declared than in {folder}, so its tests are not run; coverage may be lost by chance")
        return []
    files = [*sorted((folder / TESTS).glob("*.bin")), *sorted((folder / CRASHES).glob(f"*/{INPUT}"))]
    return list(dict.fromkeys(readable_contents(files, note).values()))


def read_seeds(
    folder: Path, sources: tuple[Source, ...], note: Callable[[str], None] = lambda text: None
) -> list[bytes]:
    """All files of a folder, in order of name; `note` is told of those that do not fit.

    A file that an earlier campaign wrote (it has a description beside it) is an input already. Any other is the
    content of stdin or of the first declared file, if there is one, and else the input itself.
    """
    try:
        files = [path for path in sorted(folder.iterdir()) if path.is_file() and not path.name.startswith(".")]
    except OSError as error:
        raise UsageError(f"cannot read the seeds in {folder}: {error.strerror}") from error
    ours = {path for path in files if path.suffix == ".bin" and path.with_suffix(".json") in files}
    descriptions = {path.with_suffix(".json") for path in ours}
    contents = readable_contents([path for path in files if path not in descriptions], note)
    note_cut({path: data for path, data in contents.items() if path not in ours}, sources, note)
    return [data if path in ours else placed(data, sources) for path, data in contents.items()]


def readable_contents(files: list[Path], note: Callable[[str], None]) -> dict[Path, bytes]:
    """What each file holds, or begins with if it is very large; one that cannot be read is left out, which is said."""
    contents = {}
    for path in files:
        try:
            contents[path] = read_beginning(path, LARGEST_SEED)
        except OSError as error:
            note(f"{path} cannot be read ({error.strerror}): it is no seed")
    return contents


def note_cut(contents: dict[Path, bytes], sources: tuple[Source, ...], note: Callable[[str], None]) -> None:
    """Says which files are longer than what was declared to read them, and what would take them whole."""
    chosen = place_of_seeds(sources)
    longer = {path: len(data) for path, data in contents.items() if chosen is not None and len(data) > chosen.size}
    if chosen is None or not longer:
        return
    longest = max(longer, key=lambda path: longer[path])
    option = "--stdin " if chosen.kind is SourceKind.STDIN else f"--file {chosen.name}="
    others = f" and {len(longer) - 1} more seeds are" if len(longer) > 1 else " is"
    note(
        f"{longest} has {longer[longest]:,} bytes, {option}{chosen.size} takes no more than the beginning of it: "
        f"it{others} cut; {option}{longer[longest]} takes it whole"
    )


def place_of_seeds(sources: tuple[Source, ...]) -> Source | None:
    """What reads the user's seeds: stdin, else the first file."""
    streams = [source for source in sources if source.kind is not SourceKind.ARGUMENT]
    return next((source for source in streams if source.kind is SourceKind.STDIN), streams[0] if streams else None)


def placed(data: bytes, sources: tuple[Source, ...]) -> bytes:
    """A file's bytes where the program will read them; arguments before it stay empty."""
    chosen = place_of_seeds(sources)
    if chosen is None:
        return data
    fitting = data[: chosen.size]
    return bytes(declared_size(sources[: sources.index(chosen)])) + encoded_length(len(fitting)) + fitting


def first_input(sources: tuple[Source, ...]) -> bytes:
    """Zeros, and all of stdin and of each file that may be there: what is not there cannot be explored."""
    zeros = {source: bytes(source.size) for source in sources}
    stdin = next((data for source, data in zeros.items() if source.kind is SourceKind.STDIN), None)
    files = {source.name: data for source, data in zeros.items() if source.kind is SourceKind.FILE}
    return encoded(Delivery(stdin=stdin, files=files), sources)
