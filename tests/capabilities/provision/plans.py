"""Plans of the tests: the first example of the publication, and random ones."""

import math
from dataclasses import replace

import numpy as np

from core.capabilities.provision.futures.uncertainty import Scenarios
from core.capabilities.provision.plan import MachineOffer, Plan, PlanLimits, TaskDemand
from core.capabilities.provision.rules import read_rule
from core.vocabulary.node_use import BusyChanges, NodeUse

E1_TIMES = np.array([[1, 3, 100], [100, 3, 1.1]])


def e1(budget=3.5):
    """Two task types, three machine types of price 1, rates and rewards 1, and no machine yet."""
    return Plan(
        tuple(TaskDemand(name, 1.0, 1.0) for name in ("T1", "T2")),
        tuple(MachineOffer(name, 1.0) for name in ("M1", "M2", "M3")),
        E1_TIMES,
        PlanLimits(budget),
    )


def e1_scenarios(seed, count):
    """Rates drawn as the fixtures were: all of the first task type, then those of the second."""
    random = np.random.default_rng(seed)
    first, second = random.uniform(0, 2, count), random.uniform(1 - 0.547, 1 + 0.547, count)
    return Scenarios(np.stack([first, second], axis=1), E1_TIMES[None])


def busy_at_once(most, machines=None):
    """The use of nodes in a log: of each machine type, the most that were busy at once."""
    times = np.array([1.0, 2.0])
    return NodeUse(
        tuple(most),
        np.array([*most.values()]),
        np.ones(len(most)) if machines is None else np.array(machines),
        0.0,
        9.0,
        tuple(BusyChanges(times, np.array([nodes, -1])) for nodes in most.values()),
        (),
        np.zeros(0, np.int64),
        np.zeros(0),
    )


def odd_plan(seed):
    """A small random plan with some of the limits, and a few scenarios."""
    random = np.random.default_rng(seed)
    tasks, machines, count = random.integers(1, 4), random.integers(1, 4), random.integers(1, 6)
    times = random.uniform(0.5, 5, (tasks, machines))
    times[random.random(times.shape) < 0.15] = math.inf
    times[np.arange(tasks), random.integers(machines, size=tasks)] = 1.5
    powers = random.uniform(1, 3, times.shape)
    offers = tuple(
        MachineOffer(
            f"M{j}",
            price := float(random.uniform(1, 3)),
            float(price * random.choice([0, 0.5, 1])),
            float(random.choice([0, 0.1])),
            float(random.integers(0, 3)),
            0.0,
            float(random.choice([2, 5, math.inf])),
            float(random.choice([0, 0.3])),
        )
        for j in range(machines)
    )
    offers = tuple(
        offer if offer.most >= offer.count else offer.__class__(**{**_fields(offer), "most": 5.0})
        for offer in offers
    )
    plan = Plan(
        tuple(TaskDemand(f"T{i}", float(random.uniform(0.5, 2)), 1.0) for i in range(tasks)),
        offers,
        times,
        PlanLimits(
            float(random.uniform(0, 6)),
            0.0,
            float(random.choice([8, math.inf])),
            float(random.choice([0.2, math.inf])),
            float(random.choice([6, math.inf])),
        ),
        powers,
    )
    arrivals = random.uniform(0, 2, (count, tasks))
    factors = random.uniform(0.5, 1.5, (count, 1, machines))
    return plan, Scenarios(
        arrivals, times * factors, powers * random.uniform(0.8, 1.2, (count, 1, 1))
    )


RULES = (
    "bought(M0) >= 2",
    "sold(M0) >= 1",
    "bought(M0) + sold(M0) <= 1",
    "M0 >= 30 % of all",
    "all >= 2",
    "bought(M0) >= sold(M0)",
)


def odder_plan(seed):
    """Another, with least counts, perhaps a rule, and machines that may draw less when they work
    than when they idle.
    """
    plan, scenarios = odd_plan(seed)
    random = np.random.default_rng([seed, 1])
    offers = tuple(
        replace(
            offer,
            least=float(min(random.choice([0, 0, 0, 1, 3]), offer.most)),
            most=float(random.choice([offer.most, max(offer.count, 1.0)])),
            idle_power=float(random.choice([0, 0.3, 2.5])),
        )
        for offer in plan.offers
    )
    offers = tuple(replace(one, least=min(one.least, one.most)) for one in offers)
    rules = read_rule(str(random.choice(RULES)), [offer.name for offer in offers])
    less = random.choice([0.0, 3.0, 5.0], len(offers))
    limits = replace(plan.limits, power=float(random.choice([4, 8, math.inf])))
    plan = replace(
        plan,
        offers=offers,
        powers=plan.powers - less,
        limits=limits,
        rules=rules if random.random() < 0.5 else (),
    )
    return plan, Scenarios(scenarios.arrivals, scenarios.times, scenarios.powers - less)


def _fields(offer):
    return {name: getattr(offer, name) for name in offer.__slots__}
