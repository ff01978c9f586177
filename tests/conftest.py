"""Before anything else, so that tests depend neither on how busy the machine is nor on how they were started."""

from __future__ import annotations

import os
import signal
import sys

import pytest

# numpy's threads wait busily for each other, which takes ten times as long on a busy machine.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Hundreds of commands are started: none of them is to compile all of our modules again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# No process stays behind, and none works for two tests, but where that is what is tested.
os.environ.setdefault("UNTAKEN_RESIDENT", "0")
# Shells have their background jobs ignore Ctrl-C, and nohup closed terminals; whatever those start inherits it.
for _number, _handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, _handler)

# They take longest, by far, so they are begun first: the last of them would keep one processor busy, and others idle.
LONG = """runtime/libc/test_models unit/test_project unit/test_export_c unit/test_unit_command
    search/rewards/test_rewards suite/test_replay runtime/test_runtime team/test_ray learn/test_ray learn/test_methods
    campaign/test_soak unit/test_project_objects report/test_page_in_browser cli/test_resident unit/test_project_states
    learn/test_tune runtime/process/test_reuse team/test_jobs""".split()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The order of files is the order in which workers take them."""
    order = {f"tests/{name}.py": place for place, name in enumerate(LONG)}
    items.sort(key=lambda item: order.get(item.nodeid.partition("::")[0], len(LONG)))
