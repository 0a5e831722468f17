"""A study comes back from its file as it was; what is not sound is refused, and located."""

import json
import os
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import names, schedules, systems

from core.files import limits, read_system
from core.front.points import non_dominated
from core.front.recovery import NO_PROGRESSION, points_of
from core.front.wish import Deadline, EnergyBudget, ExchangeRate, Near, PowerCap, Tariff
from core.problems import InvalidInput, errors
from core.profit.conditions import Conditions, Named
from core.profit.program import most_profit, most_profit_of_part
from core.relaxed import trace_front
from core.samples import load_sample
from core.schedule import Schedule
from core.studies import (
    Choice,
    Settings,
    commands,
    read_study,
    read_study_bytes,
    study_lines,
    write_study,
    writer,
)
from core.study import METHODS, Study, study
from core.system import MachineType, System, TaskType

Edit = Callable[[dict[str, Any]], object]

CONDITIONS = Conditions(
    ratio=1.5,
    cap_kw=0.15,
    wear=(("A", 0.5),),
    deadline=6.0,
    rewards=(("T1", 10.0),),
    day_tariff=((0.0, 0.2), (7.5, 0.35)),
)
WISHES = [Deadline(7200.0), EnergyBudget(1e7), PowerCap(5e4), ExchangeRate(12.5), None]


def study_of(schedule: Schedule) -> Study:
    """A study with one schedule, whatever it is."""
    points = points_of([schedule])
    return Study(
        "lp",
        trace_front(schedule.system),
        [schedule],
        points,
        non_dominated(points),
        NO_PROGRESSION,
        True,
        {"bound": 0.1},
    )


def as_bytes(found: Study, asked: Settings, choice: Choice | None = None) -> bytes:
    return "".join(study_lines(found, asked, choice)).encode()


@pytest.fixture(scope="module")
def small() -> Study:
    return study(load_sample("two-by-two"), seconds=0)


@pytest.fixture
def document(small: Study) -> dict[str, Any]:
    choice = Choice(small.schedules[0], "Done within 20 s", Deadline(20.0))
    asked = Settings("two-by-two", "two-by-two", tariff=Tariff(0.3), profit=CONDITIONS)
    found: dict[str, Any] = json.loads(as_bytes(small, asked, choice))
    return found


@st.composite
def conditions(draw: st.DrawFn, system: System) -> Conditions:
    def named(types: Sequence[TaskType] | Sequence[MachineType]) -> st.SearchStrategy[Named]:
        some = st.lists(st.sampled_from([one.name for one in types]), unique=True)
        return some.map(lambda names: tuple((name, draw(st.floats(0, 1e6))) for name in names))

    money = st.floats(0, 1e6)
    by = draw(st.sampled_from(["ratio", "bag"]))
    hours = draw(st.lists(st.floats(0, 23.9), unique=True, max_size=4))
    return Conditions(
        by=by,
        **{"ratio" if by == "ratio" else "price": draw(money)},
        electricity=draw(st.sampled_from(["kWh", "joule"])),
        energy_price=draw(money),
        currency=draw(names()),
        carbon=draw(st.floats(0, 1e3)),
        carbon_price=draw(money),
        pue=draw(st.floats(1, 100)),
        overhead=draw(money),
        cap_kw=draw(st.none() | money),
        wear=draw(named(system.machine_types)),
        depreciation=draw(named(system.machine_types)),
        deadline=draw(st.none() | st.floats(1e-3, 1e6)),
        rewards=draw(named(system.task_types)),
        day_tariff=tuple((hour, draw(money)) for hour in hours),
    )


@st.composite
def any_settings(draw: st.DrawFn, system: System) -> Settings:
    prices = st.floats(0, 1e6)
    return Settings(
        name=draw(names()),
        idle_power=draw(st.none() | st.floats(0, 1)),
        method=draw(st.sampled_from(METHODS)),
        spacing=draw(st.floats(0.001, 2)),
        seconds=draw(st.floats(0, 1e6)),
        threads=draw(st.integers(1, 256)),
        seed=draw(st.integers(0, 2**53)),
        generations=draw(st.none() | st.integers(1, 10**9)),
        tariff=draw(st.none() | st.builds(Tariff, prices, prices, prices, pue=st.floats(1, 100))),
        currency=draw(names()),
        profit=draw(st.none() | conditions(system)),
    )


@settings(max_examples=25)
@given(
    schedule=schedules(systems(with_apc=True, dyadic=True)),
    title=names(),
    wish=st.sampled_from(WISHES),
    data=st.data(),
)
def test_what_is_written_is_read_back(
    schedule: Schedule, title: str, wish: Any, data: st.DataObject
) -> None:
    asked = data.draw(any_settings(schedule.system))
    found = study_of(schedule)
    reading = read_study_bytes("s.json", as_bytes(found, asked, Choice(schedule, title, wish)))
    assert not errors(reading.problems)
    saved = reading.require()
    assert saved.system == schedule.system
    assert saved.settings == asked
    assert saved.choice is not None
    assert (saved.choice.title, saved.choice.wish) == (title, wish)
    again = saved.study()
    assert saved.agrees_with(again.front)
    assert again.verified
    for one in (again.schedules[0], saved.choice.schedule):
        np.testing.assert_array_equal(one.tasks, schedule.tasks)
        np.testing.assert_array_equal(one.machines, schedule.machines)
    np.testing.assert_array_equal(again.points, found.points)


def test_a_study_of_a_sample_opens_as_the_same_view(tmp_path: Path) -> None:
    system = load_sample("nine").with_idle_fraction(0.2)
    found = study(system, seconds=0)
    asked = Settings("nine", "nine", 0.2, seconds=0.0)
    write_study(found, asked, tmp_path / "nine.json")
    saved = read_study(tmp_path / "nine.json").require()
    assert saved.settings == asked
    np.testing.assert_array_equal(saved.study().achieved, found.achieved)
    np.testing.assert_array_equal(saved.points, found.points)
    np.testing.assert_array_equal(saved.vertices, found.front.points)


def test_the_file_is_its_own_system(small: Study, tmp_path: Path) -> None:
    write_study(small, Settings("mine"), tmp_path / "study.json")
    assert read_system(tmp_path / "study.json").system == small.system


def test_a_study_without_schedules_can_be_kept(small: Study) -> None:
    bound = study(small.system, method="bound")
    saved = read_study_bytes("s", as_bytes(bound, Settings("b", method="bound"))).require()
    assert saved.schedules == ()
    assert saved.study().verified


class TestCommands:
    def test_a_sample_goes_by_its_name_and_a_wish_by_its_flag(self, small: Study) -> None:
        choice = Choice(small.schedules[0], "soon", Deadline(7200.5))
        asked = Settings("nine", "nine", 0.2, seconds=1.0, seed=7)
        assert commands(asked, choice) == [
            "wattfront front nine --method lp --spacing 0.01 --seconds 1 --threads 1 --seed 7 "
            "--idle-power 0.2",
            "wattfront solve nine --deadline 7200.5 --method lp --seconds 1 --threads 1 --seed 7 "
            "--idle-power 0.2",
        ]

    @given(file=names())
    def test_any_other_system_is_read_from_the_file_whatever_its_name(self, file: str) -> None:
        (line,) = commands(Settings("mine"), None, file)
        word = shlex.split(line)[2]
        assert word.removeprefix("./") == file.removeprefix("./")
        assert not word.startswith("-")

    def test_a_wish_without_a_flag_has_no_command(self, small: Study) -> None:
        near = Near.on(small.front, 1.0, 1.0)
        assert len(commands(Settings("m"), Choice(small.schedules[0], "near", near))) == 1

    def test_they_run_and_find_the_same_front(
        self, small: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        from core.cli import main

        path = tmp_path / "study.json"
        write_study(small, Settings("mine", seconds=0.0, idle_power=0.5), path)
        (line,) = commands(Settings("mine", seconds=0.0), None, str(path))
        assert main([*shlex.split(line)[1:], "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["vertices"] == small.front.points.tolist()


class TestProfitCommands:
    """The conditions of a study, as `wattfront profit` takes them."""

    def run(self, asked: Settings, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
        from core.cli import main

        answers = []
        for line in commands(asked, None)[1:]:
            assert main([*shlex.split(line)[1:], "--seconds", "0", "--json"]) == 0
            answers.append(json.loads(capsys.readouterr().out))
        return answers

    @pytest.mark.parametrize("electricity", ["kWh", "joule"])
    @pytest.mark.parametrize("by", ["ratio", "bag"])
    def test_they_run_and_find_the_same_profit(
        self,
        capsys: pytest.CaptureFixture[str],
        by: Any,
        electricity: Any,
    ) -> None:
        system = load_sample("testbed").with_idle_fraction(0.1)
        first, last = system.machine_types[0].name, system.machine_types[-1].name
        asked = Conditions(
            by=by,
            ratio=1.5,
            price=0.5 if electricity == "kWh" else 5e6,
            electricity=electricity,
            carbon=0.4,
            carbon_price=0.1,
            pue=1.2,
            overhead=0.01,
            cap_kw=0.4,
            wear=((last, 0.02),),
            depreciation=((first, 0.01), (last, 0.03)),
            day_tariff=((7.5, 0.4), (20.0, 0.2)),
        )
        front = trace_front(system)
        (found,) = self.run(Settings("t", "testbed", 0.1, profit=asked), capsys)
        bound = most_profit(system, asked.terms(front)).value
        per = 3600.0 if found["unit"] == "money per hour" else 1.0
        assert found["upper_bound"] == pytest.approx(per * bound, rel=1e-9)
        tariff = asked.tariff()
        assert tariff is not None
        assert found["day"]["best"]["second"] in (0.0, 20 * 3600.0)

    def test_part_of_a_bag_is_one_of_its_own(self, capsys: pytest.CaptureFixture[str]) -> None:
        system = load_sample("testbed").with_idle_fraction(0.1)
        names = [task.name for task in system.task_types]
        asked = Conditions(deadline=600.0, rewards=tuple((name, 1e-4) for name in names), pue=1.2)
        _, part = self.run(Settings("t", "testbed", 0.1, profit=asked), capsys)
        terms = asked.part_terms(trace_front(system))
        bound = most_profit_of_part(system, terms, asked.rewards_in(system), 600.0)
        assert part["upper_bound"] == pytest.approx(3600 * bound.value, rel=1e-9)

    def test_names_that_begin_with_a_dash_are_no_flags(self) -> None:
        asked = Conditions(wear=(("-x", 1.0), ("a b", 2.0)))
        line = commands(Settings("m", profit=asked), None)[1]
        words = shlex.split(line)
        assert words[words.index("--wear") + 1 :][:2] == ["a b=2", "--wear=-x=1"]


def test_of_too_many_schedules_both_ends_and_some_between_are_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = study(load_sample("nine"), seconds=0)
    largest = max(schedule.tasks.size for schedule in found.schedules)
    monkeypatch.setattr(writer.limits, "CELLS", 6 * largest)
    saved = read_study_bytes("s", as_bytes(found, Settings("nine"))).require()
    assert 2 < len(saved.schedules) <= 6 < len(found.achieved)
    ends = points_of([saved.schedules[0], saved.schedules[-1]])
    np.testing.assert_array_equal(ends, found.achieved[[0, -1]])
    assert len(saved.points) == len(found.points)
    monkeypatch.setattr(writer.limits, "CELLS", 1)
    with pytest.raises(InvalidInput, match="too large"):
        as_bytes(found, Settings("nine"), Choice(found.schedules[0], "one"))


def test_bytes_of_a_name_that_are_no_text_are_question_marks(small: Study) -> None:
    name = os.fsdecode(b"caf\xe9.json")
    lines = study_lines(small, Settings(name, seconds=0.0), None, name)
    saved = read_study_bytes("s.json", "".join(lines).encode()).require()
    assert saved.settings.name == "caf?.json"


def test_another_suffix_is_refused(small: Study, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"name a \.json file"):
        write_study(small, Settings("mine"), tmp_path / "study.txt")
    assert not list(tmp_path.iterdir())


def first(document: dict[str, Any]) -> dict[str, Any]:
    group: dict[str, Any] = document["schedules"][0]["groups"][0]
    return group


FAULTS: dict[str, tuple[Edit, str, str]] = {
    "another format": (lambda d: d.update(format="else"), "", "no document of the format"),
    "a later version": (lambda d: d.update(version=2), "", "version 1 is what can be read"),
    "no system": (lambda d: d.pop("system"), "", "holds no system"),
    "a system without power": (lambda d: d["system"].update(apc=None), "[system]", "has no apc"),
    "a wrong time": (
        lambda d: d["system"]["etc"][0].__setitem__(0, -1),
        "[system] [etc]",
        "-1 s is not a time",
    ),
    "no settings": (lambda d: d.pop("settings"), "", "is not an object"),
    "idle power above 1": (
        lambda d: d["settings"].update(idle_power=1.5),
        "[settings]",
        "1.5 is out of range",
    ),
    "an unknown method": (
        lambda d: d["settings"].update(method="magic"),
        "[settings]",
        "'magic' is none of lp",
    ),
    "a seed that is no number": (
        lambda d: d["settings"].update(seed="7"),
        "[settings]",
        "'7' is text",
    ),
    "a free lunch": (
        lambda d: d["settings"]["tariff"].update(price_per_kwh=-1),
        "[settings] [tariff]",
        "out of range",
    ),
    "a vertex of three": (
        lambda d: d["vertices"].append([1, 2, 3]),
        "[vertices]",
        "is not [joules, seconds]",
    ),
    "a task too many": (
        lambda d: first(d).update(tasks={"T1": 1000}),
        "[schedule 1]",
        "are no schedule of the system",
    ),
    "a stranger": (
        lambda d: first(d).update(tasks={"<b>9</b>": 1}),
        "[schedule 1]",
        "'<b>9</b>' is no task type",
    ),
    "an unknown machine": (
        lambda d: first(d).update(machine_type="Z"),
        "[schedule 1]",
        "is no machine type",
    ),
    "a machine short": (lambda d: first(d).update(machines=0), "[schedule 1]", "out of range"),
    "a figure that flatters": (
        lambda d: d["schedules"][0].update(energy=1.0),
        "[schedule 1]",
        "1 is stated, but its groups add up to",
    ),
    "a wish for nothing": (
        lambda d: d["choice"]["wish"].update(kind="luck"),
        "[choice] [wish]",
        "'luck' is none of deadline",
    ),
    "a profit that is no object": (
        lambda d: d["settings"].update(profit=[]),
        "[settings]",
        "is not an object",
    ),
    "a ratio below 0": (
        lambda d: d["settings"]["profit"].update(ratio=-1),
        "[settings] [profit]",
        "-1 is out of range",
    ),
    "a currency for the price": (
        lambda d: d["settings"]["profit"].update(by="EUR"),
        "[settings] [profit]",
        "'EUR' is none of ratio, bag",
    ),
    "wear of a stranger": (
        lambda d: d["settings"]["profit"].update(wear={"Z": 1}),
        "[settings] [profit] [wear]",
        "is no type of the system",
    ),
    "a reward that is text": (
        lambda d: d["settings"]["profit"].update(rewards={"T1": "5"}),
        "[settings] [profit] [rewards]",
        "'5' is text",
    ),
    "a day of 25 hours": (
        lambda d: d["settings"]["profit"].update(day_tariff=[[0, 1], [25, 2]]),
        "[settings] [profit]",
        "step 2 is [25, 2]; give [[hour, price a kWh], ...]",
    ),
    "schedules that are none": (lambda d: d.update(schedules=[3]), "[schedule 1]", "not a list"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_wrong_is_located(document: dict[str, Any], fault: str) -> None:
    edit, place, said = FAULTS[fault]
    edit(document)
    reading = read_study_bytes("my.json", json.dumps(document).encode())
    assert not reading.ok
    assert any(
        problem.file.startswith("my.json") and place in problem.file and said in problem.message
        for problem in reading.problems
    ), [str(problem) for problem in reading.problems]
    with pytest.raises(InvalidInput):
        reading.require()


def test_a_sample_that_is_another_is_not_named_again(document: dict[str, Any]) -> None:
    document["settings"]["sample"] = "nine"
    reading = read_study_bytes("s", json.dumps(document).encode())
    assert reading.require().settings.sample is None
    assert [problem.severity for problem in reading.problems] == ["warning"]


def test_vertices_that_are_made_up_are_noticed(document: dict[str, Any]) -> None:
    document["vertices"][0][0] *= 0.5
    saved = read_study_bytes("s", json.dumps(document).encode()).require()
    again = saved.study()
    assert not saved.agrees_with(again.front)
    assert again.front.points[0, 0] != saved.vertices[0, 0]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b"[]",
        b"null",
        b'{"a":' * 50_000,
        bytes(range(256)) * 10,
        b'{"format": "wattfront-study", "version": 1, "version": 1}',
        b'{"format": "wattfront-study", "version": NaN}',
        b"[" * (limits.JSON_CONTAINERS + 1),
    ],
    ids=["nothing", "empty", "list", "null", "deep", "binary", "twice", "nan", "many"],
)
def test_a_hostile_file_is_refused(content: bytes) -> None:
    reading = read_study_bytes("hostile", content)
    assert not reading.ok
    assert 1 <= len(reading.problems) <= 20


def test_a_schedule_that_would_fill_memory_is_refused(
    document: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "CELLS", 10)
    document["schedules"][0]["groups"] *= 10
    reading = read_study_bytes("s", json.dumps(document).encode())
    assert "more than 10 cells" in reading.problems[0].message


@settings(max_examples=60)
@given(data=st.data())
def test_whatever_is_put_in_place_of_a_value_nothing_is_raised(
    small: Study, data: st.DataObject
) -> None:
    choice = Choice(small.schedules[0], "it", Deadline(20.0))
    asked = Settings("m", tariff=Tariff(0.3), profit=CONDITIONS)
    document = json.loads(as_bytes(small, asked, choice))
    odd = st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=3)
    value = data.draw(odd | st.just([]) | st.just({}))
    holder, key = data.draw(st.sampled_from(list(places(document))))
    holder[key] = value
    reading = read_study_bytes("s", json.dumps(document).encode())
    assert reading.ok or any(problem.severity == "error" for problem in reading.problems)


def places(node: Any) -> Any:
    """Every (container, key) below a node, deepest last."""
    keys = node.keys() if isinstance(node, dict) else range(len(node))
    for key in list(keys):
        yield node, key
        if isinstance(node[key], dict | list):
            yield from places(node[key])


def test_a_path_to_nothing_is_a_problem(tmp_path: Path) -> None:
    assert "does not exist" in str(read_study(tmp_path / "no.json").problems[0])


def test_a_saved_study_holds_no_more_than_it_says(document: dict[str, Any]) -> None:
    document["hidden"] = 1
    document["settings"]["password"] = "x"  # noqa: S105  # what a stranger might add
    reading = read_study_bytes("s", json.dumps(document).encode())
    assert reading.ok
    said = " ".join(problem.message for problem in reading.problems)
    assert "hidden" in said
    assert "password" in said
