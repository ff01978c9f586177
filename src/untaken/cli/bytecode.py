"""Where the compiler's own modules are kept in compiled form, if Python keeps none.

Python does not where PYTHONDONTWRITEBYTECODE is set, as in many containers, or where the package is not ours to write
to. To compile the modules anew would take a third of the time of each call, and configure scripts make hundreds.
"""

from __future__ import annotations

import os
import sys

from untaken.build.storage import cache_root


def keep_bytecode() -> None:
    """From now on, modules are kept in our cache folder, unless they are kept beside their sources."""
    if sys.pycache_prefix is None and not os.path.exists(__spec__.cached or ""):
        root = cache_root()
        if os.access(root, os.W_OK):
            sys.pycache_prefix = os.path.join(root, "python")
            sys.dont_write_bytecode = False
