"""Completion for shells, from the option table. The scripts hold all words: completing starts no Python."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator

from untaken.cli.manual.table import CommandEntry, OptionEntry, command_table

FOLDER = re.compile(r"\bDIR\b")
FILE = re.compile(r"\bFILE\b")


def bash() -> str:
    """A function that bash calls, for bash 4 and newer."""
    commands = command_table()
    values = [line for command in commands for line in _bash_values(command)]
    options = [f"        {command.name}) known={shlex.quote(' '.join(_flags(command)))} ;;" for command in commands]
    return "\n".join(
        [
            "# Completes untaken in bash: made by `untaken completion bash`.",
            "_untaken() {",
            "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}",
            "    local command=${COMP_WORDS[1]} known",
            "    COMPREPLY=()",
            "    if ((COMP_CWORD == 1)); then",
            f"        mapfile -t COMPREPLY < <(compgen -W {shlex.quote(' '.join(each.name for each in commands))} "
            '-- "$word")',
            "        return",
            "    fi",
            '    case "$command $before" in',
            *values,
            "    esac",
            "    case $command in",
            *options,
            "    esac",
            "    if [[ $word == -* ]]; then",
            '        mapfile -t COMPREPLY < <(compgen -W "$known" -- "$word")',
            "    else",
            '        mapfile -t COMPREPLY < <(compgen -f -- "$word")',
            "    fi",
            "}",
            "complete -o filenames -F _untaken untaken",
            "",
        ]
    )


def _bash_values(command: CommandEntry) -> Iterator[str]:
    positional = [word for word in command.words if word.words]
    for option in [*command.options, *positional]:
        if not option.value:
            continue
        for flag in option.flags or (command.name,):
            pattern = f'"{command.name} {flag}"' if option.flags else f'"{command.name} {command.name}"'
            yield f"        {pattern}) {_bash_value(option)} return ;;"


def _bash_value(option: OptionEntry) -> str:
    if option.words:
        how = f"-W {shlex.quote(' '.join(option.words))}"
    elif FOLDER.search(option.value):
        how = "-d"
    elif FILE.search(option.value):
        how = "-f"
    else:
        return ""  # a number or a name that only the user knows
    return f'mapfile -t COMPREPLY < <(compgen {how} -- "$word");'


def _flags(command: CommandEntry) -> list[str]:
    return [flag for option in command.options for flag in option.flags]


def zsh() -> str:
    """A function for zsh's completion system, which compdef registers."""
    lines = ["#compdef untaken", "# Completes untaken in zsh: made by `untaken completion zsh`.", "_untaken() {"]
    lines += ["    local -a commands", "    commands=("]
    commands = command_table()
    lines += [f"        {_quoted(f'{each.name}:{each.purpose}')}" for each in commands]
    lines += ["    )", "    if (( CURRENT == 2 )); then", "        _describe -t commands command commands"]
    lines += ["        return", "    fi", "    local command=$words[2]", "    shift words", "    (( CURRENT-- ))"]
    lines += ["    case $command in", *(line for each in commands for line in _zsh_command(each)), "    esac", "}"]
    lines += ['if [ "$funcstack[1]" = "_untaken" ]; then', '    _untaken "$@"', "else"]
    lines += ["    compdef _untaken untaken", "fi", ""]
    return "\n".join(lines)


def _zsh_command(command: CommandEntry) -> Iterator[str]:
    yield f"        {command.name})"
    specs = [_quoted(_zsh_option(option, flag)) for option in command.options for flag in option.flags]
    chosen = next((word.words for word in command.words if word.words), ())
    specs.append(_quoted(f"1:{command.words[0].value}:({' '.join(chosen)})") if chosen else _quoted("*:file:_files"))
    yield "            _arguments " + " \\\n                ".join(specs)
    yield "            ;;"


def _zsh_option(option: OptionEntry, flag: str) -> str:
    help = re.sub(r"([][:\\])", r"\\\1", option.help)
    name = f"{'*' if option.many else ''}{flag}[{help}]"
    if not option.value:
        return name
    value = re.sub(r"([:\\])", r"\\\1", option.value)
    if option.words:
        return f"{name}:{value}:({' '.join(option.words)})"
    action = "_files -/" if FOLDER.search(option.value) else "_files" if FILE.search(option.value) else " "
    return f"{name}:{value}:{action}"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def fish() -> str:
    """One line for each command and for each of its options."""
    lines = ["# Completes untaken in fish: made by `untaken completion fish`."]
    for command in command_table():
        lines.append(f"complete -c untaken -n __fish_use_subcommand -f -a {command.name} -d {_fish(command.purpose)}")
        lines += [_fish_option(command, option) for option in command.options]
        chosen = next((word.words for word in command.words if word.words), ())
        if chosen:
            lines.append(f"{_seen(command)} -f -a {_fish(' '.join(chosen))}")
    return "\n".join([*lines, ""])


def _fish_option(command: CommandEntry, option: OptionEntry) -> str:
    names = [f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.flags]
    return " ".join([_seen(command), *names, *_fish_value(option), "-d", _fish(option.help)])


def _seen(command: CommandEntry) -> str:
    return f'complete -c untaken -n "__fish_seen_subcommand_from {command.name}"'


def _fish_value(option: OptionEntry) -> list[str]:
    if not option.value:
        return []
    if option.words:
        return ["-x", "-a", _fish(" ".join(option.words))]
    if FOLDER.search(option.value):
        return ["-x", "-a", "'(__fish_complete_directories)'"]
    return ["-r"] if FILE.search(option.value) else ["-x"]


def _fish(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


SCRIPTS: dict[str, Callable[[], str]] = {"bash": bash, "zsh": zsh, "fish": fish}
