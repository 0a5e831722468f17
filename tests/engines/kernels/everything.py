"""Everything that is compiled, run over odd small systems: `everything.py SYSTEMS SECONDS`.

To be run with NUMBA_BOUNDSCHECK=1, where an index beyond an end is an error.
"""

import sys
from contextlib import suppress
from dataclasses import replace
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import get_args

import numpy as np
from engines.replay.workloads import on_equal_hosts, with_memory
from odd import odd_day, odd_system, odd_workload

from benchmarks.counts import heap_makespan
from benchmarks.per_core import plain_greedy
from benchmarks.publications.phases import one_task_at_a_time
from benchmarks.publications.remembering import remembered
from core.capabilities.arrivals.made.urgent import UrgentSettings, draw_urgent_day
from core.capabilities.arrivals.policies import STOPPING, VALUE
from core.capabilities.arrivals.uncertain.bags import (
    HETEROGENEITIES,
    UncertainSettings,
    draw_uncertain,
)
from core.capabilities.arrivals.uncertain.methods import METHODS, WEIGHED, BagSettings, run_method
from core.capabilities.centre.bound import DaySearch, NoSuchPlan
from core.capabilities.centre.objectives import NO_CAPS, DayWeights
from core.capabilities.centre.plan import measured
from core.capabilities.centre.recover import Recovery
from core.capabilities.centre.rivals.annealing import annealed
from core.capabilities.centre.rivals.as_usual import as_usual
from core.capabilities.centre.rivals.best_fit_hole import FIRST_HOLES, best_fit_hole
from core.capabilities.centre.rivals.due_first import due_first
from core.capabilities.centre.rivals.evolving import EVOLVING_METHODS, Evolving, evolved
from core.capabilities.fair_shares.bags import ArrivingBags, Network
from core.capabilities.fair_shares.tasks.judge import task_faults
from core.capabilities.fair_shares.tasks.machine_work import MachineWork
from core.capabilities.fair_shares.tasks.policies import TASK_POLICIES, run_policy
from core.capabilities.provision.futures.uncertainty import Uncertainty, Variation, draw
from core.capabilities.provision.plan import MachineOffer, Plan, PlanLimits, TaskDemand
from core.capabilities.provision.two_stage import decide
from core.engines.front.patterns import PatternSearch, worthwhile
from core.engines.front.proven import Proven
from core.engines.logs.derived.derivation import derive
from core.engines.logs.pairs.measuring import ValuesByPair
from core.engines.logs.reading.logs import read_logs
from core.engines.logs.reading.texts import TextRoom, Texts
from core.engines.logs.types.settings import RunSettings
from core.engines.moea.problem import EvolutionPace
from core.engines.recover import assign, polish, round_rows
from core.engines.recover.along import recover_along
from core.engines.recover.descent import Machines, descend
from core.engines.recover.polish_along import polish_along
from core.engines.recover.settling import settle
from core.engines.recover.states import Archive
from core.engines.relaxed import ENERGY, MAKESPAN, lower_bound, trace_front
from core.engines.relaxed.fitting import fitted
from core.engines.replay.bound import bound
from core.engines.replay.clock import ReplaySettings, replay
from core.engines.replay.energy import EnergyWindows
from core.engines.replay.judge import judge_outcome
from core.engines.replay.layout import laid_out
from core.engines.replay.policy import Blocked, Filter, Measure, Order, Policy, Prices, Switch
from core.engines.replay.pricing import BY_PRICES, Foresight
from core.engines.replay.stopping.covering import cover
from core.engines.replay.stopping.rules import ALL, NOTHING, Stopping, Whom
from core.engines.replay.workload import StopRights, Truth, Workload
from core.engines.rivals import RIVALS, basic_seeds, nsga2
from core.engines.verify.judge import verify
from core.vocabulary.budget import Budget, Effort, NoScheduleFound
from core.vocabulary.problems import InvalidInput
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System

INSTANT = ("min-min", "max-min", "sufferage", "mct", "met", "olb")


def run_everything(system: System, seed: int, seconds: float) -> None:
    """Each method that has kernels, once, those that never end for so many seconds each; what is
    found is verified.
    """
    budget = Budget()
    found = [RIVALS[name].solve(system) for name in INSTANT]
    found += nsga2(system, basic_seeds(system), generations=5, population=6, budget=budget)
    settled = settle(system)
    found += settled.schedules if settled is not None else ()
    for objective in (MAKESPAN, ENERGY):
        bound = lower_bound(system, objective)
        placed = round_rows(bound.placed, system.task_counts)
        found.append(polish(assign(system, placed), bound, Budget(seconds), seed=seed))
    ones = system.with_counts(np.ones_like(system.task_counts), np.ones_like(system.machine_counts))
    fitted(lower_bound(ones, MAKESPAN), seconds)
    front = trace_front(system)
    begun = recover_along(system, front.points, front.placements, 0.2)[0]
    found += polish_along(front, [*found, *begun], Budget(seconds), seed=seed)
    for schedule in found:
        descend_from(schedule)
    proven = Proven.of(front)
    if worthwhile(proven, begun):
        search = PatternSearch(proven, begun)
        search.run(Budget(seconds), enough=1)
        search.proven()
    decide_what_to_buy(system, seed)
    replay_arrivals(seed)
    run_bags(seed)
    send_bags(system, seed)
    one_task_at_a_time(system)
    remembered(system, "min-min")
    there = system.machine_counts > 0
    heap_makespan(system.etc[:, there], placed[:, there], system.machine_counts[there])
    assert all(verify(schedule, system).ok for schedule in found)
    group_values(seed)


def decide_what_to_buy(system: System, seed: int) -> None:
    """For a few futures, with a limit of power that binds."""
    demands = [TaskDemand(kind.name, 1.0, 1 / (1 + k)) for k, kind in enumerate(system.task_types)]
    offers = [MachineOffer(kind.name, 1.0 + j) for j, kind in enumerate(system.machine_types)]
    times = np.where(system.can_run, system.etc, np.inf)
    powers = np.ones(times.shape)
    plan = Plan(tuple(demands), tuple(offers), times, PlanLimits(4.0, power=3.0), powers)
    varying = Uncertainty(Variation(0.5), Variation(0.2))
    found = decide(plan, draw(plan, varying, 20, seed))
    assert found.lower <= found.upper * (1 + 1e-9)
    thrifty = found.stages.of(found.purchase.counts, thrifty=True)
    np.testing.assert_allclose(thrifty.values, found.worth.values, rtol=1e-9)


def replay_arrivals(seed: int) -> None:
    """Under every kind of policy, with little energy; jobs end earlier than estimated. Every other
    workload has little memory, too.
    """
    workload = odd_workload(seed)
    if seed % 2:
        workload = with_memory(workload, np.random.default_rng(seed))
    jobs = len(workload.jobs)
    early = Truth(np.random.default_rng(seed).uniform(0.2, 1.0, jobs), np.ones(jobs))
    windows = EnergyWindows.daily(workload.horizon, 4e6)
    prices = Prices(1e-6, 1e-7)
    for order, measure, blocked in product(Order, Measure, Blocked):
        policy = Policy("odd", order, measure, blocked, drop_below=0.1, filter=Filter(seed % 3))
        policy = replace(policy, drops=(order + measure + seed) % 2 == 1)
        settings = ReplaySettings(windows, seed=seed, prices=prices)
        outcome = replay(workload, policy, early, settings)
        assert outcome.worth >= 0
        rows = sum(len(set(laid_out(outcome, p).job)) for p in range(len(workload.pools)))
        assert rows <= outcome.completed
    assert bound(workload, early, windows, slots=3).value >= 0
    priced = ReplaySettings(windows, pricing=Foresight())
    for by_prices in (BY_PRICES, VALUE["value-prices"].policy):
        assert replay(workload, by_prices, early, priced).worth >= 0
    switching = Policy("odd", Order.BEST, Measure.PER_RESOURCE, Blocked.HOLD, switch=Switch.BY_TASK)
    assert replay(workload, switching, early, ReplaySettings(windows)).completed <= jobs
    hosts = on_equal_hosts(workload, 12)  # jobs have options in several blocks
    by_shares = VALUE["max-vptr"].policy
    assert replay(hosts, by_shares, early, ReplaySettings(windows)).completed <= jobs
    stop_jobs(workload, early, windows, seed)
    assert plain_greedy(draw_urgent_day(UrgentSettings(40.0, 5, burst=6, seed=seed))) >= 0


def stop_jobs(workload: Workload, truth: Truth, windows: EnergyWindows, seed: int) -> None:
    """Under each policy that stops jobs, whatever is kept of them, and whom it stops first."""
    random = np.random.default_rng(seed)
    jobs = len(workload.jobs)
    marks = random.random((2, jobs)) < 0.8
    rights = StopRights.of(jobs, *marks, random.integers(0, 3, jobs))
    widest = np.ones(len(workload.pools), np.int64)
    np.maximum.at(widest, workload.options.pool, workload.options.units)
    cramped = replace(workload.pools, units=widest)
    crowd = replace(workload.jobs, rights=rights, arrival=0.2 * workload.jobs.arrival)
    workload = replace(workload, jobs=crowd, pools=cramped)
    for number, named in enumerate(STOPPING.values(), seed):
        whom = get_args(Whom)[number % 4]
        kept = random.choice([ALL, 60.0, NOTHING])
        stopping = Stopping(kept, *random.choice([0.0, 30.0], 3), whom=whom)
        settings = ReplaySettings(windows, pricing=Foresight(), stopping=stopping)
        outcome = replay(workload, named.policy, truth, settings)
        assert judge_outcome(outcome).ok
    assert bound(workload, truth, windows, slots=3, checkpoints=ALL).value >= 0
    taken = np.zeros(3, bool)
    assert cover(np.full(3, 10**7), np.array([3.0, 1.0, 2.0]), 15_000_000, taken)
    assert taken.tolist() == [False, True, True]


def send_bags(system: System, seed: int) -> None:
    """Under each policy for bags that arrive, over shared links, in memory that holds few tasks."""
    random = np.random.default_rng(seed)
    tasks = len(system.task_types)
    network = Network.of(system, random.choice([2.0, np.inf]), 1.0, random.choice([4.0, np.inf]))
    bags = ArrivingBags(
        system.with_counts(random.integers(1, 4, tasks), system.machine_counts),
        random.integers(0, 9, tasks).astype(float),
        random.integers(0, 3, tasks).astype(float),
        network,
    )
    work = MachineWork.of(bags)
    for policy in TASK_POLICIES.values():
        assert task_faults(run_policy(work, policy, Effort(work=1e-5))) == []


def group_values(seed: int) -> None:
    """Some of which belong to no group."""
    random = np.random.default_rng(seed)
    groups, values = random.integers(0, 3, 50), random.random(50)
    by_pair = ValuesByPair(np.bincount(groups, minlength=3))
    for part in (slice(0, 20), slice(20, 50)):
        by_pair.add(groups[part], values[part])
    for group in range(3):
        assert by_pair.sorted_values(group).tolist() == sorted(values[groups == group])


def descend_from(schedule: Schedule) -> None:
    """Within limits that its machines exceed by rounding, just meet, and are far from."""
    system = schedule.system
    machine_type = np.repeat(np.arange(len(system.machine_types)), system.machine_counts)
    seconds = np.where(system.can_run, system.etc, np.inf)
    costs = np.where(system.can_run, system.dynamic_energy, 0.0)
    machines = Machines(seconds, costs, system.total_idle_power, machine_type)
    makespan = schedule.makespan
    limits = np.append(makespan * np.array([1 - 1e-15, 1.0, 2.0, 8.0]), np.inf)
    archive = Archive.empty(limits, costs, system.total_idle_power, len(machine_type))
    counts = np.repeat(schedule.tasks, schedule.machines, axis=0)
    for slot in range(len(limits)):
        archive.costs[slot], archive.makespans[slot] = schedule.energy, makespan
        archive.counts[slot] = counts
    descend(archive, machines, 0, len(limits))
    for slot in archive.filled.tolist():
        single = np.ones(len(machine_type), np.int64)
        cheaper = Schedule.from_groups(system, machine_type, single, archive.counts[slot])
        assert cheaper.energy <= schedule.energy * (1 + 1e-9)


def read_odd_logs(seed: int) -> None:
    """Logs of every form, with faults where a cell begins or ends; their runs are measured."""
    random = np.random.default_rng(seed)
    rows = [
        (k, int(random.integers(0, 3)), int(random.integers(0, 2)), int(random.integers(1, 90)))
        for k in range(1, 12)
    ]
    separated = "JobID|JobName|State|Start|Elapsed|ReqMem|AllocTRES|NodeList|ConsumedEnergyRaw\n"
    quoted = 'task,machine,seconds,watts\n"open,1,2\n'
    fixed = "JobID      JobName    NodeList    Elapsed\n"
    fixed += "---------- ---------- -------- ----------\n"
    words = "; MaxNodes: 2\n"
    for job, task, node, seconds in rows:
        clock = random.choice([f"00:00:{seconds % 60:02d}", "1-01:00:00.5", "", "x"])
        memory = random.choice(["4Gc", "2000Mn", "7", "", "?"])
        start = random.choice(["2024-02-29T12:00:00", "1700000000", "Unknown", "9999-99-99T99:99"])
        tres = random.choice(["cpu=4,gres/gpu:a=1,gres/gpu:b=1", "mem=1e3G", "cpu", ""])
        name = random.choice([f"t{task}", "a|b", ""])
        ending = f"COMPLETED|{start}|{clock}|{memory}|{tres}|n{node}|{seconds * 100}"
        separated += f"{job}|{name}|{ending}\n{job}.batch||{ending}\n"
        quoted += f'"t ""{task}""",m{node},{seconds},"1{random.choice(["", "0"])}"\n'
        fixed += f"{job:10d} t{task:<9d} n{node:<7d} 00:00:{seconds % 60:02d}\n"
        words += f"{job} {job} 1 {seconds} 2 -1 -1 2 90 -1 1 1 1 {task} 1 {node} -1 -1\n"
    settings = RunSettings(min_runs=1, rare_below=1)
    texts_of_logs = (separated, separated.replace("|", "::"), quoted, fixed, words)
    with TemporaryDirectory() as folder:
        for number, text in enumerate(texts_of_logs):
            log = Path(folder) / f"log-{number}"
            log.write_text(text + random.choice(["", "9", '"']), encoding="utf-8")
            store = read_logs([log], folder=Path(folder))
            with suppress(InvalidInput):
                derive(store, settings)
            store.close()
    many = b"".join(b"%d\n" % k for k in range(700))
    ends = np.flatnonzero(np.frombuffer(many, np.uint8) == ord("\n"))
    texts = Texts(600, TextRoom(10**6))
    data = np.frombuffer(many, np.uint8).copy()
    assert texts.numbers(data, np.append(0, ends[:-1] + 1), ends).max() == 599


def run_bags(seed: int) -> None:
    """Every method for bags with uncertain times, on a few tasks, and one by another energy."""
    kind = HETEROGENEITIES[seed % 2]
    workload, truth = draw_uncertain(UncertainSettings(3, kind, "high", tasks=40, seed=seed))
    for method in (*METHODS.values(), WEIGHED):
        assert run_method(workload, truth, method).ran.all()
    by_machine = BagSettings(criterion="machine")
    assert run_method(workload, truth, METHODS["greedy-min-energy"], by_machine).ran.all()


def plan_day(seed: int) -> None:
    """By every rival, on few servers."""
    day, brief = odd_day(seed), Evolving(EvolutionPace(6, 3, 0.9), 0.2)
    plans = []
    for method in (as_usual, due_first):
        with suppress(NoScheduleFound):
            plans.append(method(day))
    for first in FIRST_HOLES:
        with suppress(NoScheduleFound):
            plans.append(best_fit_hole(day, first))
        for evolving in EVOLVING_METHODS:
            with suppress(NoScheduleFound):
                plans += evolved(day, evolving, replace(brief, first_holes=first), seed=seed)
    for plan in annealed(day, plans, moves=1, seed=seed):
        assert measured(day, plan).hottest <= day.centre.limit
    weights = DayWeights(1.0, 1e-3, 0.1, 0.5, 0.01)
    with suppress(NoScheduleFound, NoSuchPlan):
        bound = DaySearch(day).bound(weights)
        found = Recovery(day, bound, weights, NO_CAPS, seed).search(0.02)
        assert found.measures.hottest <= day.centre.limit + 1e-9


def main(systems: int, seconds: float) -> None:
    random = np.random.default_rng(12)
    for seed in range(systems):
        run_everything(odd_system(random), seed, seconds)
        read_odd_logs(seed)
        plan_day(seed)


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
