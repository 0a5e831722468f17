"""Systems of which some pairs are estimates."""

from dataclasses import replace

import numpy as np

from core.vocabulary.system import System


def marked(system: System, *cells: tuple[int, int]) -> System:
    """The system with estimates on these pairs of task type and machine type."""
    marks = np.zeros(system.etc.shape, bool)
    for cell in cells:
        marks[cell] = True
    return replace(system, estimated=marks)
