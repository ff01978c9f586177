"""Names of tests, from what they cover: the condition as the source has it, in words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from untaken.model.program import Branch, ProgramMap
from untaken.suite.condition_texts import condition_texts
from untaken.suite.source_lines import line_at

LONGEST = 48  # characters of a condition
# From the longest to the shortest, each with what holds where it does not.
COMPARISONS = (("==", "!="), ("!=", "=="), ("<=", ">"), (">=", "<"), ("<", ">="), (">", "<="))
COMPARISON = re.compile(r"(?<![-<>=!])(==|!=|<=|>=|<(?![<=])|>(?![>=]))(?!=)")
WORDS = (
    (r"\((?:(?:const|unsigned|signed|struct)\s+)*\w+\s*\*+\s*\)", " "),  # casts of pointers
    (r"\bassert\s*\(", " "),
    (r"(?:!\s*|\b)(?:str\w*|mem)cmp\s*\(([^()]*)\)\s*!=\s*0\b", r" different \1 "),
    (r"\b(?:str\w*|mem)cmp\s*\(([^()]*)\)\s*==\s*0\b", r" same \1 "),
    (r"!\s*(?:str\w*|mem)cmp\s*\(", " same "),
    (r"^\s*(?:str\w*|mem)cmp\s*\((.*)\)\s*$", r" different \1 "),
    (r"!=\s*(?:NULL|0)\b", " given "),
    (r"==\s*NULL\b", " is_null "),
    ("<<", " shifted_left_by "),
    (">>", " shifted_right_by "),
    ("&&", " and "),
    (r"\|\|", " or "),
    ("==", " is "),
    ("!=", " is_not "),
    ("<=", " at_most "),
    (">=", " at_least "),
    (r"->|\.", " "),
    ("<", " below "),
    (">", " above "),
    ("!", " no "),
    (r"(?<=[\w)\]])\s*-\s*(?=[\w(])|-(?=\d)", " minus "),
    (r"(?<=[\w)\]])\s*\+\s*(?=[\w(])", " plus "),
    (r"(?<=[\w)\]])\s*&\s*(?=[\w(])", " bits "),
    (r"(?<=[\w)\]])\s*\*\s*(?=[\w(])", " times "),
    (r"%", " modulo "),
)
# Signs between quotes.
SIGNS = {
    ".": "dot", ",": "comma", ":": "colon", ";": "semicolon", "/": "slash", "\\": "backslash", "-": "hyphen",
    "+": "plus", "*": "star", "'": "apostrophe", '"': "quote", "(": "bracket", ")": "closing_bracket",
    "[": "square_bracket", "]": "closing_square_bracket", "{": "brace", "}": "closing_brace", "<": "less",
    ">": "greater", "=": "equals", "!": "exclamation_mark", "?": "question_mark", "#": "hash", "%": "percent",
    "&": "ampersand", "|": "bar", "~": "tilde", "@": "at", "$": "dollar", "^": "caret", "`": "backquote", " ": "space",
    "n": "newline", "t": "tab", "r": "return", "0": "zero",
}  # fmt: skip
SIGN = re.compile(r"'(?:\\([\\'\"?ntr0])|([^\w\\]))'")
CONDITION = re.compile(r"\b(?:if|while|switch)\s*\(")
RETURN = re.compile(r"\breturn\b")  # what is returned is not what it stands behind
CASE = re.compile(r"\b(case\s+[^:]+|default)\s*:")


class TestNames:
    """Gives names that are not taken yet."""

    __test__ = False  # for pytest

    def __init__(self, function: str, taken: set[str], program: ProgramMap) -> None:
        self._function = function
        self._taken = taken
        self._program = program
        self._decisions = {
            condition.branch & ~1: (decision, place)
            for decision in program.decisions
            for place, condition in enumerate(decision.conditions)
        }

    def of(self, branches: Sequence[Branch], failing: int = 0) -> str:
        """After a branch that the test is the first to cover: the first that gives a name of its own. `failing` is the
        number of the allocation that fails, if one does: that is the reason for all else."""
        if failing:
            return self.fresh(f"test_{self._function}_when_allocation_{failing}_fails")
        wanted = [f"test_{self._function}{self._about(branch)}" for branch in branches]
        wanted = wanted or [f"test_{self._function}"]
        return self.fresh(next((name for name in wanted if name not in self._taken), wanted[0]))

    def fresh(self, wanted: str) -> str:
        name, count = wanted, 1
        while name in self._taken:
            count += 1
            name = f"{wanted}_{count}"
        self._taken.add(name)
        return name

    def _about(self, branch: Branch) -> str:
        text = line_at(branch.location.file, branch.location.line)
        if found := CASE.search(text):
            side = "" if branch.side else "not_"
            return f"_{side}{_words(found[1])}"
        words = _words(_that_holds(RETURN.split(self._condition(branch))[-1].strip(), branch.side))
        if words:
            return f"_{words}"
        whole = _words(_that_holds(_whole_condition(text), branch.side)) or _words(_code(text))
        return f"_{whole}" if whole else f"_line_{branch.location.line}_{'taken' if branch.side else 'not_taken'}"

    def _condition(self, branch: Branch) -> str:
        """The one of its decision that the branch is about."""
        known = self._decisions.get(branch.id & ~1)
        if known is None:
            texts = condition_texts([branch.location])
            return texts[0] if texts else ""
        decision, place = known
        branches = self._program.branches
        texts = condition_texts([branches[each.branch].location for each in decision.conditions])
        return texts[place] if texts else ""


def _that_holds(condition: str, side: bool) -> str:
    """What is so on this side of a condition."""
    if side or not condition:
        return condition
    if condition.startswith("!"):
        return condition[1:]
    compared = list(COMPARISON.finditer(condition))
    if len(compared) == 1:
        found = compared[0]
        return condition[: found.start()] + dict(COMPARISONS)[found[1]] + condition[found.end() :]
    return f"not {condition}" if compared else f"!{condition}"


def _whole_condition(line: str) -> str:
    """What stands in the brackets of an if or while that is whole on its line."""
    found = CONDITION.search(line)
    if found is None:
        return ""
    depth, start = 1, found.end()
    for place in range(start, len(line)):
        depth += {"(": 1, ")": -1}.get(line[place], 0)
        if depth == 0:
            return line[start:place]
    return ""


def _code(line: str) -> str:
    """A line without its comment: what a macro hides is called as the line has it."""
    return re.sub(r"/\*.*?(?:\*/|$)|//.*$", "", line)


def _words(condition: str) -> str:
    condition = SIGN.sub(lambda found: f" {SIGNS.get(found[1] or found[2], '')} ", condition)
    for pattern, word in WORDS:
        condition = re.sub(pattern, word, condition)
    words = re.sub(r"\W+", "_", condition).strip("_").lower()
    return words if len(words) <= LONGEST else words[:LONGEST].rpartition("_")[0]
