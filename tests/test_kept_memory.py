"""Memory of arrays that are gone is used again, and does not come from the kernel each time."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

COUNTS_FAULTS = """
import resource
import sys
import numpy as np
from untaken.kept_memory import keep_memory
if sys.argv[1] == "kept":
    keep_memory()

def work():
    arrays = [np.ones(1 << 19) for _ in range(4)]
    return sum(float(array[7]) for array in arrays)

work()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(50):
    work()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def faults(manner: str) -> int:
    done = subprocess.run([sys.executable, "-c", COUNTS_FAULTS, manner], capture_output=True, text=True, check=True)
    return int(done.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library has no such bounds")
def test_large_arrays_have_the_memory_of_those_before() -> None:
    assert faults("kept") * 10 < faults("as ever")
