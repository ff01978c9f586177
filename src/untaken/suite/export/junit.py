"""JUnit's XML, as CI systems read it: the tests of a campaign pass, its findings fail.

A test with which the program goes wrong is skipped: it covers something, but that end is none to expect.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from untaken.model.path import ExitKind
from untaken.suite.replay.verdict import described
from untaken.suite.tests import SavedTest, Suite

NAME = "junit.xml"
# XML 1.0 has no place for these, not even escaped.
FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

WRONG = (ExitKind.SIGNAL, ExitKind.TIMEOUT, ExitKind.MEMORY, ExitKind.ERROR)


def write_junit(suite: Suite, target: Path) -> int:
    """Writes the file; how many tests and findings."""
    root = document(suite)
    indent(root)
    text = tostring(root, encoding="unicode")
    (target / NAME).write_text(f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n', encoding="utf-8")
    return len(suite.proper_tests)


def document(suite: Suite) -> Element:
    """The whole document: a suite of tests and one of findings."""
    program = clean(suite.sources[0].stem if suite.sources else suite.program.name)
    findings = [test for test in suite.tests if test.place is not None]
    tests = [test for test in suite.proper_tests if test.place is None]
    root = Element("testsuites", {"name": program, **_counts([*tests, *findings])})
    _add_suite(root, f"{program} tests", tests)
    _add_suite(root, f"{program} findings", findings)
    return root


def _add_suite(root: Element, name: str, tests: Sequence[SavedTest]) -> None:
    suite = SubElement(root, "testsuite", {"name": name, **_counts(tests)})
    for test in tests:
        case = SubElement(suite, "testcase", {"classname": name.replace(" ", "."), "name": test.name, "time": "0"})
        if test.place is not None:
            SubElement(case, "failure", {"type": test.place.kind, "message": clean(test.place.what)}).text = clean(
                "\n".join([*test.place.frames, f"ended: {described(test.exit)}", f"input: {test.file}"])
            )
        elif _goes_wrong(test):
            SubElement(case, "skipped", {"message": clean(f"the program goes wrong: {described(test.exit)}")})


def _goes_wrong(test: SavedTest) -> bool:
    return test.place is None and test.exit.kind in WRONG


def _counts(tests: Sequence[SavedTest]) -> dict[str, str]:
    failures, skipped = sum(test.place is not None for test in tests), sum(map(_goes_wrong, tests))
    return {"tests": str(len(tests)), "failures": str(failures), "errors": "0", "skipped": str(skipped), "time": "0"}


def clean(text: str) -> str:
    """Without what XML cannot say."""
    return FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)
