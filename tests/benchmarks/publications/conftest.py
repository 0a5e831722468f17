"""Small measurements, made once: what they hold is real, how much of it is tiny."""

import pytest

from benchmarks.publications.front import environments, idle_figure, progressions
from benchmarks.publications.front import figures as front_figures
from benchmarks.publications.front import scaling as front_scaling
from benchmarks.publications.front import tables as front_tables
from benchmarks.publications.makespan import bag_figures, bags, methods, scaling
from benchmarks.publications.makespan.publication import scaling_figures
from benchmarks.publications.profit import answers as profit_answers
from benchmarks.publications.profit import bags as profit_bags
from benchmarks.publications.profit import fronts as profit_fronts
from core.files.samples.named import load_sample


@pytest.fixture(scope="session")
def small_bags():
    return bags.measure(3, sizes=(60, 200, 2500), polish=0.01)


@pytest.fixture(scope="session")
def small_systems():
    return methods.measure(2, lambda _: None, tasks=5_000, machines=50)


@pytest.fixture(scope="session")
def small_scaling():
    grid = {
        "tasks": (100_000, 300_000, 1_000_000, 2_000_000),
        "machines": (900, 9_000, 18_000, 36_000),
        "task types": (2, 10, 20, 45),
        "machine types": (1, 5, 9, 14),
    }
    heap_grid = {size: values[:2] for size, values in grid.items()} | {"tasks": (1_000, 100_000)}
    beyond = {"task types": (10, 20), "machine types": (5, 10)}
    return scaling.measure(2, lambda _: None, grid, heap_grid, beyond)


@pytest.fixture(scope="session")
def small_figures(small_bags, small_systems, small_scaling):
    return [
        *bag_figures.figures(small_bags),
        methods.figure(small_systems),
        *scaling_figures(small_scaling),
    ]


@pytest.fixture(scope="session")
def small_environments():
    effort = environments.MethodEffort(
        generations=20,
        seeded_generations=5,
        weights=12,
        spacing=0.1,
        polish_seconds=0.05,
        cores=1,
    )
    return environments.measure(effort, lambda _: None)


@pytest.fixture(scope="session")
def small_front_scaling():
    return front_scaling.measure(
        2, lambda _: None, sizes=(500, 5_000, 50_000), weights=12, machines_a_type=40
    )


@pytest.fixture(scope="session")
def small_front_figures(small_environments, small_front_scaling):
    return [
        front_tables.table_1(small_environments),
        front_tables.table_2(small_environments),
        front_figures.fronts(small_environments),
        progressions.swept(small_environments),
        idle_figure.idle_power(small_environments),
        front_figures.filled(small_environments),
        progressions.filled(small_environments),
        idle_figure.polygons(small_environments),
        *front_scaling.figures(small_front_scaling),
    ]


@pytest.fixture(scope="session")
def larger_nine():
    """The sample, not what stands in: what it earns was computed elsewhere, too."""
    return profit_answers.enlarged(load_sample("nine"))


@pytest.fixture(scope="session")
def larger_nine_idle(larger_nine):
    return larger_nine.with_idle_fraction(profit_answers.IDLE_FRACTION)


@pytest.fixture(scope="session")
def thrifty_answers(larger_nine):
    return profit_fronts.measure(larger_nine, profit_answers.RATIOS, seconds=0.0)


@pytest.fixture(scope="session")
def idle_answers(larger_nine_idle):
    return profit_fronts.measure(larger_nine_idle, (0.9, 0.95, 1.2, 1.5), seconds=0.0)


@pytest.fixture(scope="session")
def small_losses():
    return profit_bags.measure(2, 0.02, lambda _: None, tasks_a_machine=(10, 30))
