"""`python -m untaken`, where no `untaken` is on the PATH."""

import sys

from untaken.cli.start import untaken

sys.exit(untaken())
