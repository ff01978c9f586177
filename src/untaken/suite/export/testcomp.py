"""The exchange format of Test-Comp: metadata.xml and one XML file a test, in a folder or a zip.

A test is the list of values that the calls of __VERIFIER_nondet_* returned, in order, so only programs whose inputs
are all numbers can be written.
"""

from __future__ import annotations

import hashlib
import os
import struct
import time
import zipfile
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from untaken import __version__
from untaken.errors import CampaignError
from untaken.model.input import Field, FieldKind
from untaken.suite.delivery import asked_for, field_bytes
from untaken.suite.export.all_fields import tests_with_all_fields
from untaken.suite.export.reached import tests_that_reach_the_error
from untaken.suite.tests import SavedTest, Suite

ZIP_NAME = "test-suite.zip"
EARLIEST_IN_ZIP = 315532800  # 1980: what a zip can say
HEADER = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>'
DOCTYPE = (
    '<!DOCTYPE {root} PUBLIC "+//IDN sosy-lab.org//DTD test-format {root} 1.1//EN" '
    '"https://sosy-lab.org/test-format/{root}-1.1.dtd">'
)
SIGNED = (FieldKind.SIGNED, FieldKind.CHARACTER)
FLOAT_FORMATS = {4: "<f", 8: "<d"}


class Goal(StrEnum):
    """What the tests are for, as the competition words it."""

    BRANCHES = "branches"
    ERROR = "error"

    @property
    def specification(self) -> str:
        edges = {Goal.BRANCHES: "@DECISIONEDGE", Goal.ERROR: "@CALL(reach_error)"}[self]
        return f"COVER( init(main()), FQL(COVER EDGES({edges})) )"


def write_testcomp(suite: Suite, target: Path, goal: Goal = Goal.BRANCHES, *, zipped: bool = False) -> int:
    """Writes metadata.xml and testNNNNNN.xml files, or a zip of them; how many tests."""
    check_expressible(suite)
    created = creation_time()
    reaching = tests_that_reach_the_error(suite)
    contents = {"metadata.xml": metadata(suite, goal, created)}
    # A crash is often a test as well; the validator need not run it twice.
    # Tests that fail an assumption are among them: validators count what such a test takes until there.
    tests = tests_with_all_fields(suite)
    erring = {test.input for test in tests if test.name in reaching}
    cases = dict.fromkeys(testcase(test, covers_error=test.input in erring) for test in tests)
    contents |= {f"test{number:06}.xml": text for number, text in enumerate(cases, 1)}
    if zipped:
        _write_zip(target / ZIP_NAME, contents, created)
    else:
        for name, text in contents.items():
            (target / name).write_text(text, encoding="utf-8")
    return len(cases)


def creation_time() -> int:
    """Seconds since 1970: now, or what SOURCE_DATE_EPOCH says for files that are to come out the same again."""
    named = os.environ.get("SOURCE_DATE_EPOCH", "")
    return int(named) if named.isdecimal() else int(time.time())


def metadata(suite: Suite, goal: Goal, created: int) -> str:
    """The text of metadata.xml, as Test-Comp wants it."""
    program = suite.sources[0] if suite.sources else suite.program
    entries = {
        "sourcecodelang": "C",
        "producer": f"untaken {__version__}",
        "specification": goal.specification,
        "programfile": os.fspath(program),
        "programhash": _digest(program),
        "entryfunction": "main",
        "architecture": "64bit",
        "creationtime": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(created)),
    }
    lines = [f"  <{name}>{escape(text)}</{name}>" for name, text in entries.items()]
    return _document("test-metadata", "", lines)


def check_expressible(suite: Suite) -> None:
    """Declared inputs are no calls of __VERIFIER_nondet_*."""
    if suite.declared:
        kinds = ", ".join(sorted({source.kind.name.lower() for source in suite.declared}))
        raise CampaignError(f"the Test-Comp format has no place for {kinds}: use --format files or ktest")


def testcase(test: SavedTest, *, covers_error: bool = False) -> str:
    """The text of one test."""
    lines = [
        f"  <input variable={quoteattr(field.name)}>{value_text(field, field_bytes(test.input, field))}</input>"
        for field in asked_for(test.fields, ())
    ]
    return _document("testcase", ' coversError="true"' if covers_error else "", lines)


def value_text(field: Field, value: bytes) -> str:
    """A value in decimal: the validator reads nothing else reliably."""
    if field.kind is FieldKind.BYTES:
        raise CampaignError(
            f"the Test-Comp format has only numbers, no place for the {field.size} bytes of {field.name}: "
            "use --format files or ktest"
        )
    if field.kind is FieldKind.FLOAT and field.size in FLOAT_FORMATS:
        return repr(struct.unpack(FLOAT_FORMATS[field.size], value)[0])
    return str(int.from_bytes(value, "little", signed=field.kind in SIGNED))


def _document(root: str, attributes: str, lines: list[str]) -> str:
    return "\n".join([HEADER, DOCTYPE.format(root=root), f"<{root}{attributes}>", *lines, f"</{root}>", ""])


def _digest(program: Path) -> str:
    try:
        return hashlib.sha256(program.read_bytes()).hexdigest()
    except OSError as error:
        raise CampaignError(f"cannot read {program}, whose hash the format asks for: {error.strerror}") from None


def _write_zip(path: Path, contents: Mapping[str, str], created: int) -> None:
    date = time.gmtime(max(created, EARLIEST_IN_ZIP))[:6]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in contents.items():
            archive.writestr(zipfile.ZipInfo(name, date), text.encode(), zipfile.ZIP_DEFLATED)
