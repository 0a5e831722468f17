"""Cells become the numbers that plain Python reads, compiled and interpreted alike."""

import re
from datetime import UTC, datetime

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from log_stores import HEADER, job_row, runs_of

from core.engines.compute.compiled import Kernel
from core.engines.logs.reading.cutting import (
    Cuts,
    cut_between,
    cut_columns,
    cut_separated,
    cut_words,
    unquote,
)
from core.engines.logs.reading.texts import MOST_PROBES, UNKNOWN, TextRoom, Texts, number_texts
from core.engines.logs.reading.values import (
    AMOUNT,
    AMOUNT_1024,
    DECIMAL_COMMA,
    DURATION,
    MOMENT,
    read_jobs,
    read_memory,
    read_values,
    read_within,
)

CELLS = st.text("0123456789.:-,TKMGcn eE+_[]?=", max_size=20) | st.sampled_from(
    [
        *("1-02:03:04", "02:03.5", "7:61:00", "2024-02-29T23:59:59+01:00", "2024-13-01T00:00:00"),
        *("Unknown", "1.5K", "-3", "9" * 320, "0." + "1" * 310, "1e99", "1e100", "1e-9", ".5"),
        *("cpu=4,mem=2G", "gres/gpu:a=1,gres/gpu=3", "12_[4-9%2]", "12+1.0", "12.batch", "9" * 18),
    ]
)


def bounds(cells: list[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The bytes of the cells, and where each begins and ends."""
    data = np.frombuffer("|".join([*cells, ""]).encode(), np.uint8)
    ends = np.cumsum([len(cell.encode()) + 1 for cell in cells])
    low = np.append(0, ends[:-1]).astype(np.int32)
    return data, low, (ends - 1).astype(np.int32)


def values(cells: list[str], kind: int) -> list[float]:
    data, low, high = bounds(cells)
    found = np.zeros(len(cells))
    read_values(data, low, high, kind, found)
    return found.tolist()


def all_readings(cells: list[str]) -> list[object]:
    """What each kernel makes of the cells."""
    data, low, high = bounds(cells)
    key = np.frombuffer(b"gres/gpu", np.uint8)
    memory, within, per = np.zeros(len(cells)), np.zeros(len(cells)), np.zeros(len(cells), np.int8)
    read_memory(data, low, high, memory, per)
    read_within(data, low, high, key, within)
    jobs = [np.zeros(len(cells), np.int64) for _ in range(3)]
    read_jobs(data, low, high, *jobs)
    texts = Texts(512, TextRoom(1 << 20))
    numbers = texts.numbers(data, low, high)
    lines = np.frombuffer("\n".join([*cells, ""]).encode(), np.uint8)
    wanted = np.arange(4)
    cut = []
    for cutter, how in (
        (cut_separated, (ord(","), True, True, wanted)),
        (cut_between, (np.frombuffer(b"::", np.uint8), True, wanted)),
        (cut_words, (True, wanted)),
        (cut_columns, (True, np.array([0, 2, 5, 9, 30]), wanted)),
    ):
        cuts = Cuts.room_for(len(lines), 4)
        rows, position = cutter(lines, *how, cuts)
        cut += [rows, position, *(part.tolist() for part in cuts)]
        unquoted = lines.copy()
        unquote(unquoted, cuts.low[0], cuts.high[0])
        cut += [unquoted.tobytes(), cuts.high[0].tolist()]
    kinds = (AMOUNT, AMOUNT_1024, DECIMAL_COMMA, DURATION, MOMENT)
    numbered = [np.array(values(cells, kind)) for kind in kinds]
    floats = [part.tobytes() for part in (*numbered, memory, within)]
    return [*floats, per.tolist(), *(j.tolist() for j in jobs), numbers.tolist(), *cut]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # compiled, hashes overflow silently
@examples(5)
@given(st.lists(CELLS, min_size=1, max_size=6))
def test_compiled_and_interpreted_are_the_same(cells: list[str]) -> None:
    compiled = all_readings(cells)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Kernel, "__call__", lambda kernel, *given: kernel.function(*given))
        assert all_readings(cells) == compiled


def plain_duration(cell: str) -> float:
    found = re.fullmatch(r"(?:(\d+)-)?(?:(\d+):)?(\d+):(\d\d)(\.\d*)?", cell)
    if not found:
        return np.nan
    days, hours, minutes, seconds, fraction = found.groups()
    if hours is None and days is not None:
        return int(days) * 86400 + int(minutes) * 3600 + int(seconds) * 60
    whole = int(days or 0) * 86400 + int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds)
    return whole + float(f"0{fraction}") if fraction and len(fraction) > 1 else whole


@given(
    st.integers(0, 400), st.integers(0, 99), st.integers(0, 59), st.integers(0, 59), st.integers(0)
)
def test_durations(days: int, hours: int, minutes: int, seconds: int, micro: int) -> None:
    clock = f"{hours:02d}:{minutes:02d}:{seconds:02d}"
    cells = [f"{days}-{clock}", clock, f"{minutes:02d}:{seconds:02d}", f"{clock}.{micro % 1000}"]
    cells += [f"{days}-{hours:02d}:{minutes:02d}", "INVALID", f"{hours}:{minutes}:x", ""]
    wanted = [plain_duration(cell) for cell in cells]
    np.testing.assert_allclose(values(cells, DURATION), wanted, rtol=1e-12)


@given(st.datetimes(datetime(1970, 1, 2), datetime(2199, 12, 31)))
def test_moments(moment: datetime) -> None:
    wanted = moment.replace(microsecond=0, tzinfo=UTC).timestamp()
    text = f"{moment:%Y-%m-%dT%H:%M:%S}"
    cells = [text, text.replace("T", " "), text + "+01:00", str(int(wanted))]
    assert values(cells, MOMENT) == [wanted] * 4


@pytest.mark.parametrize(
    "cell", ["Unknown", "None", "N/A", "2024-00-10T00:00:00", "2024-01-32T00:00:00", "2024-01-01"]
)
def test_what_is_no_moment(cell: str) -> None:
    assert np.isnan(values([cell], MOMENT)).all()


@given(st.just(0.0) | st.floats(1e-90, 1e29) | st.floats(-1e29, -1e-90))
def test_amounts(number: float) -> None:
    cells = [f"{number!r}", f"{number:.6f}", f"{number:.3e}"]
    np.testing.assert_allclose(values(cells, AMOUNT), [float(c) for c in cells], rtol=1e-12)


@pytest.mark.parametrize(("kind", "step"), [(AMOUNT, 1000.0), (AMOUNT_1024, 1024.0)])
def test_prefixes(kind: int, step: float) -> None:
    cells = [f"1.5{prefix}" for prefix in ("", *"KMGTPkmgtp")]
    powers = [0, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5]
    assert values(cells, kind) == [1.5 * step**power for power in powers]
    assert np.isnan(values(["1.5X", "1.5KK", "K", "", "1e30", "1.1e30"], kind)).tolist() == [
        *(True, True, True, True, False, True)
    ]


def test_texts_have_numbers_in_their_order_until_there_are_too_many() -> None:
    texts = Texts(600, TextRoom(1 << 30))
    data, low, high = bounds([f"text {k % 700}" for k in range(1400)])
    numbers = texts.numbers(data, low, high)
    assert numbers.tolist() == [k % 700 if k % 700 < 600 else UNKNOWN for k in range(1400)]
    assert (len(texts), texts.dropped) == (600, 200)
    assert next(iter(texts.values())) == b"text 0"


def test_texts_that_take_too_much_memory_are_dropped() -> None:
    texts = Texts(10_000, TextRoom(40_000))
    numbers = texts.numbers(*bounds([f"{k:0900d}" for k in range(100)]))
    assert len(texts) + texts.dropped == 100
    assert 10 < len(texts) < 60
    assert (numbers[: len(texts)] >= 0).all()


def test_texts_that_are_made_to_collide_take_no_more_time() -> None:
    """A table in which a text meets only others: it looks at so many of them, and no more."""
    texts = Texts(512, TextRoom(1 << 20))
    table = texts._table
    table.slots[:] = 0
    data, low, high = bounds(["a"])
    numbers = np.full(1, UNKNOWN, np.int32)
    assert number_texts(data, low, high, 0, table, numbers) == 1
    assert numbers.tolist() == [UNKNOWN]
    assert texts.dropped == 1
    assert len(table.slots) > MOST_PROBES


@pytest.mark.parametrize(
    ("titles", "cells", "times"),
    [
        ("Start|End", "100|160", (100, 160, 60)),
        ("Start|Elapsed", "100|00:01:00", (100, 160, 60)),
        ("Start|Elapsed", "100|00:00:00", (100, 100, 0)),
        ("End|Elapsed", "160|00:01:00", (100, 160, 60)),
        ("Start|End|Elapsed", "100|999|00:01:00", (100, 160, 60)),
        ("Start|End|Elapsed", "Unknown|160|00:01:00", (100, 160, 60)),
        ("Start|End|Elapsed", "100|160|", (100, 160, 60)),
        ("Start|End|Elapsed", "160|100|", (160, 100, None)),
        ("Start|End|Elapsed", "100|100|00:00:00", (100, 100, 0)),
        ("Start|End|Elapsed", "100|101|00:00:00.5", (100, 100.5, 0.5)),
        ("Start|End|Elapsed", "100|Unknown|", (100, None, None)),
    ],
)
def test_two_of_three_times_tell_the_third(
    titles: str, cells: str, times: tuple[float | None, ...]
) -> None:
    with runs_of(f"JobID|JobName|{titles}\n1|a|{cells}\n", "start", "end", "elapsed") as (_, found):
        assert [value for (value,) in found.values()] == [*times]


@pytest.mark.parametrize(
    ("numbers", "joules"),
    [
        ({"1": 0.5}, [0.5]),
        ({"1": 0.5, "1.batch": 10}, [0.5]),
        ({"1": ""}, [None]),
        ({"1": 0, "2": ""}, [0, None]),
        ({"1": "", "1.batch": 10}, [10]),
        ({"1": 0, "1.batch": 10}, [10]),
        ({"1": 7, "1.batch": 10}, [7]),
        ({"1": "", "1.batch": 10, "1.0": 4, "1.1": 5}, [10]),
        ({"1": "", "1.batch": 10, "1.0": 4, "1.1": 7}, [11]),
        ({"1": "", "1.extern": 10}, [None]),
        ({"1": "", "1.0": 0}, [None]),
        ({"1": 9223372036854775808, "1.0": 5}, [5]),
        # Steps of another job are not counted.
        ({"1_1": "", "1_2.0": 9, "1_1.0": 4}, [4]),
        # Each job has the energy of its own steps.
        ({"1": "", "2": "", "2.batch": 9, "3": "", "3.0": 4}, [None, 9, 4]),
        # Issue 34: where no step has energy, jobs that measured none keep their zero.
        ({"1": 0, "1.0": "", "2": 5, "2.0": 0}, [0, 5]),
    ],
)
def test_energy_is_that_of_the_job_or_of_its_steps(
    numbers: dict[str, object], joules: list[float | None]
) -> None:
    rows = [job_row(number, joules=energy) for number, energy in numbers.items()]
    with runs_of("".join([HEADER, *rows]), "joules") as (_, found):
        assert found["joules"] == joules


def test_watts_of_a_table_are_joules() -> None:
    table = "task,machine,seconds,watts,joules\na,x,5,100,\na,x,5,100,7\na,x,,100,\n"
    with runs_of(table, "joules") as (_, found):
        assert found["joules"] == [500, 7, None]
