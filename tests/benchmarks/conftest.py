"""A case that measures nothing real."""

import pytest
from chains import known_front, nearly_in_a_row

from benchmarks.case import Case, Part, Section, Target
from benchmarks.report import whole

__all__ = ["apples", "known_front", "nearly_in_a_row", "outcome"]


def pick(_quick):
    return 3


@pytest.fixture(scope="session")
def apples():
    """Ours measured 3 of at least 4 to pick, the rival 2 of at most 2 to drop."""
    return Case(
        "Apples",
        {"ours": Part(pick), "rival": Part(pick, ours=False)},
        lambda measured: Section(
            [
                Target("picked", measured["ours"], 4, whole, at_least=True),
                Target("dropped", measured["rival"], 2, whole),
            ],
            f"Ours picked {measured['ours']}.",
        ),
    )


@pytest.fixture(scope="session")
def outcome():
    """What came of measuring it."""

    def make(*, machine="a fast one", memory=(100e6, 900e6), picked=3):
        return {
            "date": "2030-01-02",
            "command": "python -m benchmarks apples",
            "machine": machine,
            "parts": {
                "ours": {"measured": picked, "peak_memory": memory[0]},
                "rival": {"measured": 2, "peak_memory": memory[1]},
            },
        }

    return make
