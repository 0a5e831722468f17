"""The template to fill in: a small system that shows every kind of cell."""

import numpy as np

from core import System
from core.model.kinds import MachineType, TaskType


def template() -> System:
    """Three task types on three machine types; one pair cannot run, so its cells are blank."""
    never, blank = np.inf, np.nan
    return System(
        (TaskType("render", 5000), TaskType("train", 300), TaskType("index", 1200)),
        (
            MachineType("old server", 20, 45),
            MachineType("new server", 16, 60),
            MachineType("GPU", 4, 110),
        ),
        np.array([[120.0, 60.0, never], [900.0, 450.0, 40.0], [75.0, 31.5, 28.0]]),
        np.array([[180.0, 210.0, blank], [190.0, 230.0, 410.0], [150.0, 170.0, 320.0]]),
    )
