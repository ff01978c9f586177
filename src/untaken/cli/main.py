"""The `untaken` command: finds the subcommand, and turns every failure into one sentence and an exit code."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from untaken.errors import UntakenError, UsageError
from untaken.interrupts import interruptible, undisturbed

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
    """The command of scripts that an earlier version installed; today's begin with `start.py`."""
    return guarded(run, sys.argv[1:])


def guarded(command: Callable[[Sequence[str]], int], arguments: Sequence[str]) -> int:
    """Runs a command; the only place where errors are caught and shown."""
    try:
        with interruptible():  # also while something is built: temporary folders are to be removed
            code = command(arguments)
            if sys.stdout is not None:
                sys.stdout.flush()  # here, where it can be said that it failed
            return code
    except UntakenError as error:
        print(f"untaken: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("untaken: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Whoever read our output has left; nothing more can be said, and Python must not try at exit.
        sys.stdout = None
        return 141
    except OSError as error:
        if error.filename is None:  # no file of ours: what is printed goes nowhere, as on a full disk
            sys.stdout = None
        print(f"untaken: cannot use {error.filename or 'the output'}: {error.strerror}", file=sys.stderr)
        return UntakenError.exit_code


def run(arguments: Sequence[str]) -> int:
    """Runs the subcommand that is named first; only its own module is loaded."""
    first = arguments[0] if arguments else "--help"
    if first in COMMANDS:
        from importlib import import_module

        with undisturbed():  # C modules may drop the exception, or turn it into another
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
    raise UsageError(f"unknown {kind} {first}{meant(first, COMMANDS)}; `untaken --help` lists what there is")


def help_text() -> str:
    """A short overview of the commands."""
    lines = [f"  {name:<10}{purpose}" for name, (_, purpose) in COMMANDS.items()]
    return "\n".join(
        [
            "untaken writes the tests for the branches that yours have not taken.",
            "",
            "usage: untaken COMMAND [ARGUMENTS]",
            "",
            *lines,
            "",
            "`untaken COMMAND --help` says more about each (cc takes the options of a C compiler).",
        ]
    )
