"""The plain program of an instrumented one, wherever that comes from: it says itself how it was compiled and linked.

What was compiled and linked by this user is built again as it was. Anything else is built in the sandbox, with options
from a list, also where the user began the campaign: to run somebody's program is not to trust its build.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from untaken.build.objects.own_builds import is_own_build
from untaken.build.plain import Image, Variant, build_plain, read_images
from untaken.suite.replay.foreign import ForeignBuild, build_foreign
from untaken.suite.trust import Trust


def plain_program(
    program: Path, variant: Variant, name: str, trust: Trust, stopped: Callable[[], bool] = lambda: False
) -> Path:
    """Under this name; PlainBuildError if there is none, Stopped if nobody wants it any more."""
    images = read_images(program)
    if trust is Trust.EVERYBODY or all(map(_is_own, images)):
        return build_plain(program, variant, name, stopped)
    return build_foreign(ForeignBuild.of_program(program, images), variant, name, stopped)


def _is_own(image: Image) -> bool:
    return all(map(is_own_build, (image.linkage, *image.units)))
