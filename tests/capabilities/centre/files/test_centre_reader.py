"""Files of a centre are read as they are meant, and every fault is said with place and remedy."""

from pathlib import Path

import numpy as np
import pytest
from capabilities.centre.files.centre_files import (
    CARBON,
    FORECAST,
    TOML,
    changed,
    in_toml,
    put,
    read,
    reading,
    said,
    zipped,
)

from core.capabilities.centre.centre import LinearRoom, PhysicalRoom
from core.capabilities.centre.files.centre_reader import (
    inspect_centre,
    inspect_centre_bytes,
    is_centre,
)
from core.engines.signals.kinds import CARBON as CARBON_INTENSITY
from core.engines.signals.kinds import GREEN, SUN

HEADER = "job,kind,servers,seconds,release,due,count\n"
DAY_SECONDS = 4 * 3600


def test_a_centre_of_a_few_lines() -> None:
    file = read()
    cpu, gpu = file.centre.kinds
    assert (cpu.name, cpu.count, cpu.busy_watts, cpu.idle_watts) == ("cpu", 4, 300, 120)
    assert (cpu.asleep_watts, cpu.start_seconds, cpu.start_joules) == (5, 90, 27_000)
    assert (gpu.start_seconds, gpu.start_joules) == (0, 0)
    assert file.centre.room == PhysicalRoom(5e6, 50)
    assert (file.centre.limit, file.centre.first, file.centre.name) == (27, 24, "small")
    assert file.centre.cooling.fan_law == "cubic"
    assert (file.grid.step, file.grid.steps, file.grid.zone) == (900, 16, "Europe/London")
    assert file.grid.begins == np.datetime64("2026-07-31T23:00").astype("datetime64[s]").astype(int)
    assert (file.feed_in, file.peak_price, file.currency) == (0, 0, "EUR")
    assert file.jobs.names == ("render", "train", "mesh")
    day = file.day()
    assert day.begins == file.grid.begins
    assert day.jobs.count.tolist() == [5, 1]
    assert day.jobs.length.tolist() == [2, 4]
    assert day.jobs.due.tolist() == [8, 10]
    assert day.curves.carbon[::4].tolist() == [157, 134, 121, 119]
    assert file.day("forecast").curves.carbon[::4].tolist() == [165, 158, 130, 125]
    assert (day.curves.target == 4 * 300 + 2 * 900 + 2300).all()


def test_what_is_assumed_is_said() -> None:
    notes = reading().notes
    assert (
        "servers.csv: a server that starts draws as much as a busy one, since start_joules does "
        "not say it" in notes
    )
    assert (
        "Assumed all day, since no file says it: price 1 a kWh, outside temperature 25 °C and "
        "green power 0 W, so that cost is energy from the grid in kWh." in notes
    )
    assert "There is no target, so no power is excess." in notes
    all_said = TOML + "[all_day]\nprice=0.3\ntemperature=20\ngreen=100\ntarget=900\n"
    found = reading(centre__toml=all_said)
    assert not [note for note in found.notes if "ssumed" in note or "target" in note]
    assert found.value is not None
    curves = found.value.day().curves
    assert (curves.price[0], curves.outside[0], curves.green[0]) == (0.3, 20, 100)
    assert curves.target[0] == 900


def test_a_folder_an_archive_and_a_folder_in_an_archive(tmp_path: Path) -> None:
    folder = put(tmp_path / "small", {**changed(), "README.md": "# A centre\n"})
    (folder / "signals" / "README.md").write_text("ours")
    assert is_centre(folder)
    found = inspect_centre(folder)
    assert found.problems == ()
    other = inspect_centre_bytes("x.zip", zipped(changed(), "centres/small/")).value
    assert found.value is not None
    assert other is not None
    assert other.day().curves.carbon.tolist() == found.value.day().curves.carbon.tolist()
    assert other.jobs.names == found.value.jobs.names
    path = tmp_path / "small.zip"
    path.write_bytes(zipped(changed()))
    assert is_centre(path)
    assert not is_centre(tmp_path)
    assert not is_centre(tmp_path / "none")
    assert not is_centre(put(tmp_path / "other", {"jobs.csv": "a\n1\n"}) / "jobs.csv")


def test_a_room_as_fitted_to_measurements() -> None:
    fitted = "kept=0.9\noutside=0.05\nper_watt=1e-3\nfan=1.5\ncompressor=2.5"
    toml = in_toml("heat_capacity = 5e6\nleak = 50", fitted)
    assert read(centre__toml=toml).centre.room == LinearRoom(0.9, 0.05, 1e-3, 1.5, 2.5, 900)
    found = said(
        centre__toml=in_toml("heat_capacity = 5e6\nleak = 50", f'{fitted}\nmeasured_step="5min"')
    )
    assert found == [
        "error: centre.toml, column room: the room was measured in steps of 300 s, not of 900 s"
    ]


def test_times_of_day_of_jobs() -> None:
    """By the clock of the zone, which is an hour ahead of UTC; before the begin it is tomorrow."""
    rows = (
        "a,cpu,1,60,00:15,3:00,1\n"
        "b,cpu,1,60,2026-08-01T02:00,2026-08-01T03:00Z,1\n"
        "c,cpu,1,60,1800,,1\n"
    )
    jobs = read(jobs__csv=HEADER + rows).jobs
    assert jobs.release.tolist() == [900, 7200, 1800]
    assert jobs.due[:2].tolist() == [10_800, 14_400]
    assert np.isnan(jobs.due[2])
    late = in_toml("T00:00", "T22:00")
    found = read(
        centre__toml=late + "[all_day]\ncarbon=1\n",
        jobs__csv=HEADER + "a,cpu,1,60,23:00,01:30,1\n",
        signals_carbon__csv=None,
        signals_carbon_forecast__csv=None,
    )
    assert (found.jobs.release.tolist(), found.jobs.due.tolist()) == ([3600], [12_600])
    assert read(jobs__csv=HEADER + "c,cpu,1,60,1800,,1\n").day().jobs.due.tolist() == [16]


def test_a_blank_kind_is_the_only_one() -> None:
    one = "kind,count,busy_watts,idle_watts,asleep_watts\ncpu,4,300,120,5\n"
    file = read(servers__csv=one, jobs__csv="seconds\n60\n120\n")
    assert file.jobs.kind.tolist() == [0, 0]
    assert file.jobs.servers.tolist() == [1, 1]
    assert file.jobs.names == ()
    assert file.day_by_rows().jobs.names == ("1", "2")


def test_the_day_begins_with_its_curves_unless_it_says_when() -> None:
    found = reading(centre__toml=in_toml('begin = "2026-08-01T00:00"\n', ""))
    assert found.value is not None
    assert found.value.grid.begins == read().grid.begins
    assert "The day begins when its curves do, since [grid] says no begin." in found.notes
    bare = reading(
        centre__toml=in_toml('begin = "2026-08-01T00:00"\n', ""),
        signals_carbon__csv=None,
        signals_carbon_forecast__csv=None,
    )
    assert bare.value is not None
    assert bare.value.grid.begins == 0
    for begin in ("2026-08-01T00:00:00", "2026-08-01", '"2026-07-31T23:00Z"'):
        toml = in_toml('"2026-08-01T00:00"', begin)
        assert read(centre__toml=toml).grid.begins == read().grid.begins


def test_the_sun_on_panels() -> None:
    panels = TOML + "[panels]\ncount = 3\nrated_kw = 0.5\n"
    sun = CARBON.replace("value", "sun (W/m2)")
    file = read(centre__toml=panels, signals_sun__csv=sun)
    assert file.signals.came[SUN].values.tolist() == [157, 134, 121, 119]
    assert file.day().curves.green[::4] == pytest.approx(np.array([157, 134, 121, 119]) * 1.2)
    assert GREEN not in file.signals.came


def test_a_forecast_by_its_name_is_known_when_the_day_begins() -> None:
    found = reading(signals_carbon_forecast__csv=CARBON.replace("157", "99"))
    assert found.value is not None
    assert found.value.signals.forecast[CARBON_INTENSITY].issued is not None
    assert found.value.known_at(0).carbon[0] == 99
    assert (
        "signals/carbon-forecast.csv does not say when it was made; it counts as known at "
        "2026-07-31 23:00 UTC, when the day begins" in found.notes
    )


def test_gaps_are_filled_if_that_is_asked_for() -> None:
    gap = "".join(f"{line}\n" for line in CARBON.splitlines() if "T01" not in line)
    filled = in_toml('step = "15min"', 'step = "15min"\nfill = "linear"')
    found = reading(centre__toml=filled, signals_carbon__csv=gap)
    assert found.value is not None
    assert found.value.day().curves.carbon[::4].tolist() == [157, 134, 126.5, 119]
    assert any("1 h without data" in note for note in found.notes)
    none_at_all = said(centre__toml=filled, signals_carbon__csv=CARBON.replace("2026", "2025"))
    assert "is not known from 2026-07-31 23:00 UTC to 2026-08-01 03:00 UTC" in none_at_all[0]


def test_prices_may_be_negative() -> None:
    file = read(signals_price__csv=CARBON.replace("134", "-134"))
    assert file.day().curves.price[4] == -134


GAP = "".join(f"{line}\n" for line in CARBON.splitlines() if "T01" not in line)
ASK = 'give a file that has it, or ask to fill gaps ([grid] fill = "last" or "linear")'


@pytest.mark.parametrize(
    ("changes", "messages"),
    [
        (
            {"centre__toml": in_toml("first = 24", "first = 28")},
            [
                "centre.toml [room], column first: it is 28 °C inside at first, above the limit of "
                "27 °C; let the day begin cooler, or raise the limit"
            ],
        ),
        (
            {"centre__toml": "name = 'x'\n"},
            [
                "centre.toml, column room: is missing; add a group [room]",
                "centre.toml, column cooling: is missing; add a group [cooling]",
            ],
        ),
        (
            {"centre__toml": in_toml("limit = 27.0\n", "")},
            ["centre.toml [room], column limit: is missing; give -50 to 150 °C"],
        ),
        (
            {"centre__toml": in_toml("leak = 50", "leak = 50\nlimits = 1")},
            ["centre.toml [room], column limits: is not a key of a room; did you mean limit?"],
        ),
        (
            {"centre__toml": "[room"},
            [
                "centre.toml: is not valid TOML: Expected ']' at the end of a table declaration "
                "(at end of document); correct it"
            ],
        ),
        (
            {"centre__toml": in_toml("15min", "61min")},
            ["centre.toml [grid], column step: 3660 is out of range; give 60 to 3600 s"],
        ),
        (
            {"centre__toml": in_toml("15min", "59s")},
            ["centre.toml [grid], column step: 59 is out of range; give 60 to 3600 s"],
        ),
        (
            {"centre__toml": in_toml("15min", "7min")},
            [
                "centre.toml [grid], column length: of 14400 s is no whole number of steps of 420 "
                "s; change one of them"
            ],
        ),
        (
            {"centre__toml": in_toml("5e6", "5e4")},
            [
                "centre.toml, column room: a step of 900 s is too long for the room: a warmer room "
                "would be the cooler one after it. Take shorter steps, or a larger heat capacity"
            ],
        ),
        (
            {"centre__toml": in_toml("Europe/London", "Europe/Londn")},
            [
                "centre.toml [grid], column zone: there is no time zone 'Europe/Londn'; did you "
                "mean Europe/London or Europe/Lisbon or Europe/Oslo?"
            ],
        ),
        (
            {"centre__toml": in_toml('2026-08-01T00:00"', '2026-03-29T01:30"')},
            [
                "centre.toml [grid], column begin: '2026-03-29T01:30' is no time; write it as "
                "2026-08-01T14:00 or 2026-08-01T14:00+02:00, in Europe/London"
            ],
        ),
        (
            {"centre__toml": in_toml('"15min"', '"15min"\nfill = "next"')},
            [
                "centre.toml [grid], column fill: 'next' is not one of last, linear; give one of "
                "them"
            ],
        ),
        (
            {"centre__toml": TOML + "[panels]\ncount = 3\nrated_kw = 0.5\n"},
            ["centre.toml, column panels: need the sun; add a curve of it to signals/, in W/m²"],
        ),
        (
            {
                "centre__toml": TOML + "[panels]\ncount=3\nrated_kw=0.5\n[all_day]\ngreen=3\n",
                "signals_sun__csv": CARBON.replace("value", "sun"),
            },
            ["centre.toml, column panels: and green power are both there; remove one of the two"],
        ),
        (
            {"centre__toml": TOML + "[all_day]\ncarbon = 3\n"},
            [
                "centre.toml [all_day], column carbon: is there beside "
                "signals/carbon-forecast.csv; remove one of the two"
            ],
        ),
        (
            {
                "centre__toml": TOML.replace("compressor_heat = 5500", "compressor_heat = 0")
                + "[all_day]\ntemperature = 60\n"
            },
            [
                "centre.toml, column cooling: cannot hold 27 °C from step 10 on (8100 s), even if "
                "all servers sleep: 1.01 kW of cooling are missing; give more cooling, or a higher "
                "limit"
            ],
        ),
        (
            {"signals_carbon__csv": GAP},
            [
                "signals/carbon.csv, column carbon: carbon intensity is not known from 2026-08-01 "
                f"01:00 UTC to 2026-08-01 02:00 UTC; {ASK}"
            ],
        ),
        (
            {"signals_carbon__csv": CARBON.replace("2026-08-01T02:00Z,119\n", "")},
            [
                "signals/carbon.csv, column carbon: carbon intensity is not known from 2026-08-01 "
                f"02:00 UTC to 2026-08-01 03:00 UTC; {ASK}"
            ],
        ),
        (
            {"signals_carbon__csv": CARBON.replace("134", "-134")},
            [
                "signals/carbon.csv, row line 3, column carbon: -134 is out of range; give 0 to "
                "100000 g CO2 a kWh"
            ],
        ),
        (
            {"signals_carbon2__csv": CARBON.replace("value", "carbon")},
            [
                "signals/carbon2.csv, column carbon: is carbon intensity a second time, beside "
                "signals/carbon.csv; remove one"
            ],
        ),
        (
            {"signals_carbon__csv": CARBON + "Datetime (UTC),Carbon\n2026-01-01,3\n"},
            [
                "signals/carbon.csv, row line 6: begins another table; give each table a file of "
                "its own"
            ],
        ),
        ({"servers__csv": None}, ["small.zip: has no table servers; add it"]),
        ({"jobs__csv": None}, ["small.zip: has no table jobs; add it, or a log as jobs.swf"]),
        (
            {"centre__toml": None},
            ["small.zip: has no centre.toml, so it is no centre; give a folder that has one"],
        ),
        (
            {
                "servers__csv": "kind,count,busy_watts,idle_watts,asleep_watts,start_joules\n"
                "cpu,0,100,120,5,\ncpu,3,100,90,95,\ngpu,3,100,90,5,7\n"
            },
            [
                "servers.csv, row line 3, column kind: kind 'cpu' is there twice (line 2 and line "
                "3); rename one",
                "servers.csv, row line 2, column count: is 0; remove the row, or give 1",
                "servers.csv, row line 2, column idle_watts: is 120, above busy_watts, 100; "
                "correct one of them",
                "servers.csv, row line 3, column asleep_watts: is 95, above idle_watts, 90; "
                "correct one of them",
                "servers.csv, row line 4, column start_joules: are drawn while a server starts, "
                "for 0 s; give start_seconds, too",
            ],
        ),
        (
            {"servers__csv": "kind,count,busy_watts,idle_watts,asleep_watts\n"},
            ["servers.csv: has no row; give one for each kind of servers"],
        ),
        (
            {
                "servers__csv": "kind;count;busy_watts;idle_watts;asleep_watts\n"
                "cpu;4;300,5;120;5\ngpu;2;900;200;5\n"
            },
            [
                "servers.csv, row line 2, column busy_watts: '300,5' has a decimal comma; write "
                "300.5"
            ],
        ),
        ({"jobs__csv": HEADER}, ["jobs.csv: has no job; give a row for each"]),
        (
            {"jobs__csv": HEADER + "a,cpu,5,60,0,,1\na,,1,60,0,,1\nb,tpu,1,60,0,,1\n"},
            [
                "jobs.csv, row line 3, column job: job 'a' is there twice (line 2 and line 3); "
                "rename one",
                "jobs.csv, row line 4, column kind: 'tpu' is not a kind in servers.csv; correct "
                "the name",
                "jobs.csv, row line 3, column kind: is blank, but there are 2 kinds of servers; "
                "give one",
                "jobs.csv, row line 2, column servers: is 5, but there are only 4 of kind cpu; "
                "give fewer, or another kind",
            ],
        ),
        (
            {"jobs__csv": HEADER + "a,cpu,1,60,-5,,1\nb,cpu,1,60,13500,,1\nc,cpu,1,901,13500,,1\n"},
            [
                "jobs.csv, row line 2, column release: is 5 s before the day begins; give 0 for "
                "what may start at once",
                "jobs.csv, row line 4, column seconds: is 901, so a job that may start at 13500 s "
                "cannot end within the day, which has 16 whole steps of 900 s; release it earlier, "
                "or give a longer day",
            ],
        ),
        (
            {"jobs__csv": HEADER + "a,cpu,0,0,x,noon,0\n"},
            [
                "jobs.csv, row line 2, column servers: 0 is out of range; give 1 to 1e+06 servers",
                "jobs.csv, row line 2, column seconds: 0 is out of range; give 0.001 to 1e+08 s",
                "jobs.csv, row line 2, column release: 'x' is no time; give seconds from the begin "
                "of the day on, or a time as 14:00 or 2026-08-01T14:00",
                "jobs.csv, row line 2, column due: 'noon' is no time; give seconds from the begin "
                "of the day on, or a time as 14:00 or 2026-08-01T14:00",
                "jobs.csv, row line 2, column count: 0 is out of range; give 1 to 1e+09 jobs",
            ],
        ),
        (
            {"jobs__csv": HEADER + '"a\nb",cpu,1,60,0,,1\n=1+1,cpu,1,60,0,,1\n'},
            [
                "jobs.csv, row line 2, column job: contains a line break or a control character; "
                "remove it"
            ],
        ),
    ],
)
def test_each_fault_is_said(changes: dict[str, str | None], messages: list[str]) -> None:
    assert sorted(said(**changes)) == sorted(f"error: {message}" for message in messages)


def test_what_is_odd_but_possible_is_a_warning() -> None:
    late = HEADER + "".join(f"j{k},cpu,1,600,100,{500 + k},1\n" for k in range(8))
    found = reading(jobs__csv=late)
    assert found.value is not None
    assert len(found.problems) == 6
    assert str(found.problems[0]) == (
        "warning: jobs.csv, row line 2, column due: is 500 s, 200 s before the job can end; it is "
        "late whatever is done, so give a later date unless that is meant"
    )
    assert "so are 3 more due dates" in str(found.problems[-1])
    assert said(jobs__csv=HEADER + "a,cpu,1,600,100,700,1\n") == []
    assert said(signals_sun__csv=CARBON.replace("value", "sun")) == [
        "warning: signals/sun.csv: the sun is not used, since there are no panels; add a group "
        "[panels], or remove it"
    ]
    assert said(signals_table__xlsx="x") == [
        "warning: signals: holds files that are not read: signals/table.xlsx; remove them"
    ]


def test_a_document_that_is_none() -> None:
    for data, message in (
        (b"a,b\n1,2\n", "is no centre; give a folder with centre.toml, a .zip of it"),
        (b'{"format": "x"}', 'is not a document of the format "wattfront-centre"'),
        (
            b'{"format": "wattfront-centre", "version": 1, "centre": {}, "signals": [1]}',
            "has no texts of files in signals",
        ),
    ):
        (problem, *_) = inspect_centre_bytes("x", data).problems
        assert message in problem.message


def test_forecasts_say_when_they_were_made() -> None:
    """The same hour may be forecast again; the latest counts, by what was known."""
    assert "2026-08-01T00:30Z" in FORECAST
    file = read()
    hours = {0: [165, 158, 149, 125], 3600: [157, 158, 149, 125], 5400: [157, 158, 130, 125]}
    hours[7200] = [157, 134, 130, 125]
    for seconds, values in hours.items():
        assert file.known_at(seconds).carbon[::4].tolist() == values
    assert file.known_at(DAY_SECONDS).carbon.tolist() == file.day().curves.carbon.tolist()
    assert file.known_at(0).price.tolist() == file.day().curves.price.tolist()


def test_times_of_curves_are_those_of_the_centre() -> None:
    """Seconds count from the start of its day, clocks are those of its zone, and typical years
    become its year.
    """
    seconds = "time,price\n0,1\n3600,2\n7200,3\n10800,4\n"
    clock = "time,price\n" + "".join(f"2026-08-01T0{k}:00,{k + 1}\n" for k in range(4))
    for text in (seconds, clock):
        found = reading(signals_price__csv=text)
        assert found.value is not None
        assert found.value.day().curves.price[::4].tolist() == [1, 2, 3, 4]
        assert not any("in UTC; name the zone" in note for note in found.notes)
    typical = "# PVGIS\ntime(UTC),T2m,G(h)\n" + "".join(
        f"2011{'0731' if k == 23 else '0801'}:{k:02d}00,{k},0\n" for k in (23, 0, 1, 2)
    )
    file = read(signals_weather__csv=typical)
    assert file.day().curves.outside[::4].tolist() == [23, 0, 1, 2]


def test_the_begin_of_curves_that_begin_at_different_times() -> None:
    """The day begins when all are known; a forecast by its name was made with its first step."""
    later = "".join(f"{line}\n" for line in CARBON.splitlines() if "T23" not in line)
    toml = in_toml('begin = "2026-08-01T00:00"\n', "").replace("4h", "3h")
    found = reading(
        centre__toml=toml,
        signals_price__csv=later.replace("value", "price"),
        signals_carbon_forecast__csv=CARBON,
    )
    assert found.value is not None
    assert found.value.grid.begins == read().grid.begins + 3600
    (issued, *_) = found.value.signals.forecast[CARBON_INTENSITY].issued.tolist()
    assert issued == read().grid.begins
    assert "signals/carbon.csv is read as CSV" in found.notes
