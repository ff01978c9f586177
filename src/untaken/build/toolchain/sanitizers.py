"""Which sanitizers a command line asks for, and which of them go together with our instrumentation."""

from __future__ import annotations

from dataclasses import dataclass

from untaken.errors import UsageError

# They bring a shadow memory or a calling convention of their own.
_REFUSED = (
    *("thread", "memory", "hwaddress", "dataflow", "safe-stack", "shadow-call-stack", "kernel-address"),
    *("kernel-memory", "kernel-hwaddress", "memtag", "scudo", "realtime", "numerical", "type"),
)
# Ours by other means: the runtime brings a main for LLVMFuzzerTestOneInput.
_IGNORED = ("fuzzer", "fuzzer-no-link")
# gcc's libraries have all that clang's checks call but for these.
CLANGS_OWN = ("function", "local-bounds")


@dataclass(frozen=True, slots=True)
class Sanitizers:
    """The checks that are on, in order of being asked for, and the parts of them that are off."""

    names: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    def after(self, word: str) -> Sanitizers:
        """The state after one -fsanitize= or -fno-sanitize= more."""
        option, _, value = word.partition("=")
        changed = tuple(name for name in value.split(",") if name and name not in _IGNORED)
        if option == "-fno-sanitize":
            if "all" in changed:
                return Sanitizers()
            return Sanitizers(_without(self.names, changed), self.without + _without(changed, self.names))
        for name in changed:
            if name in _REFUSED or name.startswith("cfi"):
                raise UsageError(f"-fsanitize={name} cannot be combined with the instrumentation; drop it")
        return Sanitizers(self.names + _without(changed, self.names), _without(self.without, changed))

    def __bool__(self) -> bool:
        return bool(self.names)

    @property
    def options(self) -> list[str]:
        """What asks a clang for the same."""
        on = [f"-fsanitize={','.join(self.names)}"] if self.names else []
        return on + ([f"-fno-sanitize={','.join(self.without)}"] if self.names and self.without else [])

    @property
    def libraries(self) -> list[str]:
        """What asks a gcc for the libraries that the checks call: it has fewer names for them."""
        separate = [name for name in ("address", "leak") if name in self.names]
        return [f"-fsanitize={','.join([*separate, 'undefined'])}"] if self.names else []


def _without(names: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in others)
