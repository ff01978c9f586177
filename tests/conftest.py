"""Before anything else: numpy's threads wait busily for each other, which takes ten times as long on a busy machine."""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
