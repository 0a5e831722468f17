"""What a wish gets is said to take no less than it does, and what is impossible no more than is
proven.
"""

import re

import pytest
from studied import on_the_wasteful, study_of, uneven

from core.capabilities.makespan.wishes import wish_answer
from core.engines.front.study import study
from core.engines.front.wish import StatedWish
from core.vocabulary.budget import Effort
from core.vocabulary.prices.tariff import Tariff


@pytest.fixture(scope="module")
def found():
    """A schedule of 100.04001 s and 720,318.12 J, and one of 200.04001 s and 360,072.08 J."""
    return study(uneven(), effort=Effort(0))


def answer(found, kind, amount, tariff=None):
    return wish_answer("it", StatedWish(kind, amount), tariff, found, {})[0]


def rows(answered):
    return dict(re.findall(r"^  (\S.*?)  +(\S.*)$", answered.text, re.MULTILINE))


def test_what_meets_a_wish_is_rounded_up(found):
    said = rows(answer(found, "deadline", 150.0))
    assert (said["Makespan"], said["Energy"]) == ("100.1 s", "200.1 Wh")
    assert rows(answer(found, "cap", 8000.0))["Average power"] == "7.201 kW"
    money = rows(answer(found, "money", 0.2, Tariff(0.7, 0.35)))
    assert (money["Cost"], money["Carbon"]) == ("0.1401", "0.07004 kg CO₂")


@pytest.mark.parametrize(
    ("cap", "told"),
    [
        (8000.0, "8 kW on average. Its power never exceeds the cap of 8 kW. Done in "),
        (
            1800.3,
            "1.8003 kW on average. The cap of 1.8003 kW limits only its average power: the peak is "
            "9 kW. Done in ",
        ),
        (1700.0, "1.7 kW on average. Impossible: "),
    ],
)
def test_the_first_line_of_a_power_cap_says_the_peak(found, cap, told, monkeypatch):
    """Issue 33, point 17: the cap limits the average. If it is not met, that is said instead."""
    peak = 7200.30
    if "9 kW" in told:
        peak = 9000.0
        for module in ("capabilities.makespan.wishes", "engines.front.replies"):
            monkeypatch.setattr(f"core.{module}.peak_power", lambda _: peak)
    answered = answer(found, "cap", cap)
    assert answered.text.startswith(f"it: At most {told}")
    (wish,) = [value for key, value in answered.data.items() if key == "wish"]
    if "Impossible" not in told:
        assert wish["peak_power"] == pytest.approx(peak, rel=1e-5)
        assert rows(answered)["Peak power"] == ("9 kW" if peak == 9000 else "7.201 kW")
    assert "peak_power" not in answer(found, "deadline", 150.0).data["wish"]


@pytest.mark.parametrize(
    ("kind", "amount", "said"),
    [
        (
            "deadline",
            99.0,
            "Done within 99 s. Impossible: no schedule takes less than 100 s. The nearest "
            "schedule: 100.1 s with 200.1 Wh.",
        ),
        (
            "budget",
            360_000.0,
            "At most 100 Wh. Impossible: no schedule takes less than 100.02 Wh. The nearest "
            "schedule: 3 min 21 s with 100.1 Wh.",
        ),
        (
            "cap",
            1700.0,
            "At most 1.7 kW on average. Impossible: no schedule draws less than 1.8 kW on average. "
            "The nearest schedule: 1.801 kW on average (3 min 21 s with 100.1 Wh).",
        ),
        (
            "money",
            0.06,
            "At most 0.06. Impossible: no schedule takes less than 0.07001. The nearest schedule: "
            "3 min 21 s with 0.07002.",
        ),
    ],
)
def test_what_is_impossible_is_rounded_down(found, kind, amount, said):
    """For 0.06 at 0.70 a kWh there are 308,571.43 J."""
    tariff = Tariff(0.7, 0.35) if kind == "money" else None
    answered = answer(found, kind, amount, tariff)
    (problem,) = answered.problems
    assert problem.message == said
    assert "From the best, at most" not in rows(answered)


@pytest.mark.parametrize(
    ("kind", "amount", "least"), [("deadline", 100.05, "200 Wh"), ("budget", 730_000.0, "100 s")]
)
def test_what_a_better_schedule_would_take_at_least_is_rounded_down(kind, amount, least):
    (problem,) = answer(study_of(on_the_wasteful()), kind, amount).problems
    said = f"it is not proven impossible: one that does takes at least {least}. The nearest"
    assert said in problem.message
