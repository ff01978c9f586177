"""All library functions that the runtime has a model of (runtime/libc/), with their types.

The instrumentation calls `untaken_model_strlen` in the place of `strlen` where the module declares it with the type
given here; a function of the same name but another type is some other function. A test compares this table with
what the C compiler makes of the models. Each file is named after a folder of `runtime/libc/`.
"""

from __future__ import annotations

from untaken.build.library.models.files import FILES
from untaken.build.library.models.memory import MEMORY
from untaken.build.library.models.model import Model
from untaken.build.library.models.numbers import NUMBERS
from untaken.build.library.models.stdio import STDIO
from untaken.build.library.models.string import STRING
from untaken.build.library.models.system import SYSTEM
from untaken.build.library.models.text import TEXT
from untaken.build.library.models.wide_characters import WIDE_CHARACTERS

MODELS: dict[str, Model] = {
    **FILES,
    **MEMORY,
    **NUMBERS,
    **STDIO,
    **STRING,
    **SYSTEM,
    **TEXT,
    **WIDE_CHARACTERS,
}
