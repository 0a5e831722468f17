"""The published averages of the nine environment, and the same averages of another system."""

from core.makespan.reproduce.bag_figures import PUBLISHED_EXCESS, PUBLISHED_GAP
from core.makespan.reproduce.bags import GAP_SIZE, averages
from core.model.system import System
from core.reproduce.calibration import CalibrationEffort


def published(name: str) -> dict[str, float]:
    """The published averages, as shares."""
    if name != "nine":
        return {}
    longer = {f"{rival} longer": excess for rival, excess in PUBLISHED_EXCESS.items()}
    return {f"gap at {GAP_SIZE:,} tasks": PUBLISHED_GAP} | longer


def found(name: str, system: System, effort: CalibrationEffort) -> list[float]:
    return averages(system, effort.trials) if name == "nine" else []
