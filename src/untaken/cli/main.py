"""The `untaken` command: finds the subcommand, and turns every failure into one sentence and an exit code."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Sequence

from untaken.cli.start_up import timed_command
from untaken.errors import UntakenError, UsageError
from untaken.interrupts import interruptible, undisturbed
from untaken.uncollected import uncollected

DEBUG = "--debug"
FAULT = 3  # of untaken itself
ASIDE = ("--help", "--version")
# One line a command: its module in untaken.cli, which has run(arguments) -> exit code, and what it is for.
# Modules are imported only when their command is called.
COMMANDS = {
    "run": ("run", "explore a program: tests for the branches that none has taken"),
    "unit": ("unit", "explore one function: a driver is written from its types"),
    "lift": ("lift", "write the C of an executable without source"),
    "cc": ("cc", "compile C with instrumentation: a drop-in compiler"),
    "compare": ("compare", "compare strategies, as a paper would"),
    "tune": ("tune", "learn a search heuristic for a program"),
    "status": ("status", "say where a campaign stands that runs elsewhere"),
    "replay": ("replay", "run tests again, natively or instrumented"),
    "report": ("report", "write a campaign's page anew: source, branches, findings, tests"),
    "export": ("export", "write tests in the formats of other tools"),
    "doctor": ("doctor", "show what is here, what is missing, what to do"),
    "man": ("man", "print the manual: all commands and options"),
    "completion": ("completion", "print what lets bash, zsh or fish complete commands and options"),
}


def main() -> int:
    """The `untaken` command, with the words that it was started with."""
    words, debug = without_debug(sys.argv[1:])
    _say_anything()
    return guarded(run, words, debug=debug)


def _say_anything() -> None:
    """A name that is no text, or a bar that the terminal's alphabet has not, is written in its stead, and no error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="backslashreplace")


def without_debug(words: Sequence[str]) -> tuple[list[str], bool]:
    """Takes --debug out, but for what is meant for the program or the compiler."""
    own = list(words[: words.index("--")] if "--" in words else words)
    if DEBUG not in own or own[0] == "cc":
        return list(words), False
    place = own.index(DEBUG)
    return [*words[:place], *words[place + 1 :]], True


def guarded(command: Callable[[Sequence[str]], int], arguments: Sequence[str], *, debug: bool = False) -> int:
    """Runs a command; the only place where errors are caught and shown."""
    try:
        with interruptible():  # also while something is built: temporary folders are to be removed
            code = command(arguments)
            if sys.stdout is not None:
                sys.stdout.flush()  # here, where it can be said that it failed
            return code
    except KeyboardInterrupt:
        print("untaken: interrupted", file=sys.stderr)
        return 130
    except Exception as error:
        return told(error, debug)


def told(error: Exception, debug: bool) -> int:
    """Says what went wrong, in one sentence; the exit code."""
    if isinstance(error, BrokenPipeError):
        # Whoever read our output has left; nothing more can be said, and Python must not try at exit.
        sys.stdout = None
        return 141
    if debug:
        import traceback

        traceback.print_exception(error)
    from untaken.visible_text import visible  # here, since most calls of a compiler go well

    sentence, code = explained(error)
    print(f"untaken: {visible(sentence)}", file=sys.stderr)
    return code


def explained(error: Exception) -> tuple[str, int]:
    """One sentence, and the exit code. What nobody thought of is a fault of ours."""
    if isinstance(error, UntakenError):
        return str(error), error.exit_code
    if isinstance(error, OSError) and error.strerror is not None:
        if isinstance(error, FileNotFoundError) and not has_directory():
            return "the current directory is gone: change to another one", UntakenError.exit_code
        if error.filename is None:  # no file of ours: what is printed goes nowhere, as on a full disk
            sys.stdout = None
        return f"cannot use {error.filename or 'the output'}: {error.strerror}", UntakenError.exit_code
    what = f"{type(error).__name__}: {error}".partition("\n")[0].removesuffix(": ")
    return (
        f"something went wrong in untaken itself ({what}), and nothing that was found is lost; please report it where "
        "you have untaken from, with what the same command prints with --debug",
        FAULT,
    )


def has_directory() -> bool:
    """Whether the current directory is still there."""
    try:
        os.getcwd()
    except OSError:
        return False
    return True


def run(arguments: Sequence[str]) -> int:
    """Runs the subcommand that is named first; only its own module is loaded."""
    first = arguments[0] if arguments else "--help"
    if first in COMMANDS:
        from importlib import import_module

        with timed_command():
            # C modules may drop the exception, or turn it into another. What modules make stays: to look for garbage
            # among it takes a sixth of the time.
            with undisturbed(), uncollected():
                command: Callable[[Sequence[str]], int] = import_module(f"untaken.cli.{COMMANDS[first][0]}").run
            return command(arguments[1:])
    if first in ("--help", "-h", "help"):
        print(help_text())
        return 0
    if first == "--version":
        from untaken import __version__

        print(f"untaken {__version__}")
        return 0
    from untaken.cli.parser import meant

    kind = "option" if first.startswith("-") else "command"
    raise UsageError(f"unknown {kind} {first}{meant(first, (*COMMANDS, *ASIDE))}; `untaken --help` lists what there is")


def help_text() -> str:
    """A short overview of the commands."""
    lines = [f"  {name:<12}{purpose}" for name, (_, purpose) in COMMANDS.items()]
    return "\n".join(
        [
            "untaken writes the tests for the branches that yours have not taken.",
            "",
            "usage: untaken COMMAND [ARGUMENTS]",
            "",
            *lines,
            "",
            "`untaken COMMAND --help` says more about each (cc takes the options of a C compiler).",
            "`--debug` shows where untaken was when something went wrong.",
        ]
    )
