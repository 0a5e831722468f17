"""`profit` says what batches earn, what no schedule can earn more than, and when not to run."""

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from strategies import systems

from core.capabilities.profit.earn import earn
from core.capabilities.profit.prices import price_steps
from core.capabilities.profit.terms import Terms
from core.engines.verify.judge import verify_stated
from core.files import inspect_schedule, write_system
from core.files.samples.named import load_sample
from core.vocabulary.budget import Effort

KEYS = [
    "upper_bound",
    "profit",
    "gap",
    "bound_energy",
    "bound_makespan",
    "energy",
    "makespan",
    "average_power",
    "peak_power",
    "on_front",
    "verified",
    "period",
    "runs",
    "regime",
    "loses",
    "better_switched_off",
    "idle_profit",
    "off_profit",
    "price",
    "break_even_price",
    "thriftiest_from_price",
    "fastest_from_price",
    "cap_price",
    "machine_values",
    "unit",
    "tasks",
    "machines",
    "seconds",
]
AT_ONCE = ("--seconds", 0, "--json")
PART = ("--deadline", "6s", "--energy-price", 0)


def test_the_json_has_just_these_keys(wattfront, idling):
    data = wattfront("profit", idling, "--ratio", 1.2, *AT_ONCE).data
    assert list(data) == KEYS
    assert list(data["seconds"]) == ["read", "bound", "recover", "verify"]


def test_with_a_ratio_alone_a_joule_costs_one(wattfront, idling):
    data = wattfront("profit", idling, "--ratio", 1.2, *AT_ONCE).data
    assert data["unit"] == "money per second"
    assert data["price"] == pytest.approx(1656)
    assert data["upper_bound"] == pytest.approx(23.333333, abs=1e-6)
    assert data["profit"] == pytest.approx(256 / 12)
    assert data["gap"] == pytest.approx(data["upper_bound"] - data["profit"])
    assert (data["bound_energy"], data["bound_makespan"]) == pytest.approx((1404, 10.8))
    assert (data["energy"], data["makespan"], data["period"]) == pytest.approx((1400, 12, 12))
    assert data["average_power"] == pytest.approx(1400 / 12)
    assert (data["on_front"], data["verified"], data["runs"]) == (True, True, True)
    assert data["regime"] == "runs_on_front"
    assert data["break_even_price"] == pytest.approx(1380)
    assert data["thriftiest_from_price"] == pytest.approx(1200)
    assert data["fastest_from_price"] == pytest.approx(1440)
    assert (data["tasks"], data["machines"]) == (12, 2)


def test_with_a_price_of_energy_rates_are_hourly(wattfront, idling):
    """1656 a batch and 1 a joule, which is 3.6 million a kWh."""
    data = wattfront("profit", idling, "--price", 1656, "--energy-price", 3.6e6, *AT_ONCE).data
    assert data["unit"] == "money per hour"
    assert data["upper_bound"] == pytest.approx(3600 * 23.333333)
    assert data["profit"] == pytest.approx(3600 * 256 / 12)
    assert data["idle_profit"] == pytest.approx(-3600 * 30)


def test_a_ratio_is_of_what_the_energy_costs_with_its_carbon(wattfront, idling):
    words = ("--ratio", 1.2, "--energy-price", 0.2, "--carbon", 0.5, "--carbon-price", 0.1)
    data = wattfront("profit", idling, *words, *AT_ONCE).data
    assert data["price"] == pytest.approx(1.2 * 1380 * 0.25 / 3.6e6)
    assert data["upper_bound"] == pytest.approx(3600 * 23.333333 * 0.25 / 3.6e6)


def test_every_extension_counts(wattfront, idling, two_by_two):
    """As worked out by hand: overhead, PUE, wear of 5 and 1 and depreciation of 2 a second."""
    words = ("--overhead", 100, "--pue", 1.1, "--wear", "A=18000", "B=3600")
    more = ("--depreciation", "A=3600", "--depreciation", "B=3600")
    data = wattfront("profit", idling, "--ratio", 1.2, *words, *more, *AT_ONCE).data
    assert data["upper_bound"] == pytest.approx(-2.555556, abs=1e-6)
    assert data["bound_makespan"] == pytest.approx(18)
    assert data["off_profit"] == -2
    terms = Terms(1656.0, 1.0, 1.1, 100.0, (5.0, 1.0), (1.0, 1.0))
    profit = earn(two_by_two(20, 10), terms, effort=Effort(0))
    assert data["profit"] == pytest.approx(profit.value)
    assert list(data["machine_values"].values()) == pytest.approx(profit.machine_values.tolist())
    steps = price_steps(two_by_two(20, 10), terms)
    assert data["break_even_price"] == pytest.approx(steps.break_even + 100)


@pytest.mark.parametrize("cap", ["40", "40W", "0.04kW"])
def test_a_cap_throttles(wattfront, idling, cap):
    data = wattfront("profit", idling, "--ratio", 1.2, "--power-cap", cap, *AT_ONCE).data
    assert data["upper_bound"] == pytest.approx(-12.4)
    assert (data["regime"], data["on_front"]) == ("throttled", False)
    assert (data["makespan"], data["period"]) == pytest.approx((30, 60))
    assert data["average_power"] == pytest.approx(40)
    assert data["cap_price"] > 0


def test_the_cap_may_be_that_of_the_machines(wattfront, idling):
    words = ("--ratio", 1.5, "--pue", 2, "--power-cap", 100)
    site = wattfront("profit", idling, *words, *AT_ONCE).data
    machines = wattfront("profit", idling, *words, "--cap-at-machines", *AT_ONCE).data
    assert site["upper_bound"] < machines["upper_bound"]
    assert site["average_power"] <= 100 * (1 + 1e-9)
    assert machines["average_power"] <= 100 * (1 + 1e-9)


def test_not_running_is_an_answer(wattfront, idling, tmp_path):
    out = tmp_path / "none.csv"
    outcome = wattfront("profit", idling, "--ratio", 0.3, "--seconds", 0, "-o", out, "--json")
    assert outcome.status == 0
    data = outcome.data
    assert (data["runs"], data["regime"]) == (False, "does_not_run")
    assert data["profit"] == data["idle_profit"] == -30
    assert data["average_power"] == 30
    absent = ("bound_energy", "bound_makespan", "energy", "makespan", "period")
    assert {data[key] for key in absent} == {None}
    assert "warning" in outcome.err
    assert "no schedule to write" in outcome.err
    assert not out.exists()


def test_words_say_what_to_do(wattfront, idling):
    def said(*words):
        return wattfront("profit", idling, "--seconds", 0, *words).out

    assert "a profit of 21.3333 a second" in said("--ratio", 1.2)
    assert "on the front" in said("--ratio", 1.2)
    least = said("--ratio", 0.8)
    assert "a loss of 13.2 a second, the least found" in least
    assert "off the front" in least
    assert "switch all machines off, which would earn 0 a second" in least
    idle = said("--ratio", 0.3)
    assert "a loss of 30 a second, because running nothing is best" in idle
    assert "30 W (idle machines)" in idle
    capped = said("--ratio", 1.2, "--power-cap", "40W")
    assert "throttled" in capped
    assert "a kilowatt more would earn 1,760 a second" in capped
    assert "the next batch waits for the cap" in capped
    hourly = said("--ratio", 1.2, "--energy-price", 3600)
    assert "an hour" in hourly
    assert "a second" not in hourly


def test_idle_power_can_be_set(wattfront):
    data = wattfront("profit", "nine", "--ratio", 0.5, "--idle-power", 0.05, *AT_ONCE).data
    system = load_sample("nine").with_idle_fraction(0.05)
    assert data["idle_profit"] == pytest.approx(-system.total_idle_power)


@pytest.mark.parametrize("suffix", [".csv", ".json", ".xlsx"])
def test_the_schedule_can_be_written(wattfront, tmp_path, suffix):
    out = tmp_path / f"schedule{suffix}"
    outcome = wattfront("profit", "nine", "--ratio", 1.5, "--seconds", 0.1, "-o", out)
    assert f"written to {out}" in outcome.out
    system = load_sample("nine")
    assert verify_stated(inspect_schedule(out, system).value, system).ok


def test_polish_never_earns_less(wattfront):
    words = ("profit", "nine", "--ratio", 1.5, "--threads", 1, "--json")
    plain = wattfront(*words, "--seconds", 0).data
    polished = wattfront(*words, "--seconds", 0.2).data
    assert plain["upper_bound"] == polished["upper_bound"]
    assert plain["profit"] <= polished["profit"] <= polished["upper_bound"]
    assert "polish" in polished["seconds"]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((*PART, "--rewards", "A=5"), "no task type 'A'; there are 1, 2"),
        ((*PART, "--rewards", "1=5", "1=6"), "task type '1' is there twice"),
        ((*PART, "--rewards", "1=x"), "--rewards: 'x' is not a number"),
        ((*PART, "--rewards", "nowhere.csv"), "nowhere.csv: does not exist"),
        (("--ratio", 1, "--day-tariff", "0:1", "--start", "25:00"), "is not a time of day"),
        (("--ratio", 1, "--day-tariff", "0:1,24:2"), "'24:2' is no HOUR:PRICE"),
        (("--ratio", 1, "--day-tariff", "0:-1"), "out of range"),
        (("--ratio", 1, "--day-tariff", "7:1,7:2"), "two prices from the same hour"),
        (("--ratio", 1, "--wear", "C=1"), "no machine type 'C'; there are A, B"),
        (("--ratio", 1, "-o", "nowhere/x.csv"), "no such folder"),
        (("--ratio", 1, "--power-cap", "20W"), "on average the machines draw at least 30 W"),
        (("--ratio", 1, "--study", f"{300 * 'n'}/s.json"), "there is no such folder"),
    ],
)
def test_what_cannot_end_well_is_refused(wattfront, idling, words, complaint):
    outcome = wattfront("profit", idling, *words, "--json")
    assert outcome.status == 2
    assert any(complaint in said for said in outcome.complaints)
    assert outcome.data["ok"] is False


@examples(8)
@given(st.data())
def test_any_system_has_an_answer(wattfront, tmp_path_factory, data):
    system = data.draw(systems(dyadic=True, with_apc=True))
    path = tmp_path_factory.mktemp("any") / "system.json"
    write_system(system, path)
    ratio = data.draw(st.sampled_from([0, 0.5, 1, 2]))
    outcome = wattfront("profit", path, "--ratio", ratio, *AT_ONCE)
    assert outcome.status == 0
    assert outcome.data["profit"] <= outcome.data["upper_bound"]
    assert wattfront("profit", path, "--ratio", ratio, "--seconds", 0).status == 0


def test_the_same_work_gives_the_same_again(wattfront):
    asked = ("profit", "nine", "--idle-power", 0.1, "--ratio", 1.5, "--work", 0.1, "--json")
    first, second = (wattfront(*asked).data for _ in range(2))
    assert first.pop("seconds")["polish"] > 0
    del second["seconds"]
    assert first == second
