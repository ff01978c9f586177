"""Every failure that a user may meet, with what to do about it.

One base class, caught once in the command line. An unsatisfiable query, a crash of the target or a divergence
is a result, not an error: those are values of the model.
"""


class UntakenError(Exception):
    """A failure told to the user in one sentence; `exit_code` is what the command returns."""

    exit_code = 2


class UsageError(UntakenError):
    """The command line asks for something that cannot be."""


class ToolchainError(UntakenError):
    """No compiler, no linker, or one that cannot be used."""


class CompileError(UntakenError):
    """The compiler refused the program; its own message was already shown."""

    def __init__(self, message: str, exit_code: int = 1) -> None:
        super().__init__(message)
        self.exit_code = exit_code


class PlainBuildError(UntakenError):
    """There is no plain program of an instrumented one, and why."""


class InstrumentationError(UntakenError):
    """IR that we do not understand and will not guess at."""


class ProgramMapError(UntakenError):
    """The executable carries no program map, or one of another version."""


class NoProgramMap(ProgramMapError):
    """Nothing in the executable is instrumented."""


class ExecutionError(UntakenError):
    """The instrumented program could not be started or its fork server is gone."""


class SandboxError(ExecutionError):
    """The system allows no sandbox, and without one the program is not started unless the user wants that."""

    def __init__(self, program: object, reason: str) -> None:
        super().__init__(
            f"this system refuses the sandbox ({reason}), so {program} was not started; allow user namespaces or "
            "Landlock, or give --no-sandbox if you trust the program with your files"
        )


class CampaignError(UntakenError):
    """The output folder cannot be used or does not fit the program."""


class WorkerFault(UntakenError):
    """Workers of a campaign fail, and that is no fault of the user's."""

    exit_code = 3
