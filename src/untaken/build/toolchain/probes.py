"""Probes of configure scripts: programs that are built only to see whether that works, or what they print.

A script builds hundreds of them, and nobody explores one. So they are compiled by the same front end and linked by the
same linker as everything else, but without instrumentation: that takes a fraction of the time, and tells the script
more exactly what the plain program would do. A probe is known by the names that autoconf, CMake and Meson give it, and
by where they put it.
"""

from __future__ import annotations

import os

from untaken.build.toolchain.command_line import Input, Invocation

_AUTOCONF = ("conftest.c", "conftest.i")
_CONFIGURING = "confdefs.h"  # is there as long as a configure script of autoconf runs
_CMAKE = ("/CMakeFiles/CMakeTmp/", "/CMakeFiles/CMakeScratch/", "/CMakeFiles/ShowIncludes/")
_MESON = "/meson-private/tmp"


def is_probe(invocation: Invocation) -> bool:
    """Whether all C that is compiled is a probe."""
    sources = [source for source in invocation.inputs if source.language.instrumented]
    return bool(sources) and all(map(_is_probe, sources))


def _is_probe(source: Input) -> bool:
    if os.path.basename(source.path) in _AUTOCONF:
        return os.path.exists(os.path.join(os.path.dirname(source.path), _CONFIGURING))
    path = os.path.abspath(source.path)
    return _MESON in path or any(folder in f"{os.getcwd()}/" or folder in path for folder in _CMAKE)
