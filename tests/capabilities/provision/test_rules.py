"""Rules that people write become rows that every way of choosing keeps."""

from dataclasses import replace

import numpy as np
import pytest
from capabilities.provision.by_enumeration import keeps_limits
from capabilities.provision.plans import e1, e1_scenarios, odd_plan, odder_plan
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.plan_as_stated import decide_as_stated
from core.capabilities.provision.clashes import find_clash
from core.capabilities.provision.comparison import decide_directly
from core.capabilities.provision.first_stage import mixture
from core.capabilities.provision.futures.uncertainty import mean_future
from core.capabilities.provision.plan import MachineOffer, Plan, PlanLimits, TaskDemand
from core.capabilities.provision.rules import UnreadableRule, read_rule, rows_of
from core.capabilities.provision.rules_of_thumb import RULES as RULES_OF_THUMB
from core.capabilities.provision.rules_of_thumb import by_rule
from core.capabilities.provision.second_stages import SecondStages, Weights
from core.capabilities.provision.two_stage import decide
from core.engines.lp.program import Infeasible

NAMES = ("M1", "M2", "GPU A-1")


@pytest.mark.parametrize(
    ("text", "buy", "sell", "counts", "most"),
    [
        ("M1 <= 3", (0, 0, 0), (0, 0, 0), (1, 0, 0), 3),
        ("M1 + M2 >= 30 % of all", (0, 0, 0), (0, 0, 0), (-0.7, -0.7, 0.3), 0),
        ("M1 + M2 ≥ 30% of all", (0, 0, 0), (0, 0, 0), (-0.7, -0.7, 0.3), 0),
        ("M1 < 12.5% all + 1", (0, 0, 0), (0, 0, 0), (0.875, -0.125, -0.125), 1),
        ('2 * "GPU A-1" / 4 <= 7', (0, 0, 0), (0, 0, 0), (0, 0, 0.5), 7),
        ("bought(M1) - sold('GPU A-1') <= 4", (1, 0, 0), (0, 0, -1), (0, 0, 0), 4),
        ("-bought(M2) > -(5 + 1)", (0, 1, 0), (0, 0, 0), (0, 0, 0), 6),
    ],
)
def test_a_rule_is_read(text, buy, sell, counts, most):
    (rule,) = read_rule(text, NAMES)
    assert rule.text == text
    assert rule.of_buy == pytest.approx(buy)
    assert rule.of_sell == pytest.approx(sell)
    assert rule.of_counts == pytest.approx(counts)
    assert rule.most == pytest.approx(most)


def test_an_equation_is_two_rows():
    one, other = read_rule("M1 = 2 * M2", NAMES)
    assert one.of_counts == pytest.approx([1, -2, 0])
    assert other.of_counts == pytest.approx([-1, 2, 0])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("M1 +", "cannot be understood"),
        ("", "cannot be understood"),
        ("M1", "compares nothing"),
        ("1 <= M1 <= 2", "more than two sides"),
        ("M1 != 2", "something else than"),
        ("M9 <= 2", "'M9', which is no machine type"),
        ("GPU A-1 <= 2", "cannot be understood"),
        ("M1 * M2 <= 2", "is not linear"),
        ("M1 / M2 <= 2", "divides by what is no number"),
        ("M1 / 0 <= 2", "divides by what is no number"),
        ("1 <= 2", "says nothing about machines"),
        ("True <= M1", "has a part that cannot be understood"),
        ("__import__('os') <= M1", "has a part that cannot be understood"),
        ("M1.value <= 2", "has a part that cannot be understood"),
        ("bought(M1 + M2) <= 2", "names no single machine type"),
        ("M1 ** 2 <= 2", "has a part that cannot be understood"),
        ("M1 <= 1e999", "too large"),
        ("M1 <= 1e15", None),
        ("M1 <= 1.1e15", "too large"),
        ("9e9 * (9e9 * M1) <= 1", "too large"),
        ("M1 <= " + " * ".join(["9e14"] * 100), "too large"),
        ("M1 <= " + "9" * 400, "too large"),
        ("inf <= M1", "'inf', which is no machine type"),
        ("M1 - M1 <= 2", "says nothing about machines"),
        ("M1 <= " + "1 + " * 400 + "1", None),
        ("M1 <= " + "1 + " * 600 + "1", "longer than 2000"),
        ("M1 <= " + "(" * 900 + "1" + ")" * 900, "cannot be understood"),
        ("M1 <= " + "-" * 1900 + "1", "cannot be understood|too long"),
    ],
)
def test_a_rule_that_cannot_be_read_says_why(text, message):
    if message is None:
        assert read_rule(text, NAMES)[0].most in (401, 1e15)
        return
    with pytest.raises(UnreadableRule, match=message):
        read_rule(text, NAMES)


def test_a_rule_can_be_a_function_of_the_variables_of_cvxpy():
    import cvxpy  # which takes a second

    rows = rows_of("vendor", lambda buy, _, counts: counts[:2] + buy[:2] <= 3, 3)
    assert [row.of_counts.tolist() for row in rows] == [[1, 0, 0], [0, 1, 0]]
    assert [row.most for row in rows] == [3, 3]
    odd = [
        lambda _, __, counts: cvxpy.norm(counts) <= 3,
        lambda _, __, counts: cvxpy.square(counts) <= 3,
    ]
    for one in odd:
        with pytest.raises(UnreadableRule, match="is not linear"):
            rows_of("odd", one, 3)


@pytest.mark.thorough
@given(st.integers(0, 2**32), st.sampled_from(["M0 >= 40 % of all", "bought(M0) + sold(M0) <= 1"]))
def test_all_ways_keep_rules_alike(seed, text):
    plan, scenarios = odd_plan(seed)
    ruled = replace(plan, rules=read_rule(text, [offer.name for offer in plan.offers]))
    _, stated = decide_as_stated(ruled, scenarios, Weights())
    try:
        found = decide(ruled, scenarios, gap=1e-8)
    except Infeasible:
        assert stated == -np.inf
        return
    assert found.lower == pytest.approx(stated, abs=1e-6)
    assert decide_directly(ruled, scenarios, Weights())[1] == pytest.approx(stated, abs=1e-6)
    for rule in ruled.rules:
        bought = found.purchase
        left = rule.of_buy @ bought.buy + rule.of_sell @ bought.sell
        assert left + rule.of_counts @ bought.counts <= rule.most + 1e-7
    known, counts, _ = SecondStages(ruled, scenarios, Weights()).wait_and_see()
    assert known.mean() >= found.lower - 1e-7
    for k in range(len(scenarios)):
        alone = decide_as_stated(ruled, scenarios.part(k, k + 1), Weights())[1]
        assert known[k] == pytest.approx(alone, abs=1e-6)
    assert len(counts) == len(scenarios)


def test_a_rule_of_thumb_keeps_what_limits_its_type():
    plan = replace(e1(), rules=read_rule("M1 <= 2", ["M1", "M2", "M3"]))
    assert by_rule(plan, "h1").buy == pytest.approx([2, 0, 0])
    assert decide(plan, e1_scenarios(0, 50)).purchase.counts[0] <= 2 + 1e-9


def test_a_rule_that_clashes_is_named():
    plan = replace(e1(), rules=read_rule("M1 + M2 >= 5", ["M1", "M2", "M3"]))
    clash = find_clash(plan)
    assert [give.remedy for give in clash.alone] == [
        "raise budget from 3.5 to 5",
        'loosen the rule "M1 + M2 >= 5" by 1.5',
    ]


def test_a_rule_that_asks_to_buy_is_kept_by_what_is_answered():
    """Issue 33, point 27: buying 2 and selling 4 keeps the rule, and the difference does not."""
    plan = Plan(
        (TaskDemand("t", 1.0, 0.3),),
        (MachineOffer("A", 100.0, 50.0, count=5.0), MachineOffer("B", 80.0)),
        np.array([[10.0, 12.0]]),
        PlanLimits(500.0),
        rules=read_rule("bought(A) >= 2", ["A", "B"]),
    )
    future = mean_future(plan)
    for whole in (False, True):
        found = decide(plan, future, whole=whole).purchase
        assert found.buy.tolist() == pytest.approx([2, 0], abs=1e-6)
        assert found.sell.tolist() == pytest.approx([4, 0], abs=1e-5)
        assert found.cost == pytest.approx(0, abs=1e-3)
    known = SecondStages(plan, future, Weights()).wait_and_see()
    assert known.costs == pytest.approx([0], abs=1e-6)
    assert known.counts[0] == pytest.approx([3, 0])
    kept = [found, *(by_rule(plan, name) for name in RULES_OF_THUMB)]
    kept.append(mixture(plan, kept, np.full(len(kept), 1 / len(kept))))
    assert all(one.buy[0] >= 2 - 1e-6 for one in kept)
    direct, _ = decide_directly(plan, future, Weights())
    assert direct.buy[0] >= 2 - 1e-6


@given(st.integers(0, 2**32))
def test_no_machine_is_bought_and_sold_at_once_without_a_rule_that_asks(seed):
    """Issue 33, point 27: only as far as rules ask for it."""
    plan, scenarios = odder_plan(seed)
    try:
        found = decide(plan, scenarios).purchase
    except Infeasible:
        return
    both = np.minimum(found.buy, found.sell)
    if not any(((rule.of_buy + rule.of_sell) < 0).any() for rule in plan.rules):
        assert not both.any()
    for j in np.flatnonzero(both > 1e-6):
        less = both[j] / 2 * np.eye(len(both))[j]
        assert not keeps_limits(plan, found.buy - less, found.sell - less)


@pytest.mark.parametrize(
    "name",
    ["a = b", "50 %", "x <= y", "5 % of all", "a ≥ b", "C:\\temp", "it's", 'a "b"', "if", "all"],
)
def test_a_name_in_quotation_marks_may_be_any(name):
    """Issue 33, point 31: what stands in quotation marks is a name, and no part of a rule."""
    mark = "'" if '"' in name else '"'
    (rule,) = read_rule(f"{mark}{name}{mark} + bought(M1) >= 50 % of M1", [name, "M1"])
    assert rule.of_counts.tolist() == [-1, 0.5]
    assert rule.of_buy.tolist() == [0, -1]
    with pytest.raises(UnreadableRule, match="names 'c = d'"):
        read_rule('"c = d" >= 2', [name, "M1"])


@pytest.mark.parametrize("name", ["µ1", "ﬁne"])
def test_a_name_may_have_signs_that_python_writes_otherwise(name):
    """Issue 33, point 31: with and without quotation marks."""
    for said in (name, f'"{name}"'):
        (rule,) = read_rule(f"{said} <= 2 * M1", ["M1", name])
        assert rule.of_counts.tolist() == [-2, 1]
