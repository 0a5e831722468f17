"""Titles of a table of runs say what its columns are, and in which unit."""

from itertools import combinations, product

import pytest
from log_stores import runs_of

from core.engines.logs.reading import limits
from core.engines.logs.reading.layout import NumberCell
from core.engines.logs.reading.run_tables import layout_of
from core.engines.logs.reading.values import AMOUNT, DECIMAL_COMMA, DURATION, MOMENT


def numbers(title: str) -> dict[str, list[NumberCell]]:
    """The columns of numbers of a table that has also this one."""
    layout = layout_of([f"task,machine,seconds,{title}".encode()])
    assert layout is not None
    assert layout.sources["elapsed"][:2] == [NumberCell(2, AMOUNT), NumberCell(2, DURATION)]
    return {name: found for name, found in layout.sources.items() if found[-1].cell == 3}


@pytest.mark.parametrize(
    ("title", "name", "factor"),
    [
        *(("watts", "watts", 1), ("W", "watts", 1), ("power", "watts", 1)),
        *(("power (kW)", "watts", 1e3), ("mean_power_kw", "watts", 1e3)),
        *(("average_power [W]", "watts", 1), ("Power_W", "watts", 1)),
        *(("joules", "joules", 1), ("kJ", "joules", 1e3), ("energy_kwh", "joules", 3.6e6)),
        *(("energy (MJ)", "joules", 1e6), ("Wh", "joules", 3.6e3)),
        *(("consumed_energy (MWh)", "joules", 3.6e9), ("energy", "joules", 1)),
        *(("cores", "cores", 1), ("cpus", "cores", 1), ("nodes", "nodes", 1), ("gpus", "gpus", 1)),
        *(("memory", "memory", 1), ("memory_gb", "memory", 1024), ("memory (MiB)", "memory", 1)),
    ],
)
def test_columns_of_numbers(title: str, name: str, factor: float) -> None:
    assert numbers(title) == {name: [NumberCell(3, AMOUNT, factor)]}


@pytest.mark.parametrize("title", ["start", "started", "timestamp", "end", "end_time"])
def test_moments(title: str) -> None:
    name = "end" if title.startswith("end") else "start"
    assert numbers(title) == {name: [NumberCell(3, MOMENT)]}


@pytest.mark.parametrize("title", ["power (kWh)", "colour", "mb", "time_x", "energy_w", ""])
def test_other_titles_are_no_numbers(title: str) -> None:
    assert numbers(title) == {}


@pytest.mark.parametrize(
    ("title", "factor"),
    [
        *(("time (min)", 60), ("runtime_h", 3600), ("ms", 1e-3), ("days", 86_400)),
        *(("wall_time", 1), ("elapsed [s]", 1), ("seconds_s", 1), ("Duration_Minutes", 60)),
        *(("time  ( min )", 60), ("time" + 500 * " " + "(min)", 60), ('" time (min) "', 60)),
    ],
)
def test_times(title: str, factor: float) -> None:
    layout = layout_of([f"{title};host;program".encode()])
    assert layout is not None
    assert layout.sources == {
        "elapsed": [
            NumberCell(0, AMOUNT, factor),
            NumberCell(0, DECIMAL_COMMA, factor),
            NumberCell(0, DURATION),
        ]
    }
    assert (layout.cells, layout.separator, layout.quoting) == (3, b";", True)
    assert layout.texts == {"machine": 1, "name": 2}


@pytest.mark.parametrize(
    ("header", "known"),
    [
        ("task,machine,start,end", True),
        ("task,machine,start", False),
        ("task,machine,end", False),
        ("task,seconds", False),
        ("machine,seconds", False),
        ("task,machine,watts", False),
        ('"Task Type"\t"Machine  Type"\tSeconds\r', True),
        ("task|node|seconds", True),
        ('task,machine,"time"', True),
        *(('task,machine,"time', False), ('task,machine,time"', False), ('task,machine,"', False)),
        *(('task,machine,"times', False), ('task,machine,stime"', False)),
        ('task;machine;"time; (min)"', False),  # not seconds
        ("task machine seconds", False),
        ("", False),
    ],
)
def test_a_table_has_a_task_a_machine_and_a_time(header: str, known: bool) -> None:
    assert (layout_of([header.encode()]) is not None) == known
    assert layout_of([]) is None


def test_of_equal_titles_the_first_counts_and_others_are_texts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    header = [b"job,task,seconds,seconds,host,state,Colour,shape"]
    layout = layout_of(header)
    assert layout is not None
    assert {*(source.cell for source in layout.sources["elapsed"])} == {2}
    texts = layout.texts
    assert (texts.pop("name"), texts.pop("machine"), texts.pop("state")) == (1, 4, 5)
    assert sorted(texts.values()) == [0, 6, 7]
    monkeypatch.setattr(limits, "TEXT_COLUMNS", 4)
    fewer = layout_of(header)
    assert fewer is not None
    assert len(fewer.texts) == 4


def test_there_are_only_so_many_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "HEADER_COLUMNS", 3)
    assert layout_of([b"task,machine,seconds"]) is not None
    assert layout_of([b"task,machine,seconds,x"]) is None


MEASURED = {
    "start": (None, 100, 160),
    "end": (None, 100, 130, 190),
    "seconds": (None, 20),
    "watts": (None, 5),
    "joules": (None, 7),
}


def followed(row: dict[str, int | None]) -> list[float | None]:
    """The start, the end, the seconds and the joules of a run, of which a row says some."""
    start, end, seconds, watts, joules = (row.get(name) for name in MEASURED)
    if seconds is None and start is not None and end is not None and end >= start:
        seconds = end - start
    if seconds is not None:
        joules = watts * seconds if joules is None and watts is not None else joules
        if start is not None:
            end = start + seconds
        elif end is not None:
            start = end - seconds
    return [start, end, seconds, joules]


@pytest.mark.parametrize(
    "columns",
    [
        columns
        for many in range(1, 6)
        for columns in combinations(MEASURED, many)
        if {*columns} >= {"start", "end"} or "seconds" in columns
    ],
    ids="-".join,
)
def test_what_a_table_does_not_say_follows_from_what_it_says(columns: tuple[str, ...]) -> None:
    """A run's own duration is right where the difference of its moments is not."""
    rows = [*product(*(MEASURED[column] for column in columns))]
    lines = [("task", "machine", *columns), *(("a", "m", *row) for row in rows)]
    text = "".join(",".join("" if c is None else str(c) for c in line) + "\n" for line in lines)
    with runs_of(text, "start", "end", "elapsed", "joules") as (_, found):
        runs = zip(*found.values(), strict=True)
        for row, run in zip(rows, runs, strict=True):
            assert [*run] == followed(dict(zip(columns, row, strict=True))), row
