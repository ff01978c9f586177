"""Cobertura's XML, as GitLab, Azure and Jenkins read it: one class a source file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from untaken import __version__
from untaken.suite.export.measured.gcov import MeasuredFile, MeasuredLine, measured
from untaken.suite.export.testcomp import creation_time
from untaken.suite.tests import Suite
from untaken.visible_text import visible

NAME = "cobertura.xml"
DOCTYPE = '<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">\n'


def write_cobertura(suite: Suite, target: Path) -> int:
    """Writes the file; how many tests were measured."""
    root = document(measured(suite), suite.directory)
    indent(root)
    text = tostring(root, encoding="unicode")
    (target / NAME).write_text(f'<?xml version="1.0" encoding="UTF-8"?>\n{DOCTYPE}{text}\n', encoding="utf-8")
    return len(suite.proper_tests)


def document(files: Mapping[str, MeasuredFile], directory: Path) -> Element:
    """All of it; file names are relative to the directory, where they lie below it."""
    root = Element("coverage", {**_rates(files.values()), "complexity": "0", "version": f"untaken {__version__}"})
    root.set("timestamp", str(creation_time() * 1000))
    SubElement(SubElement(root, "sources"), "source").text = visible(str(directory))
    about = {"name": visible(directory.name), **_two_rates(files.values()), "complexity": "0"}
    package = SubElement(SubElement(root, "packages"), "package", about)
    classes = SubElement(package, "classes")
    for name, file in sorted(files.items()):
        _add_class(classes, visible(relative(name, directory)), file)
    return root


def relative(name: str, directory: Path) -> str:
    path = PurePath(name)
    return path.relative_to(directory).as_posix() if path.is_relative_to(directory) else name


def _add_class(classes: Element, name: str, file: MeasuredFile) -> None:
    rates = _two_rates([file])
    entry = SubElement(classes, "class", {"name": PurePath(name).name, "filename": name, **rates, "complexity": "0"})
    SubElement(entry, "methods")
    lines = SubElement(entry, "lines")
    for number, line in sorted(file.lines.items()):
        SubElement(lines, "line", {"number": str(number), "hits": str(line.count), **_condition(line)})


def _condition(line: MeasuredLine) -> dict[str, str]:
    if not line.branches:
        return {"branch": "false"}
    taken, total = sum(count > 0 for count in line.branches), len(line.branches)
    return {"branch": "true", "condition-coverage": f"{100 * taken // total}% ({taken}/{total})"}


def _two_rates(files: Iterable[MeasuredFile]) -> dict[str, str]:
    return {name: rate for name, rate in _rates(files).items() if name.endswith("-rate")}


def _rates(files: Iterable[MeasuredFile]) -> dict[str, str]:
    every = list(files)
    lines = [line.count > 0 for file in every for line in file.lines.values()]
    branches = [count > 0 for file in every for count in file.branches]
    return {
        "line-rate": _share(lines),
        "branch-rate": _share(branches),
        "lines-covered": str(sum(lines)),
        "lines-valid": str(len(lines)),
        "branches-covered": str(sum(branches)),
        "branches-valid": str(len(branches)),
    }


def _share(flags: list[bool]) -> str:
    return f"{sum(flags) / len(flags):.4f}" if flags else "1.0"
