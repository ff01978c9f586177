"""Where values of the input were lost, and what that hides, for the page: kind, place, and the branches behind it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from untaken.campaign.lost_values import PIN, LostPlace
from untaken.model.program import BranchId, Function, ProgramMap
from untaken.report.campaign_folder import CampaignFolder
from untaken.report.hidden import HiddenBranches
from untaken.report.stores import StoreIndex
from untaken.report.why_not import WhyNot
from untaken.report.words import CONCRETISED, LOST_TO_A_CALL, LOST_TO_A_PIN
from untaken.search.coverage import Coverage

MOST_PLACES = 300
MOST_CONDITIONS = 3000  # concrete branches that are looked at
MOST_SHOWN = 20  # branches behind one place


def lost_places(
    campaign: CampaignFolder, coverage: Coverage, reasons: Mapping[int, WhyNot], index: StoreIndex
) -> list[dict[str, Any]]:
    """Those that hide most come first. `hides`: concrete branches that may depend on it; `behind`: how many uncovered
    ones these lead to."""
    program = campaign.program
    concrete = [branch for branch, why in reasons.items() if why.is_concrete][:MOST_CONDITIONS]
    hidden = HiddenBranches(program, index, [program.branches[BranchId(branch)] for branch in concrete])
    places = [*_noted(campaign), *_calls(program, coverage, campaign.summary["limits"]["externals"])]
    rows = [_row(program, index, place, words, hidden, reasons) for place, words in places[:MOST_PLACES]]
    return sorted(rows, key=lambda row: (-row["behind"], row["file"], row["line"]))


def _noted(campaign: CampaignFolder) -> Iterator[tuple[LostPlace, str]]:
    """What runs told, the most frequent first."""
    for place, _ in sorted(campaign.obstacles.lost_values.runs.items(), key=lambda entry: (-entry[1], entry[0])):
        yield place, LOST_TO_A_PIN if place.kind == PIN else CONCRETISED.get(place.kind, place.kind)


def _calls(program: ProgramMap, coverage: Coverage, externals: Mapping[str, int]) -> Iterator[tuple[LostPlace, str]]:
    """Calls of functions that have no model, in functions that were entered."""
    for function in program.functions:
        if externals and coverage.hit[function.entry_id]:
            calls = [call for block in function.blocks for call in block.calls if call.callee in externals]
            for call in dict.fromkeys(calls):
                place = LostPlace("external", function.index, call.line, exact=True)
                yield place, LOST_TO_A_CALL.format(name=call.callee)


def _row(
    program: ProgramMap,
    index: StoreIndex,
    place: LostPlace,
    words: str,
    hidden: HiddenBranches,
    reasons: Mapping[int, WhyNot],
) -> dict[str, Any]:
    function = program.functions[place.function]
    behind = hidden.behind(place.function, _lines(function, place))
    file = index.file_of(place.function)
    return {
        "kind": words,
        "file": -1 if file is None else file,
        "line": place.line,
        "exact": place.exact,
        "function": function.name,
        "hides": behind[:MOST_SHOWN],
        "more": max(0, len(behind) - MOST_SHOWN),
        "behind": sum(reasons[branch].opens for branch in behind),
    }


def _lines(function: Function, place: LostPlace) -> list[int]:
    """Lines on which the value may have been lost: if only the branch before is known, those up to the next block's."""
    if place.exact:
        return [place.line]
    later = [block.line for block in function.blocks if block.line > place.line]
    return list(range(place.line, min(later, default=place.line) + 1))
