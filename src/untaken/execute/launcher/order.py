"""What the driver asks the launcher for."""

from __future__ import annotations

import json


class LaunchOrder:
    """The settings of one start; `sandbox.py` writes them."""

    def __init__(self, text: str) -> None:
        values = json.loads(text)  # as it is: the launcher starts fast, so it loads nothing of ours
        self.report: int = values["report"]
        self.lifeline: int = values["lifeline"]
        self.descriptors: list[int] = values["descriptors"]  # in the order of `variable`
        self.variable: str = values["variable"]
        self.sandbox: bool = values["sandbox"]
        self.scratch: str = values["scratch"]
        self.private_tmp: bool = values["private_tmp"]
        self.writable: list[str] = values["writable"]
        self.copied: list[str] = values["copied"]  # directories that the program sees a private copy of
        self.hidden: list[str] = values["hidden"]  # folders that are to look empty
        self.processes: int = values["processes"]
