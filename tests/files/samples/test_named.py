"""The samples are what their READMEs say, and their committed tables are what the recipes write."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from benchmarks.publications.provision.examples import E1_SPREADS, e1, like_e3
from benchmarks.samples import RECIPES
from core.capabilities.arrivals.files.workload_reader import inspect_workload
from core.capabilities.fair_shares.bags_reader import inspect_bags
from core.capabilities.provision.files.plan_format import inspect_plan, read_plan
from core.files import inspect_system, write_system
from core.files.samples import named as samples
from core.files.samples.named import (
    BAGS,
    CENTRES,
    DAYS,
    LOGS,
    PLANS,
    SYSTEMS,
    WORKLOADS,
    bags_folder,
    centre_folder,
    day_folder,
    describe,
    first_line,
    load_sample,
    plan_folder,
    sample_data,
    sample_folder,
    workload_folder,
)
from core.vocabulary.system import System

NINE_TASK_COUNTS = [
    *(16, 26, 70, 11, 71, 24, 27, 15, 16, 31, 50, 47, 68, 49, 11),
    *(11, 64, 21, 47, 51, 66, 63, 12, 13, 32, 23, 11, 72, 32, 50),
]


def shape(system: System) -> tuple[int, int, int, int]:
    return (*system.etc.shape, system.tasks, system.machines)


def tables(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.name != "README.md"}


class TestPublishedNumbers:
    def test_nine_has_the_sums_and_counts_of_its_recipe(self) -> None:
        nine = load_sample("nine")
        assert nine.apc is not None
        assert shape(nine) == (30, 9, 1100, 36)
        assert nine.etc.sum() == pytest.approx(27895.78, abs=0.005)
        assert nine.apc.sum() == pytest.approx(35937.86, abs=0.005)
        assert nine.task_counts.tolist() == NINE_TASK_COUNTS
        assert set(nine.machine_counts) == {4}

    def test_nine_begins_with_the_rows_of_e3(self) -> None:
        assert (load_sample("nine").etc[:10] == load_sample("e3").etc).all()

    @pytest.mark.parametrize(("name", "types", "each"), [("six", 6, 6), ("two", 2, 18)])
    def test_six_and_two_are_the_first_machine_types_of_nine(
        self, name: str, types: int, each: int
    ) -> None:
        nine, fewer = load_sample("nine"), load_sample(name)
        assert nine.apc is not None
        assert fewer.apc is not None
        assert fewer.task_types == nine.task_types
        assert fewer.machine_counts.tolist() == [each] * types
        assert (fewer.etc == nine.etc[:, :types]).all()
        assert (fewer.apc == nine.apc[:, :types]).all()

    def test_ten_has_the_sums_and_counts_of_its_recipe(self) -> None:
        ten = load_sample("ten")
        assert ten.apc is not None
        assert shape(ten) == (50, 10, 1000, 50)
        assert ten.etc.sum() == pytest.approx(4982.681, abs=0.0005)
        assert ten.apc.sum() == pytest.approx(50557.81, abs=0.005)
        assert ten.task_counts[:5].tolist() == [18, 21, 12, 17, 22]
        assert set(ten.machine_counts) == {5}

    def test_e1_is_table_5_1(self) -> None:
        assert load_sample("e1").etc.tolist() == [[1, 3, 100], [100, 3, 1.1]]

    def test_e2_has_the_stated_proportions_and_one_special_machine_type(self) -> None:
        e2 = load_sample("e2")
        assert e2.etc[4].tolist() == [505, 1010, 1001, 10100, 3030]
        assert (1 / e2.etc).sum(axis=0) == pytest.approx(
            [0.819, 0.417, 0.590, 0.0416, 0.139], abs=5e-4
        )
        assert e2.machine_counts.tolist() == [1, 1, 1, 1, 10]

    def test_e3_is_table_5_5(self) -> None:
        e3 = load_sample("e3")
        assert e3.etc[2].tolist() == [463, 303, 362, 342, 314, 311, 303, 290, 264]
        assert (1 / e3.etc).sum(axis=0) == pytest.approx(
            [0.1305, 0.2447, 0.1186, 0.1683, 0.1842, 0.3236, 0.2503, 0.2508, 0.2739], abs=5e-5
        )

    def test_where_no_powers_are_published_there_are_none(self) -> None:
        assert [load_sample(name).apc for name in ("e1", "e2", "e3")] == [None] * 3

    def test_the_test_bed_has_the_published_mix_and_energies(self) -> None:
        """Two pairs are impossible. The publication cuts half joules off."""
        joules = {
            "IS.8": [25962, 35250, 17388, 28380],
            "MG.8": [27500, 41296, np.inf, np.inf],
            "MG.16": [34398, 55000, 30400, 50530],
            "IS_CG.8": [23897, 47700, 27650, 105865],
        }
        testbed = load_sample("testbed")
        assert [task.name for task in testbed.task_types] == list(joules)
        assert testbed.task_counts.tolist() == [36, 9, 9, 36]
        assert np.isfinite([*joules.values()]).tolist() == testbed.can_run.tolist()
        assert testbed.dynamic_energy == pytest.approx(np.array(list(joules.values())), abs=0.5)

    def test_two_by_two_is_the_instance_worked_by_hand(self) -> None:
        system = load_sample("two-by-two")
        assert shape(system) == (2, 2, 12, 2)
        assert (system.dynamic_energy @ [1, 1]).tolist() == [160, 290]
        assert system.etc.tolist() == [[1, 2], [2, 3]]

    @pytest.mark.parametrize("name", SYSTEMS)
    def test_idle_power_is_nowhere_invented_for_published_systems(self, name: str) -> None:
        assert (load_sample(name).total_idle_power > 0) == (name in LOGS)

    def test_what_opens_first_is_the_system_of_the_sample_log(self) -> None:
        assert SYSTEMS[0] == LOGS[0]


class TestFiles:
    @pytest.mark.parametrize("name", SYSTEMS)
    def test_a_sample_is_read_without_a_complaint(self, name: str) -> None:
        assert inspect_system(sample_folder(name)).problems == ()

    def test_recipes_write_the_committed_tables_byte_for_byte(self, tmp_path: Path) -> None:
        for name, recipe in RECIPES.items():
            write_system(recipe(), tmp_path / name)
            assert tables(tmp_path / name) == tables(sample_folder(name))
        assert {*RECIPES, "university"} == {*SYSTEMS}

    def test_every_folder_is_a_sample_and_in_the_index(self) -> None:
        folder = sample_folder("nine").parent
        folders = {entry.name for entry in folder.iterdir() if entry.is_dir()}
        assert folders == {*SYSTEMS, "bags", "centres", "days", "logs", "plans", "workloads"}
        index = (folder / "README.md").read_text(encoding="utf-8")
        for name in SYSTEMS:
            assert f"| [`{name}`]({name}/README.md) | {describe(name)} |" in index
        for kind, names, folder in (
            ("days", DAYS, day_folder),
            ("centres", CENTRES, centre_folder),
        ):
            for name in names:
                line = f"| [`{name}`]({kind}/{name}/README.md) | {first_line(folder(name))} |"
                assert line in index

    def test_an_installed_package_carries_its_own(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(
            samples, "__file__", str(tmp_path / "core" / "files" / "samples" / "named.py")
        )
        assert sample_folder("nine") == tmp_path / "sample_data" / "nine"
        (tmp_path / "core" / "sample_data").mkdir(parents=True)
        assert sample_folder("nine") == tmp_path / "core" / "sample_data" / "nine"


class TestNames:
    @pytest.mark.parametrize("name", SYSTEMS)
    def test_a_description_is_one_line_of_words(self, name: str) -> None:
        description = describe(name)
        assert description[0].isalnum()
        assert 20 < len(description) <= 110

    @pytest.mark.parametrize(
        ("wrong", "hint"),
        [
            ("nien", "did you mean nine"),
            ("test-bed", "did you mean testbed"),
            ("../nine", "did you mean nine"),
            ("zzz", "there are these"),
        ],
    )
    def test_an_unknown_name_is_refused_with_the_known_ones(self, wrong: str, hint: str) -> None:
        for ask in (sample_folder, load_sample, describe):
            with pytest.raises(ValueError, match=hint) as refusal:
                ask(wrong)
            assert all(name in str(refusal.value) for name in SYSTEMS)


@pytest.mark.parametrize("name", BAGS)
def test_bags_have_releases_and_a_network(name: str) -> None:
    assert {folder.name for folder in (sample_data() / "bags").iterdir()} == set(BAGS)
    reading = inspect_system(bags_folder(name))
    found = inspect_bags(bags_folder(name), reading.require())
    bags = found.require()
    assert (*reading.problems, *found.problems) == ()
    assert len(set(bags.release.tolist())) > 1
    assert bags.network.bandwidth < 1e9


@pytest.mark.parametrize("name", WORKLOADS)
def test_a_sample_workload_is_read_without_a_complaint(name: str) -> None:
    reading = inspect_workload(workload_folder(name))
    assert reading.problems == ()
    assert len(reading.require().workload.jobs) > 50


def test_the_blades_have_the_published_budget_in_three_hours() -> None:
    file = inspect_workload(workload_folder("blades")).require()
    assert file.windows.joules.tolist() == pytest.approx([2.8e6])
    assert len(file.workload.jobs) == 90


@pytest.mark.parametrize("name", PLANS)
def test_a_sample_plan_is_read_without_a_complaint(name: str) -> None:
    reading = inspect_plan(plan_folder(name))
    assert reading.problems == ()
    assert reading.unread == ("README.md",)


@pytest.mark.parametrize(("kind", "names"), [("plans", PLANS), ("workloads", WORKLOADS)])
def test_every_folder_is_in_the_index(kind: str, names: tuple[str, ...]) -> None:
    folder = sample_data() / kind
    assert {entry.name for entry in folder.iterdir()} == set(names)
    index = (sample_data() / "README.md").read_text(encoding="utf-8")
    for name in names:
        title = (folder / name / "README.md").read_text(encoding="utf-8").partition("\n")[0]
        assert f"| [`{name}`]({kind}/{name}/README.md) | {title.removeprefix('# ')} |" in index


@pytest.mark.parametrize(
    ("folder_of", "wrong", "said"),
    [
        (bags_folder, "mornings", "no sample bags are called 'mornings'; did you mean morning"),
        (plan_folder, "nien", "no sample plan is called 'nien'; did you mean nine"),
        (workload_folder, "blade", "no sample workload is called 'blade'; did you mean bl"),
    ],
)
def test_an_unknown_name_is_said_with_those_there_are(
    folder_of: Callable[[str], Path], wrong: str, said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        folder_of(wrong)


def test_the_published_plan_is_as_published() -> None:
    file = read_plan(plan_folder("e1"))
    assert file.plan.times.tolist() == e1().times.tolist()
    assert (file.offers, file.demands, file.limits) == (e1().offers, e1().demands, e1().limits)
    arrivals = file.sampling.scenarios(file.plan).arrivals
    assert np.abs(arrivals - 1).max(axis=0) == pytest.approx(E1_SPREADS, abs=0.01)


def test_the_plan_like_the_published_one_is_that_of_its_reproduction() -> None:
    file = read_plan(plan_folder("e3"))
    ours = like_e3()
    assert file.plan.times.tolist() == ours.times.tolist()
    assert (file.offers, file.demands, file.limits) == (ours.offers, ours.demands, ours.limits)


def test_the_plan_of_the_nine_types_begins_with_its_system() -> None:
    file, system = read_plan(plan_folder("nine")), load_sample("nine")
    assert file.types.etc.tolist() == system.etc.tolist()
    assert file.types.task_counts.tolist() == system.task_counts.tolist()
    assert file.plan.counts.tolist() == system.machine_counts.tolist()
    assert file.plan.arrival_rates * 86400 == pytest.approx(40 * system.task_counts)
