"""What reading a system gives: the system, or everything that is wrong with the input."""

from dataclasses import dataclass

from core.problems import InvalidInput, Problem
from core.system import System


@dataclass(frozen=True, slots=True)
class Reading:
    """The system that was read, or None; and all problems, warnings included, errors first."""

    system: System | None
    problems: tuple[Problem, ...]

    @property
    def ok(self) -> bool:
        return self.system is not None

    def require(self) -> System:
        """The system; raises `InvalidInput` with all problems if there is none."""
        if self.system is None:
            raise InvalidInput(self.problems)
        return self.system
