"""SARIF 2.1.0: findings as GitHub's code scanning and editors read them.

Only confirmed findings are written. Names of files are relative to the directory of the campaign where they lie below
it: GitHub shows no others. A fingerprint from what goes wrong and where lets it tell old findings from new ones.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote

from untaken import __version__
from untaken.suite.corpus import RENEWED
from untaken.suite.findings import FRAMES_THAT_COUNT
from untaken.suite.records import FindingDescription, read_record
from untaken.suite.tests import SavedTest, Suite

NAME = "findings.sarif"
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
ROOT = "SRCROOT"
UNKNOWN_KIND = "error"  # of a description that somebody else wrote
RULES = {
    "signal": "The program was ended by a signal",
    "assertion": "An assertion of the program fails",
    "error": "The program reports an error",
    "sanitizer": "A sanitizer reports an error",
    "timeout": "The program does not end in time",
    "memory": "The program runs out of memory",
}


def write_sarif(suite: Suite, target: Path) -> int:
    """Writes the file; how many findings."""
    found = [test for test in suite.tests if test.place is not None]
    (target / NAME).write_text(json.dumps(document(suite, found), indent=1) + "\n")
    return len(found)


def document(suite: Suite, findings: Sequence[SavedTest]) -> dict[str, Any]:
    """The whole SARIF log, with one run."""
    rules = list(RULES)
    driver = {
        "name": "untaken",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [
            {"id": kind, "shortDescription": {"text": words}, "defaultConfiguration": {"level": "error"}}
            for kind, words in RULES.items()
        ],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {ROOT: {"uri": f"{suite.directory.as_uri()}/"}},
        "results": [_result(suite, test, rules) for test in findings],
    }
    return {"version": "2.1.0", "$schema": SCHEMA, "runs": [run]}


def _result(suite: Suite, test: SavedTest, rules: list[str]) -> dict[str, Any]:
    about = read_record(test.file.with_name("finding.json"), FindingDescription, RENEWED)
    rule = about.kind if about.kind in rules else UNKNOWN_KIND
    replay = f"untaken replay {suite.folder} crashes/{test.name}"
    place = _place(about)
    return {
        "ruleId": rule,
        "ruleIndex": rules.index(rule),
        "level": "error",
        "message": {"text": f"{about.what}. An input that shows it: {replay}"},
        **({"locations": [_location(suite, *place)]} if place else {}),
        **({"stacks": [_stack(suite, about)]} if about.frames else {}),
        "partialFingerprints": {"untakenFinding/v1": _fingerprint(about)},
        "properties": {"test": f"crashes/{test.name}", "confirmedOn": about.confirmed_on},
    }


def _place(about: FindingDescription) -> tuple[str, int] | None:
    """The file and line; of an innermost frame the name is whole, which a message's may not be."""
    file, _, line = (about.location or "").rpartition(":")
    if not line.isdecimal():
        return None
    innermost = about.frames[0].file if about.frames else ""
    return (innermost if innermost.endswith(f"/{PurePath(file).name}") else file), int(line)


def _location(suite: Suite, file: str, line: int) -> dict[str, Any]:
    where: dict[str, Any] = {"artifactLocation": _artifact(suite, file)}
    return {"physicalLocation": {**where, "region": {"startLine": line}} if line > 0 else where}


def _artifact(suite: Suite, file: str) -> dict[str, str]:
    path = PurePath(file)
    if path.is_absolute() and not path.is_relative_to(suite.directory):
        return {"uri": path.as_uri()}
    inside = path.relative_to(suite.directory) if path.is_absolute() else path
    return {"uri": quote(os.fsencode(inside.as_posix())), "uriBaseId": ROOT}


def _stack(suite: Suite, about: FindingDescription) -> dict[str, Any]:
    return {
        "frames": [
            {
                "location": {
                    **_location(suite, frame.file, frame.line),
                    "logicalLocations": [{"name": frame.function, "kind": "function"}],
                }
            }
            for frame in about.frames
        ]
    }


def _fingerprint(about: FindingDescription) -> str:
    """Of what and where by names, not by lines: these move."""
    functions = [frame.function for frame in about.frames[:FRAMES_THAT_COUNT]]
    return hashlib.sha256("\0".join([about.kind, about.what, *functions]).encode(errors="replace")).hexdigest()
