"""`provision` says what to buy, what that is worth, and how it compares with other ways."""

import pytest
from capabilities.provision.plan_files import POWERED, answered, folder_with


def test_the_published_example_is_decided_as_published(wattfront):
    data = answered(wattfront, "e1", "--scenarios", 256, "--in-parts")
    assert data["rp"]["buy"] == pytest.approx({"M1": 1.88, "M3": 1.62}, abs=0.01)
    assert data["rp"]["expected_reward"] == pytest.approx(1.9947, abs=0.002)
    assert data["mvp"]["buy"] == pytest.approx({"M1": 1.0, "M3": 1.1})
    assert data["mvp"]["mean_value_reward"] == pytest.approx(2.0)
    assert [data[rule]["buy"] for rule in ("h1", "h2", "h3")] == [{"M1": 3.5}] * 3
    ordered = [data[method]["expected_reward"] for method in ("ws", "rp", "mvp", "h1")]
    assert ordered == sorted(ordered, reverse=True)
    assert data["evpi"] == pytest.approx(ordered[0] - ordered[1])
    assert data["vss"] == pytest.approx(ordered[1] - ordered[2])
    low, high = data["rp"]["confidence95"]
    assert low < 1.9947 < high
    assert (low + high) / 2 == pytest.approx(data["rp"]["expected_reward"])
    assert data["rp"]["power"] is None
    assert [data["ws"][key] for key in ("buy", "sell", "mean_value_reward")] == [None] * 3
    assert 2.0 < data["ws"]["cost"] < 2.2
    assert data["lower"] <= data["upper"] <= data["lower"] * (1 + 1e-6)
    assert data["scenarios"] == 256
    assert data["operations"] is None


def test_the_direct_program_decides_the_same(wattfront):
    asked = ("e1", "--scenarios", 16, "--method", "rp", "--in-parts")
    ours = answered(wattfront, *asked)
    direct = answered(wattfront, *asked, "--solver", "direct")
    assert "mvp" not in ours
    for key in ("lower", "upper", "evpi"):
        assert direct[key] == pytest.approx(ours[key], abs=2e-6)
    assert (ours["ties"], direct["ties"]) == (["cost", "machines"], [])


@pytest.mark.thorough
def test_whole_machines_have_a_price(wattfront):
    """Issue 33, point 16: they are usual."""
    asked = ("e1", "--scenarios", 16)
    data, parts = answered(wattfront, *asked), answered(wattfront, *asked, "--in-parts")
    again = answered(wattfront, *asked, "--integer")
    assert again["rp"] == data["rp"]
    assert data["rp"]["buy"] in ({"M1": 2, "M3": 1}, {"M1": 1, "M3": 2})
    assert [data[rule]["buy"] for rule in ("h1", "h2", "h3")] == [{"M1": 3}] * 3
    assert parts["whole_machines"] is None
    price = data["whole_machines"]["price"]
    assert data["whole_machines"]["in_parts"] == pytest.approx(parts["upper"], rel=1e-6)
    assert price == pytest.approx(parts["upper"] - data["upper"], abs=2e-6)
    assert price > 0.1
    assert data["whole_machines"]["evpi_in_parts"] == pytest.approx(parts["evpi"], abs=5e-6)
    assert data["evpi"] == pytest.approx(price + data["whole_machines"]["evpi_in_parts"])
    said = wattfront("provision", *asked).out
    assert f"That machines are whole costs {price:.4g} EUR a second of reward" in said
    assert f": {price:.4g} because machines are in parts, 0.00" in said
    assert "another purchase for each scenario, in parts\n" in said
    assert "need not be whole" not in said


TIMES = "task_type,M1,M2,M3\nT1,1,2,4\nT2,4,1,3\nT3,2,3,7\n"
BY_ERROR = """
[limits]
budget = 50
[spread.times]
cov = "20 %"
operations = "by error"
"""


def of_operations(folder, settings=BY_ERROR):
    return folder_with(
        folder,
        etc_csv=TIMES,
        tasks_csv="task_type,reward,arrival_rate\nT1,1,2\nT2,3,1\nT3,2,1\n",
        machines_csv="machine_type,count,price\nM1,0,10\nM2,0,7\nM3,0,5\n",
        plan_toml=settings,
    )


@pytest.mark.thorough
def test_the_number_of_operations_is_chosen_by_error_and_shown(wattfront, tmp_path):
    plan = of_operations(tmp_path)
    told = answered(wattfront, plan, "--scenarios", 8, "--method", "rp")["operations"]
    assert [one["kinds"] for one in told["tried"]] == [1, 2, 3]
    errors = [one["mean_error"] for one in told["tried"]]
    assert errors == sorted(errors, reverse=True)
    assert all(one["worst_error"] >= one["mean_error"] for one in told["tried"])
    near = [one["kinds"] for one in told["tried"] if one["mean_error"] <= 0.01]
    assert (told["kinds"], told["by_error"]) == (near[0], True)
    said = wattfront("provision", plan, "--scenarios", 8).out
    (line,) = [
        line for line in said.splitlines() if line.startswith("Times are made of operations")
    ]
    assert f"{told['kinds']} kinds, chosen by error; on average, times are off by" in line
    assert " with 1 kind, " in line


@pytest.mark.parametrize(
    ("law", "cov", "is_said"),
    [("uniform", "50 %", True), ("uniform", "10 %", False), ("lognormal", "50 %", False)],
)
def test_kinds_that_cannot_vary_so_much_are_said(wattfront, tmp_path, law, cov, is_said):
    settings = f'[limits]\nbudget = 50\n[spread.times]\nlaw = "{law}"\ncov = "{cov}"\n'
    plan = of_operations(tmp_path, settings + "operations = 2\n")
    said = wattfront("provision", plan, "--scenarios", 8).out
    told = "and a uniform law varies by 57.7 % at most, so times vary less; a lognormal law has no"
    assert (told in said) == is_said


@pytest.mark.thorough
def test_caution_buys_for_bad_futures(wattfront):
    plain = answered(wattfront, "e1", "--scenarios", 64)
    careful = answered(wattfront, "e1", "--scenarios", 64, "--risk", 1)
    assert careful["rp"]["expected_reward"] <= plain["rp"]["expected_reward"] + 1e-9
    assert careful["upper"] < plain["lower"]
    assert careful["upper"] == pytest.approx(careful["rp"]["worst_reward"], rel=2e-3)
    assert careful["rp"]["worst_reward"] >= plain["rp"]["worst_reward"] - 1e-9
    assert (plain["caution"], careful["caution"]) == (0.0, 0.999)


def test_flags_take_the_place_of_what_the_plan_says(wattfront):
    asked = ("e1", "--budget", 2, "--points", "latin", "--scenarios", 8, "--seed")
    data, again, other = (answered(wattfront, *asked, seed) for seed in (3, 3, 4))
    assert data["rp"]["cost"] == pytest.approx(2)
    assert data["scenarios"] == 8
    assert again | {"seconds": 0} == data | {"seconds": 0}
    assert other["lower"] != data["lower"]


def test_power_and_failures_are_means_over_the_scenarios(wattfront, tmp_path):
    plan = folder_with(tmp_path, **POWERED)
    data = answered(wattfront, plan, "--scenarios", 1)
    best = data["rp"]
    # T2 keeps 2 M1 busy, T1 4 M2, of which 3 are there.
    assert best["buy"] == pytest.approx({"M1": 2, "M2": 1}, abs=1e-5)
    assert best["sell"] == {}
    assert best["expected_reward"] == pytest.approx(2 * 1 + 0.5 * 3)
    assert best["failure_rate"] == pytest.approx(0.5 * 2)
    assert best["power"] == pytest.approx(2 * 40 + 4 * 50)
    assert best["cost"] == pytest.approx(2 * 20 + 7)
    assert best["confidence95"] is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["e1", "--integer", "--solver", "direct"], "--integer does not go with --solver direct"),
        (["e1", "--risk", 0.5, "--solver", "direct"], "--risk does not go with --solver direct"),
        (["e1", "--risk", 1.5], "1.5 is out of range; give 0 to 1 as a fraction"),
        (["e1", "--scenarios", 0], "0 is out of range; give 1 to 1e+06 scenarios"),
        (["e9"], "no sample plan is called 'e9'; did you mean e3 or e1?"),
        (["e1", "--budget", -1], "raise budget from −1 to 0"),
        (["testbed"], "no sample plan is called 'testbed'; there are these: (e1, e3, nine)"),
    ],
)
def test_what_cannot_be_done_is_said_with_its_remedy(wattfront, words, said):
    outcome = wattfront("provision", *words)
    assert outcome.status == 2
    assert said in outcome.err


def test_nothing_is_no_whole_to_be_a_share_of(wattfront, tmp_path):
    """Issue 33, point 31: where the purchase earns nothing, EVPI is no per cent of it."""
    machines = "machine_type,count,price\nM1,0,15\nM2,0,15\n"
    plan = folder_with(tmp_path, machines_csv=machines, plan_toml=EARNS_NOTHING)
    said = wattfront("provision", plan, "--integer").out
    assert "Expected reward: 0 EUR a second" in said
    assert "more would be earned (EVPI): " in said
    assert "of reward, 100 %" in said


EARNS_NOTHING = "[limits]\nbudget = 10\n[scenarios]\ncount = 4\n"
