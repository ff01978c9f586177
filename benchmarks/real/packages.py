"""The shelf of real programs: Debian packages by name, how each is built, and what of its input is explored.

Parsers, compressors, interpreters, archivers, image and sound formats, and servers that speak on standard input.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

COMPILER = "{compiler}"  # in options: the one that a build is made with


class BuildSystem(Enum):
    """What comes before `make`."""

    CONFIGURE = "configure"
    CMAKE = "cmake"
    MAKE = "make"  # nothing


@dataclass(frozen=True, slots=True)
class Package:
    """`program` is a place below the sources; `explored` are words of `untaken run`, `arguments` the program's own."""

    name: str
    program: str
    explored: tuple[str, ...]
    arguments: tuple[str, ...] = ()
    system: BuildSystem = BuildSystem.CONFIGURE
    options: tuple[str, ...] = ()  # of configure or cmake, or targets and variables of make
    subfolder: str = "."
    suite: tuple[str, ...] = ("check",)  # words of make that run the package's tests; none: it has none


def stdin(size: int) -> tuple[str, ...]:
    return "--stdin", str(size)


def argument_and_stdin(argument: int, size: int) -> tuple[str, ...]:
    return "--arg", str(argument), "--stdin", str(size)


_CMAKE, _MAKE = BuildSystem.CMAKE, BuildSystem.MAKE
_EXPAT = ("-DEXPAT_SHARED_LIBS=OFF", "-DEXPAT_BUILD_DOCS=OFF", "-DEXPAT_BUILD_FUZZERS=OFF")
_FROM_STDIN = ("/dev/stdin",)
_MUJS = ("build/release/mujs", "OUT=build/release", "HAVE_READLINE=no")
_PLAIN = ("--disable-nls", "--disable-dependency-tracking")
_COMMON = "CFLAGS=-O2 -g -Wno-error -fcommon"  # a variable is defined in several files, as compilers took it until 2020
# Where others are beside it (of gnulib, of a library), what is run is the package's own suite.
_IN_TEST, _IN_TESTS, _TEST = ("-C", "test", "check"), ("-C", "tests", "check"), ("test",)

SHELF = (
    # interpreters, and tools with a language of their own
    Package("mawk", "mawk", argument_and_stdin(24, 20)),
    Package("gawk", "gawk", stdin(40), ("-f", "/dev/stdin"), options=(*_PLAIN, "--disable-extensions"), suite=_IN_TEST),
    Package("dash", "src/dash", stdin(40), suite=()),
    Package("grep", "src/grep", argument_and_stdin(12, 40), options=_PLAIN, suite=_IN_TESTS),
    Package("sed", "sed/sed", argument_and_stdin(16, 24), options=_PLAIN, suite=("check", "SUBDIRS=.")),
    Package("bc", "bc/bc", stdin(32), ("-q",), suite=()),
    Package("m4", "src/m4", stdin(48), options=_PLAIN, suite=("-C", "checks", "check")),
    Package("ed", "ed", stdin(40), ("-s",), options=(f"CC={COMPILER}",)),
    Package("lua5.4", "src/lua", stdin(40), ("-",), _MAKE, ("linux",), suite=()),
    Package("jq", "jq", stdin(40), (".",), options=("--with-oniguruma=no", "--disable-docs")),
    Package("datamash", "datamash", stdin(32), ("sum", "1"), options=_PLAIN),
    Package("units", "units", stdin(24), ("-q", "-f", "definitions.units")),
    # parsers
    Package("expat", "xmlwf/xmlwf", stdin(48), (), _CMAKE, _EXPAT, "expat", suite=_TEST),
    Package("libxml2", "xmllint", stdin(48), ("-",), options=("--without-python", "--disable-shared")),
    Package(
        "json-c",
        "apps/json_parse",
        ("--file", "a.json=48"),
        ("a.json",),
        _CMAKE,
        ("-DBUILD_SHARED_LIBS=OFF",),
        suite=_TEST,
    ),
    Package("cmark", "src/cmark", stdin(64), (), _CMAKE, ("-DCMARK_SHARED=OFF",), suite=_TEST),
    Package("flex", "src/flex", stdin(64), ("-t",), options=_PLAIN, suite=_IN_TESTS),
    Package("indent", "src/indent", stdin(64), ("-st",), options=_PLAIN[1:]),
    Package("unifdef", "unifdef", stdin(64), ("-DX",), _MAKE, suite=_TEST),
    Package("figlet", "figlet", stdin(32), ("-d", "fonts"), _MAKE, ("figlet",)),
    Package("mujs", "build/release/mujs", stdin(48), _FROM_STDIN, _MAKE, _MUJS, suite=()),
    Package("md4c", "md2html/md2html", stdin(64), (), _CMAKE, ("-DBUILD_SHARED_LIBS=OFF",), suite=()),
    Package("tidy-html5", "tidy", stdin(64), ("-q",), _CMAKE, ("-DBUILD_SHARED_LIB=OFF",), suite=()),
    Package("libyaml", "run-parser", stdin(48), _FROM_STDIN, _CMAKE, suite=_TEST),
    Package("yajl", "yajl-2.1.0/bin/json_reformat", stdin(48), (), _CMAKE, suite=_TEST),
    Package("jo", "jo", stdin(48)),
    Package("byacc", "yacc", stdin(64), ("-o", "/dev/null", *_FROM_STDIN)),
    Package("nasm", "nasm", stdin(48), ("-o", "/dev/null", *_FROM_STDIN), suite=()),
    Package("tcc", "tcc", stdin(64), ("-c", "-o", "/dev/null", "-"), options=(f"--cc={COMPILER}",), suite=_TEST),
    # compressors and archivers
    Package("gzip", "gzip", stdin(64), ("-dc",), options=_PLAIN, suite=_IN_TESTS),
    Package("bzip2", "bzip2", stdin(64), ("-dc",), _MAKE, ("bzip2",)),
    Package("xz-utils", "src/xz/xz", stdin(64), ("-dc",), options=(*_PLAIN, "--disable-shared")),
    Package("zlib", "minigzip", stdin(64), ("-d",), options=("--static",)),
    Package("lz4", "programs/lz4", stdin(64), ("-dc",), _MAKE),
    Package("cpio", "src/cpio", stdin(128), ("-t",), options=(*_PLAIN, _COMMON), suite=_IN_TESTS),
    Package("tar", "src/tar", stdin(512), ("-tf", "-"), options=_PLAIN, suite=_IN_TESTS),
    Package("lhasa", "src/lha", ("--file", "a.lzh=64"), ("l", "a.lzh"), options=("--disable-shared",)),
    # what is compared or patched
    Package("diffutils", "src/diff", ("--file", "a=24", "--file", "b=24"), ("a", "b"), options=_PLAIN, suite=_IN_TESTS),
    Package("patch", "src/patch", stdin(80), ("--dry-run",), options=_PLAIN, suite=_IN_TESTS),
    # images and sound
    Package("pngcheck", "pngcheck", stdin(128), ("-v",), _MAKE, ("-f", "Makefile.unx"), suite=()),
    Package("giflib", "giftext", stdin(64), (), _MAKE),
    Package(
        "libjpeg-turbo", "djpeg-static", stdin(128), (), _CMAKE, ("-DENABLE_SHARED=OFF", "-DWITH_SIMD=OFF"), suite=_TEST
    ),
    Package("exif", "exif/exif", ("--file", "a.jpg=128"), ("a.jpg",), options=_PLAIN),
    Package("flac", "src/flac/flac", stdin(128), ("-dc", "-"), options=("--disable-shared", "--disable-cpplibs")),
    # servers that speak on standard input
    Package("micro-httpd", "micro_httpd", stdin(64), ("/tmp",), _MAKE, suite=()),
)
