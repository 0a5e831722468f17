"""What the tests of profit share: any terms and rewards, and programs as one writes them down."""

import numpy as np
import pytest
from hypothesis import strategies as st

from core.capabilities.profit.terms import Terms
from core.files import write_system
from core.files.samples.named import load_sample


@pytest.fixture(scope="session")
def hundredfold():
    """The nine environment with 40 machines a type and 11,000 tasks."""
    nine = load_sample("nine")
    return nine.with_counts(nine.task_counts * 10, nine.machine_counts * 10)


@pytest.fixture(scope="session")
def any_terms():
    """Draws terms on which a system could run: no cap, or one that idle machines keep."""

    def of(system):
        money, types = st.floats(0, 100), len(system.machine_types)
        rates = st.just(()) | st.tuples(*[money] * types)

        @st.composite
        def terms(draw):
            pue = draw(st.just(1.0) | st.floats(1, 3))
            idle = system.total_idle_power * pue * (1 + 1e-9)
            spare = draw(st.just(np.inf) | st.sampled_from([0.0, 1e-3, 1.0]) | st.floats(0, 1e3))
            return Terms(
                price=draw(st.just(0.0) | st.floats(0, 1e5)),
                energy_price=draw(st.sampled_from([0.0, 1.0]) | money),
                pue=pue,
                overhead=draw(st.just(0.0) | money),
                wear=draw(rates),
                depreciation=draw(rates),
                power_cap=idle + spare,
                cap_at_machines=draw(st.booleans()),
            )

        return terms()

    return of


@pytest.fixture(scope="session")
def any_rewards():
    """Draws what a task of each type brings, up to `most`."""

    def of(system, most=1e4):
        return st.tuples(*[st.floats(0, most)] * len(system.task_types)).map(np.array)

    return of


@pytest.fixture(scope="session")
def optimum_by_cvxpy():
    """The most profit by the substitution of Charnes and Cooper, all extensions included."""
    import cvxpy as cp  # which takes a second

    def optimum(system, terms, rewards=None, period=None):
        possible = system.can_run
        seconds = np.where(possible, system.etc, 0.0)
        joules = np.where(possible, system.dynamic_energy, 0.0)
        wear = np.array(terms.wear or [0.0] * len(system.machine_types))
        depreciation = np.array(terms.depreciation or [0.0] * len(system.machine_types))

        batches = cp.Variable(nonneg=True)  # a second
        started = cp.Variable(system.etc.shape, nonneg=True)  # tasks a second
        busy = cp.sum(cp.multiply(started, seconds), axis=0)  # machines, on average
        machines_draw = system.total_idle_power + cp.sum(cp.multiply(started, joules))
        site_draws = terms.pue * machines_draw

        constraints = [busy <= system.machine_counts, cp.multiply(started, ~possible) == 0]
        if np.isfinite(terms.power_cap):
            drawn = machines_draw if terms.cap_at_machines else site_draws
            constraints.append(drawn <= terms.power_cap)
        done = cp.sum(started, axis=1)
        earned = (terms.price - terms.overhead) * batches
        if rewards is None or period is None:
            constraints.append(done == system.task_counts * batches)
        else:
            constraints += [done <= system.task_counts * batches, batches == 1 / period]
            earned += rewards @ done
        profit = (
            earned
            - terms.energy_price * site_draws
            - wear @ busy
            - depreciation @ system.machine_counts
        )
        program = cp.Problem(cp.Maximize(profit), constraints)
        return float(program.solve(solver=cp.HIGHS))

    return optimum


@pytest.fixture(scope="session")
def idling(tmp_path_factory, two_by_two):
    """The 2 x 2 instance with 20 and 10 W of idle power, as a file."""
    path = tmp_path_factory.mktemp("idling") / "system.json"
    write_system(two_by_two(20, 10), path)
    return path
