"""What a wish gets is said to take no less than it does, and what is impossible no more than is
proven.
"""

import re

import pytest
from studied import on_the_wasteful, study_of, uneven

from core.capabilities.makespan.wish_answer import wish_answer
from core.engines.front.study import Study, pick, study
from core.engines.front.tariff import Tariff
from core.engines.front.wish import StatedWish, WishParameter
from core.shells.cli.answer import Answer
from core.vocabulary.budget import Effort


@pytest.fixture(scope="module")
def found() -> Study:
    """A schedule of 100.04001 s and 720,318.12 J, and one of 200.04001 s and 360,072.08 J."""
    return study(uneven(), effort=Effort(0))


def answer(
    found: Study, kind: WishParameter, amount: float, tariff: Tariff | None = None
) -> Answer:
    stated = StatedWish(kind, amount)
    wish = stated.wish(tariff.per_joule if tariff else 0.0)
    return wish_answer("it", stated, tariff, found, pick(found, wish), {})


def rows(answered: Answer) -> dict[str, str]:
    return dict(re.findall(r"^  (\S.*?)  +(\S.*)$", answered.text, re.MULTILINE))


def test_what_meets_a_wish_is_rounded_up(found: Study) -> None:
    said = rows(answer(found, "deadline", 150.0))
    assert (said["makespan"], said["energy"]) == ("100.041 s", "720,319 J (200.1 Wh)")
    assert rows(answer(found, "cap", 8000.0))["on average"] == "7,200.31 W"


@pytest.mark.parametrize(
    ("cap", "told"),
    [
        (8000.0, "; its power never exceeds the cap of 8 kW"),
        (1800.3, "; the cap of 1.8003 kW limits only its average power: the peak is 9 kW"),
        (1700.0, ""),
    ],
)
def test_the_first_line_of_a_power_cap_says_the_peak(
    found: Study, cap: float, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Issue 33, point 17: the cap limits the average. If it is not met, that is said instead."""
    if "average" in told:
        monkeypatch.setattr("core.capabilities.makespan.wish_answer.peak_power", lambda _: 9000.0)
    answered = answer(found, "cap", cap)
    first = answered.text.splitlines()[0]
    watts = f"{cap:,.15g}"
    assert first == f"it: least makespan drawing at most {watts} W on average{told}"
    (wish,) = [value for key, value in answered.data.items() if key == "wish"]
    if told:
        peak = 9000.0 if "average" in told else 7200.30
        assert wish["peak_power"] == pytest.approx(peak, rel=1e-5)
        assert rows(answered)["peak"] == ("9,000 W" if peak == 9000 else "7,200.31 W")
    assert "peak_power" not in answer(found, "deadline", 150.0).data["wish"]


@pytest.mark.parametrize(
    ("kind", "amount", "said"),
    [
        (
            "deadline",
            99.0,
            "within 99 s was found; the nearest takes 100.041 s; proven impossible: no schedule "
            "takes less than 100.04 s",
        ),
        (
            "budget",
            360_000.0,
            "with at most 360,000 J (100 Wh) was found; the nearest needs 360,073 J (100.1 Wh); "
            "proven impossible: no schedule needs less than 360,072 J (100.02 Wh)",
        ),
        (
            "cap",
            1700.0,
            "drawing at most 1,700 W on average was found; the nearest draws 1,800.01 W; proven "
            "impossible: no schedule draws less than 1,800 W on average",
        ),
        (
            "money",
            0.06,
            "for 0.06, at most 308,571 J (85.71 Wh) was found; the nearest needs 360,073 J, which "
            "costs 0.0700141, 0.03501 kg of CO2; proven impossible: no schedule needs less than "
            "360,072 J, which costs 0.070014, 0.035 kg of CO2",
        ),
    ],
)
def test_what_is_impossible_is_rounded_down(
    found: Study, kind: WishParameter, amount: float, said: str
) -> None:
    """For 0.06 at 0.70 a kWh there are 308,571.43 J."""
    tariff = Tariff(0.7, 0.35) if kind == "money" else None
    (problem,) = answer(found, kind, amount, tariff).problems
    assert problem.message == f"no schedule {said}"


@pytest.mark.parametrize(
    ("kind", "amount", "least"),
    [
        ("deadline", 100.05, "energy would be at least 720,318 J (200 Wh)"),
        ("budget", 730_000.0, "makespan would be at least 100.04 s"),
    ],
)
def test_what_a_better_schedule_would_take_at_least_is_rounded_down(
    kind: WishParameter, amount: float, least: str
) -> None:
    (problem,) = answer(study_of(on_the_wasteful()), kind, amount).problems
    assert problem.message.endswith(f"not proven impossible, but its {least}")
