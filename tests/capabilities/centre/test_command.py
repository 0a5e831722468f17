"""`wattfront centre`: what it answers, in words and for programs, and what it refuses."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core import InvalidInput
from core.capabilities.centre.caps_text import read_caps, written_caps
from core.capabilities.centre.day import grouped
from core.capabilities.centre.face import plan_day
from core.capabilities.centre.files.centre_file import CentreFile
from core.capabilities.centre.files.centre_reader import inspect_centre
from core.capabilities.centre.files.day_plan_file import inspect_day_plan
from core.capabilities.centre.made import made_day
from core.capabilities.centre.settings import DaySettings
from core.capabilities.centre.told import told
from core.files.samples.named import centre_folder

PARASOL = str(centre_folder("parasol"))


Asked = Callable[..., Any]


@pytest.fixture
def answer(wattfront: Asked) -> Asked:
    """`wattfront centre` of the sample parasol with these words, as data."""

    def asked(*words: object) -> Any:
        return wattfront("centre", PARASOL, "--seconds", 0.05, "--json", *words)

    return asked


def test_it_says_the_answer_the_bound_and_what_is_usual(answer: Asked, wattfront: Asked) -> None:
    said = wattfront("centre", PARASOL, "--seconds", 0.05, "--method", "plan,edd").out
    found = answer("--method", "plan,edd")
    first = said.splitlines()[0]
    assert first.startswith(f"{PARASOL}: You can pay ")
    assert "less than as usual; no plan saves more than" in first
    assert found.status == 0
    ours, usual, bound = (found.data[name] for name in ("plan", "as-usual", "bound"))
    assert bound["cost"] <= ours["cost"] <= found.data["edd"]["cost"] < usual["cost"]
    assert ours["against_usual"] == pytest.approx(1 - ours["cost"] / usual["cost"])
    assert ours["hottest"] <= 27
    assert ours["keeps_caps"]
    assert ours["verified"]
    assert found.data["jobs"] == 200
    for word in ("Our plan", "Earliest due date first", "As usual", "Asked for: a lateness of at"):
        assert word in said


def test_caps_are_kept(answer: Asked) -> None:
    found = answer("--at-most", "late=2%,peak=1.2kW,excess=0.1").data["plan"]
    assert found["keeps_caps"]
    assert found["on_time_share"] >= 0.98
    assert found["peak"] <= 1200
    assert found["excess"] <= 0.1 * 3.6e6
    any_time = answer("--at-most", "late=any").data["plan"]
    assert any_time["cost"] < found["cost"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--at-most", "late=x"), "'late=x' is no cap; give some of cost, carbon"),
        (("--at-most", "cost=1.2.3"), "'cost=1.2.3' is no cap"),
        (("--at-most", "speed=3"), "'speed=3' is no cap"),
        (("--at-most", "peak=3kWh"), "peak is in kW, not in 'kWh'"),
        (("--method", "magic"), "'magic' is no method; give some of plan, as-usual"),
        (("--step", "2h"), "--step is 2h; give 1 to 60 minutes"),
        (("--step", "a while"), "--step 'a while'"),
        (("--step", "7min"), "has no whole number of steps of 420 s"),
        (("--replan", "0"), "0 is the same as none; give none"),
        (("--replan", "-1h"), "--replan"),
        (("--replan", "90s"), "a plan begins with a step of 60 s; give a multiple of 60 s"),
        (("--replan", "150min"), "but the day has 2 h 30 min; give less"),
        (("--replan", "8d"), "8d is out of range"),
        (("--replan", "often"), "--replan"),
        (("--at-most", "late=0%,cost=0.1"), "those that keep the others cost"),
        (("--at-most", "energy=0.1"), "draw 1.8"),
    ],
)
def test_what_cannot_be_is_refused(answer: Asked, words: tuple[str, ...], message: str) -> None:
    refused = answer(*words)
    assert refused.status == 2
    assert message in refused.data["problems"][0]["message"]


def test_a_plan_is_written_and_read_back(answer: Asked, tmp_path: Path) -> None:
    path = tmp_path / "plan.zip"
    found = answer("-o", path).data["plan"]
    file = inspect_centre(Path(PARASOL)).require()
    planned = inspect_day_plan(path, file).require()
    verdict = planned.judged()
    assert verdict.ok
    assert verdict.cost == pytest.approx(found["cost"])


def test_plans_for_a_forecast_are_measured_by_what_came() -> None:
    """The cooling follows what came, so the room stays cool; and nothing is below the bound."""
    london = centre_folder("london")
    asked = {"minimise": "carbon", "seconds": 0.1, "most_late": 0.1, "step": 3600.0}
    found = plan_day(london, forecast=True, **asked)
    came = plan_day(london, **asked)
    assert found.bound.value == pytest.approx(came.bound.value)
    assert found.ours.verdict is not None
    assert found.ours.verdict.ok
    assert found.ours.verdict.hottest <= 27 + 1e-9
    assert found.ours.verdict.carbon >= found.least
    assert not np.array_equal(found.day.curves.carbon, came.day.curves.carbon)


def test_it_says_what_it_costs_not_to_know_each_curve() -> None:
    """Who knows all does not do worse; and each of what is said is in the words, too."""
    asked = {"minimise": "carbon", "seconds": 0.0, "most_late": 0.1, "step": 3600.0}
    found = plan_day(centre_folder("london"), replan=4 * 3600.0, **asked)
    price = found.not_knowing
    assert price is not None
    assert set(price.alone) == {"carbon", "outside"}
    assert len({one.found.value for one in price.alone.values()}) == 2
    every = found.ours, price.once, *price.alone.values()
    assert all(one.verdict.ok for one in every)
    assert all(price.knowing.found.value <= one.found.value for one in every)
    assert price.knowing.found.value >= found.least
    said = told(found)
    words = " ".join(said.sentences)
    assert "Not to know the carbon intensity and the outside temperature costs" in words
    assert "with a plan that is made anew every 4 h" in words
    assert "With a plan that is made once, when the day begins, it would cost" in words
    assert "Not to know the outside temperature alone would cost" in words
    (table,) = (one for one in said.tables if one.title == "What it costs not to know")
    assert [row[0] for row in table.rows] == [
        "All that comes",
        "Planned anew every 4 h",
        "Planned once",
        "All but the carbon intensity",
        "All but the outside temperature",
    ]
    assert table.rows[0][-1] == "0 kg of CO₂ (0 %)"
    data = said.data["not_knowing"]
    assert data["knowing"]["carbon"] == price.knowing.found.value
    assert data["once"]["carbon"] == price.once.found.value
    assert data["alone"]["carbon"]["carbon"] == price.alone["carbon"].found.value


def test_only_what_matters_has_a_price() -> None:
    """To draw the least energy, nobody need know the carbon intensity: the weather is all."""
    asked = {"minimise": "energy", "seconds": 0.0, "most_late": 0.1, "step": 3600.0}
    found = plan_day(centre_folder("london"), forecast=True, **asked)
    price = found.not_knowing
    assert price is not None
    assert price.once is found.ours
    assert price.alone == {"outside": found.ours}
    assert plan_day(centre_folder("london"), **asked).not_knowing is None
    (table,) = (one for one in told(found).tables if one.title == "What it costs not to know")
    assert [row[0] for row in table.rows] == ["All that comes", "Planned once"]


def test_jobs_that_come_unannounced_have_a_price() -> None:
    asked = {"seconds": 0.0, "most_late": 0.3, "step": 3600.0}
    found = plan_day(centre_folder("london"), unannounced=True, **asked)
    assert set(found.not_knowing.alone) == {"jobs"}
    assert found.ours.verdict.ok
    assert "Not to know which jobs come costs" in " ".join(told(found).sentences)
    assert "made anew when jobs come" in " ".join(told(found).sentences)


def test_as_usual_is_the_same_whatever_was_forecast() -> None:
    """It has a thermostat, not the cheapest cooling."""
    london = centre_folder("london")
    asked = {"seconds": 0.0, "step": 3600.0, "most_late": None}
    on_forecast, came = (plan_day(london, forecast=each, **asked) for each in (True, False))
    assert on_forecast.usual.measures.cost == came.usual.measures.cost


def test_a_day_without_jobs() -> None:
    """All servers sleep, and that is the best."""
    day = replace(made_day("small"), jobs=grouped([]))
    found = plan_day(CentreFile.of_day(day), minimise="energy", seconds=0.0)
    assert found.ours.keeps
    assert found.ours.found.value == pytest.approx(found.least, rel=1e-3)
    assert found.ours.found.plan.awake.max() == 0


def test_a_plan_that_keeps_no_cap_says_so_first() -> None:
    """Our plan in place of one that was made to exceed its caps."""
    found = plan_day(PARASOL, seconds=0.0)
    exceeding = replace(found.ours.found, over=(0, 0, 0, 2.0, 0, 1.0), beyond=0.5)
    said = told(replace(found, plans=(replace(found.ours, found=exceeding),)))
    assert said.lead.startswith("No plan was found that keeps all caps; no plan that does comes to")
    assert (
        "Our plan does not keep all caps, but exceeds Excess by 2 kWh and grid power by 1 kW."
        in (said.sentences)
    )


@pytest.mark.parametrize("text", ["", "late=any", "cost=-3.5,late=7%,peak=1e3kW", "carbon=2kg"])
def test_caps_are_written_as_they_are_read(text: str) -> None:
    asked = DaySettings(**read_caps(text))
    assert DaySettings(**read_caps(written_caps(asked))) == asked


def test_what_the_library_refuses() -> None:
    with pytest.raises(InvalidInput, match="methods is 'plan'"):
        plan_day(PARASOL, methods="plan")  # type: ignore[arg-type]  # as people write it
    with pytest.raises(InvalidInput, match="minimise is 'heat'"):
        plan_day(PARASOL, minimise="heat")  # type: ignore[arg-type]
