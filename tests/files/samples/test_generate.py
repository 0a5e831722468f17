"""Random systems have the published statistics and the shape and counts asked for, and recur."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from benchmarks.samples import HCSP_CLASSES, resample
from core.files.samples.generate import (
    POWER_METHODS,
    TIME_METHODS,
    CoefficientOfVariation,
    Generation,
    MachineLevels,
    RangeBased,
    Uniform,
    bounds,
    generate,
    make_consistent,
)
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.ranges import ETC
from core.vocabulary.system import System

seeds = st.integers(0, 2**63 - 1)
times = arrays(
    np.float64, array_shapes(min_dims=2, max_dims=2, max_side=8), elements=st.floats(1e-3, 1e6)
)


def variation(values: np.ndarray) -> float:
    return float(values.std() / values.mean())


@st.composite
def small_generations(draw: st.DrawFn) -> Generation:
    machine_types = draw(st.integers(1, 6))
    apc = draw(st.none() | st.sampled_from([MachineLevels(), CoefficientOfVariation(100.0)]))
    return Generation(
        etc=draw(st.sampled_from([Uniform(), RangeBased(), CoefficientOfVariation()])),
        consistency=draw(st.sampled_from(["consistent", "semi-consistent", "inconsistent"])),
        apc=apc,
        idle_fraction=0.0 if apc is None else draw(st.floats(0.0, 1.0)),
        task_types=draw(st.integers(1, 8)),
        machine_types=machine_types,
        tasks=draw(st.integers(1, 10**12)),
        machines=draw(st.integers(machine_types, 10**6)),
        spread=draw(st.sampled_from(["random", "equal"])),
        seed=draw(seeds),
    )


class TestMethods:
    def test_uniform_fills_its_interval(self, rng: np.random.Generator) -> None:
        etc = Uniform().draw(400, 100, rng)
        assert etc.min() == pytest.approx(1.0, abs=0.01)
        assert etc.max() == pytest.approx(10.0, abs=0.01)
        assert etc.mean() == pytest.approx(5.5, abs=0.05)

    @pytest.mark.parametrize("name", HCSP_CLASSES)
    def test_range_based_is_a_size_per_task_type_times_a_factor_per_cell(
        self, name: str, rng: np.random.Generator
    ) -> None:
        method = HCSP_CLASSES[name]
        etc = method.draw(2000, 200, rng)
        half_span = method.machine_range - 1
        sizes = etc.mean(axis=1) / (1 + half_span / 2)
        assert sizes.min() == pytest.approx(1.0, abs=0.01 * method.task_range)
        assert sizes.max() == pytest.approx(method.task_range, rel=0.15)
        assert sizes.mean() == pytest.approx((1 + method.task_range) / 2, rel=0.05)
        factors = etc / sizes[:, None]
        assert factors.std() == pytest.approx(half_span / np.sqrt(12), rel=0.02)

    def test_hcsp_classes_name_the_heterogeneity_of_tasks_then_of_machines(self) -> None:
        assert {(m.task_range, m.machine_range): name for name, m in HCSP_CLASSES.items()} == {
            (3000, 1000): "hihi",
            (3000, 10): "hilo",
            (100, 1000): "lohi",
            (100, 10): "lolo",
        }

    def test_coefficient_of_variation_has_its_mean_and_variations(self) -> None:
        etc = CoefficientOfVariation().draw(4000, 400, np.random.default_rng(2015))
        assert etc.mean() == pytest.approx(10.0, rel=0.03)
        assert variation(etc.mean(axis=1)) == pytest.approx(0.6, abs=0.02)
        assert np.mean([variation(row) for row in etc]) == pytest.approx(0.6, abs=0.01)

    def test_no_variation_is_none_at_all(self, rng: np.random.Generator) -> None:
        alike = CoefficientOfVariation(10.0, 0.0, 0.0).draw(5, 4, rng)
        assert (alike == 10.0).all()
        rows_alike = CoefficientOfVariation(10.0, 0.6, 0.0).draw(5, 4, rng)
        assert (rows_alike == rows_alike[:, :1]).all()
        assert len(np.unique(rows_alike[:, 0])) == 5

    def test_machine_levels_hold_across_task_types(self, rng: np.random.Generator) -> None:
        apc = MachineLevels(task_variation=0.12, pair_variation=0.06).draw(2000, 50, rng)
        levels = apc.mean(axis=0)
        assert levels.min() == pytest.approx(80.0, abs=10.0)
        assert levels.max() == pytest.approx(200.0, abs=10.0)
        appetites = (apc / levels).mean(axis=1)
        assert variation(appetites) == pytest.approx(0.12, abs=0.01)
        assert (apc / levels / appetites[:, None]).std() == pytest.approx(0.06, abs=0.005)


class TestConsistency:
    @given(times)
    def test_consistent_a_faster_machine_type_is_faster_for_every_task_type(
        self, etc: np.ndarray
    ) -> None:
        arranged = make_consistent(etc, "consistent")
        faster_somewhere = (arranged[:, :, None] < arranged[:, None, :]).any(axis=0)
        assert not (faster_somewhere & faster_somewhere.T).any()

    @given(times)
    def test_semi_consistent_arranges_every_other_column_and_no_other(
        self, etc: np.ndarray
    ) -> None:
        arranged = make_consistent(etc, "semi-consistent")
        assert (arranged[:, 1::2] == etc[:, 1::2]).all()
        assert (np.diff(arranged[:, ::2], axis=1) >= 0).all()

    @given(times, st.sampled_from(["consistent", "semi-consistent", "inconsistent"]))
    def test_every_row_keeps_its_times_and_the_argument_stays(
        self, etc: np.ndarray, how: str
    ) -> None:
        before = etc.copy()
        arranged = make_consistent(etc, how)
        assert (np.sort(arranged, axis=1) == np.sort(etc, axis=1)).all()
        assert (etc == before).all()
        assert how != "inconsistent" or (arranged == etc).all()


class TestGenerate:
    @given(small_generations())
    def test_has_the_types_and_totals_asked_for(self, wanted: Generation) -> None:
        system = generate(wanted)
        assert system.etc.shape == (wanted.task_types, wanted.machine_types)
        assert [task.name for task in system.task_types][:2] == ["T1", "T2"][: wanted.task_types]
        assert system.machine_types[-1].name == f"M{wanted.machine_types}"
        assert system.tasks == wanted.tasks
        assert system.machines == wanted.machines
        assert system.machine_counts.min() >= 1
        if wanted.spread == "equal":
            assert np.ptp(system.task_counts) <= 1
            assert np.ptp(system.machine_counts) <= 1

    @given(small_generations())
    def test_equal_wishes_give_equal_systems(self, wanted: Generation) -> None:
        assert generate(wanted) == generate(replace(wanted))

    @given(small_generations(), seeds)
    def test_another_seed_gives_another_system(self, wanted: Generation, seed: int) -> None:
        same_seed = seed == wanted.seed
        assert (generate(wanted) == generate(replace(wanted, seed=seed))) is same_seed

    @given(small_generations())
    def test_asking_for_powers_changes_nothing_else(self, wanted: Generation) -> None:
        plain = generate(replace(wanted, apc=None, idle_fraction=0.0))
        powered = generate(replace(wanted, apc=MachineLevels(), idle_fraction=0.0))
        assert replace(powered, apc=None) == plain

    def test_idle_power_is_the_fraction_of_the_mean_power(self) -> None:
        system = generate(Generation(apc=MachineLevels(), idle_fraction=0.1))
        assert system.apc is not None
        assert system.idle_power == pytest.approx(0.1 * system.apc.mean(axis=0))

    def test_the_hcsp_benchmark_is_single_tasks_on_single_machines(self) -> None:
        size = {"task_types": 512, "machine_types": 16, "tasks": 512, "machines": 16}
        how = {"consistency": "consistent", "spread": "equal"}
        system = generate(Generation(etc=HCSP_CLASSES["hihi"], **how, **size))
        assert set(system.task_counts) == set(system.machine_counts) == {1}
        assert (np.diff(system.etc, axis=1) >= 0).all()

    def test_the_largest_counts_fit(self) -> None:
        most = {"tasks": 10**12, "machines": 10**6}
        system = generate(Generation(task_types=10_000, machine_types=100, **most))
        assert (system.tasks, system.machines) == (10**12, 10**6)

    @pytest.mark.parametrize("how", [Uniform, RangeBased, CoefficientOfVariation])
    @pytest.mark.parametrize("end", ["low", "high"])
    def test_every_parameter_may_be_at_either_end(self, how: type, end: str) -> None:
        extreme = {name: getattr(allowed, end) for name, allowed in bounds(how).items()}
        system = generate(Generation(etc=how(**extreme), task_types=200, machine_types=50))
        assert system.etc.min() >= ETC.low


class TestRefusals:
    @pytest.mark.parametrize("kind", [*TIME_METHODS.values(), *POWER_METHODS.values(), Generation])
    def test_every_parameter_is_held_to_its_bounds(self, kind: type) -> None:
        assert bounds(kind)
        for name, allowed in bounds(kind).items():
            for value in (allowed.low - 1, allowed.high * 2 + 1, float("nan")):
                with pytest.raises(ValueError, match=f"{name} is .*give"):
                    kind(**{name: value})

    @pytest.mark.parametrize(
        ("wrong", "message"),
        [
            ({"task_types": 2.5}, "task_types is 2.5; give a whole number"),
            ({"consistency": "sorted"}, "consistency is 'sorted'; give one of consistent"),
            ({"spread": "even"}, "spread is 'even'; give one of random, equal"),
            ({"machines": 5, "machine_types": 6}, "5 machines cannot be of 6 types"),
            ({"idle_fraction": 0.1}, "give an apc method, too"),
            ({"task_types": 10**6, "machine_types": 11, "machines": 11}, "give fewer types"),
        ],
    )
    def test_contradictions_are_refused_with_the_remedy(
        self, wrong: dict[str, object], message: str
    ) -> None:
        with pytest.raises(ValueError, match=message):
            Generation(**wrong)

    @pytest.mark.parametrize("kind", [Uniform, MachineLevels])
    def test_a_reversed_interval_is_refused(self, kind: type) -> None:
        with pytest.raises(ValueError, match="exchange them"):
            kind(low=5.0, high=4.0)

    def test_everything_wrong_is_said_at_once(self) -> None:
        with pytest.raises(ValueError, match=r"(?s)tasks is 0.*seed is -1.*spread is 'x'"):
            Generation(tasks=0, seed=-1, spread="x")


class TestResample:
    @staticmethod
    def bag(*counts: int) -> System:
        task_types = tuple(TaskType(f"T{i}", count) for i, count in enumerate(counts))
        return System(task_types, (MachineType("M"),), np.ones((len(counts), 1)))

    @given(
        st.lists(st.integers(0, 10**12), min_size=1, max_size=6).filter(any),
        st.integers(1, 10**12),
        seeds,
    )
    def test_keeps_the_total_asked_for_and_the_absent_types_absent(
        self, counts: list[int], tasks: int, seed: int
    ) -> None:
        drawn = resample(self.bag(*counts), tasks, np.random.default_rng(seed))
        assert drawn.tasks == tasks
        assert not drawn.task_counts[np.array(counts) == 0].any()

    def test_rounding_gives_no_task_to_an_absent_last_type(self) -> None:
        counts = np.random.default_rng(255).integers(1, 10**6, 10_000)
        counts[-1] = 0
        drawn = resample(self.bag(*counts.tolist()), 10**12, np.random.default_rng(255))
        assert drawn.task_counts[-1] == 0
        assert drawn.tasks == 10**12

    def test_follows_the_mix_of_types(self, rng: np.random.Generator) -> None:
        drawn = resample(self.bag(1, 0, 3, 6), 100_000, rng)
        assert drawn.task_counts / 100_000 == pytest.approx([0.1, 0.0, 0.3, 0.6], abs=0.01)

    def test_changes_nothing_but_the_counts(self, rng: np.random.Generator) -> None:
        system = generate(Generation(apc=MachineLevels()))
        drawn = resample(system, 50, rng)
        assert drawn != system
        assert replace(drawn, task_types=system.task_types) == system


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(2015)
