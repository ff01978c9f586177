"""`python -m untaken`, where no `untaken` is on the PATH."""

import sys

from untaken.cli.main import main

sys.exit(main())
