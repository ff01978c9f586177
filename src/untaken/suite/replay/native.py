"""The programs of a campaign: the instrumented one, and the plain one that it says how to make."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

from untaken.build.cache import build_cached
from untaken.build.plain import AS_GIVEN, Variant, variant_called
from untaken.errors import CampaignError
from untaken.suite.replay.foreign import ForeignBuild, build_foreign
from untaken.suite.replay.plain_programs import plain_program
from untaken.suite.tests import CrashPlace, Suite
from untaken.suite.trust import Trust


def build_native(suite: Suite, variant: Variant = AS_GIVEN) -> Path:
    """The plain program; PlainBuildError if there is none."""
    name = plain_name(suite)
    if suite.trust is Trust.NOBODY:
        return build_foreign(ForeignBuild.of_suite(suite), variant, name)
    with chdir(suite.directory):  # relative names in the options mean what they meant to the campaign
        program = instrumented_program(suite)
    return plain_program(program, variant, name, suite.trust)


def confirming_variant(place: CrashPlace | None) -> Variant:
    """The one on which a finding was confirmed; of other tests, the program as the user builds it."""
    return AS_GIVEN if place is None else variant_called(place.confirmed_on)


def plain_name(suite: Suite) -> str:
    """What a person calls it: not by the name under which it lies in the cache."""
    return suite.sources[0].stem if suite.sources else suite.program.name


def instrumented_program(suite: Suite) -> Path:
    """The program that the campaign ran, from its sources if they are there."""
    if suite.sources and all(source.exists() for source in suite.sources):
        if suite.trust is not Trust.NOBODY:
            return build_cached(suite.sources, suite.recipe.cflags)
        return build_foreign(ForeignBuild.of_suite(suite), None, plain_name(suite))
    if not suite.program.exists():
        raise CampaignError(f"{suite.program} is gone: build it again with untaken cc, under the same name")
    return suite.program
