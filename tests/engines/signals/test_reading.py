"""Every format of curves is recognised and read; every fault has its place and a remedy."""

import json
import time
from datetime import UTC, date, datetime

import numpy as np
import pytest

from core.engines.signals.kinds import CARBON, GREEN, KINDS, PRICE, SUN, TEMPERATURE, kind_called
from core.engines.signals.plain import signal_csv
from core.engines.signals.reading import format_in, inspect_signals, inspect_signals_bytes
from core.engines.signals.signal import Signal
from core.engines.signals.source import ReadAs
from core.files.samples.named import day_folder

BERLIN = ReadAs(zone="Europe/Berlin")


def at(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


def read(text: str, name: str = "x.csv", ask: ReadAs | None = None) -> tuple[Signal, ...]:
    reading = inspect_signals_bytes(name, text.encode(), ask)
    assert reading.ok, reading.problems
    return reading.require()


def faults(text: str | bytes, name: str = "x.csv", ask: ReadAs | None = None) -> list[str]:
    reading = inspect_signals_bytes(name, text if isinstance(text, bytes) else text.encode(), ask)
    assert not reading.ok
    return [str(problem) for problem in reading.problems if problem.severity == "error"]


def notes(text: str, name: str = "x.csv", ask: ReadAs | None = None) -> str:
    return "\n".join(inspect_signals_bytes(name, text.encode(), ask).notes)


PLAIN = "time,price,carbon\n2026-08-01T00:00Z,0.1,157\n2026-08-01T01:00Z,-0.2,134\n"


class TestPlain:
    def test_several_curves(self) -> None:
        price, carbon = read(PLAIN)
        assert (price.kind, carbon.kind) == (PRICE, CARBON)
        assert price.begins.tolist() == [at("2026-08-01"), at("2026-08-01T01:00")]
        assert price.seconds.tolist() == [3600, 3600]
        assert price.values.tolist() == [0.1, -0.2]
        assert carbon.values.tolist() == [157, 134]

    @pytest.mark.parametrize("name", ["carbon.csv", "Carbon-forecast.csv", "CO2 2026.csv"])
    def test_the_name_of_a_file_says_what_values_are(self, name) -> None:
        assert read("time,value\n0,1\n60,2\n", name)[0].kind is CARBON

    def test_what_is_said_goes_before_the_name(self) -> None:
        assert read("time,value\n0,1\n60,2\n", "carbon.csv", ReadAs(kind=SUN))[0].kind is SUN

    def test_a_zone_is_said_in_the_cell_in_the_title_by_the_person_or_assumed(self) -> None:
        rows = "{0},price\n2026-08-01 02:00,1\n2026-08-01 03:00,1\n"
        assert read(rows.format("time"))[0].begins[0] == at("2026-08-01T02:00")
        assert "times without a zone are in UTC" in notes(rows.format("time"))
        for title, ask in (("time (Europe/Berlin)", None), ("time", BERLIN)):
            assert read(rows.format(title), ask=ask)[0].begins[0] == at("2026-08-01T00:00")
            assert "without a zone" not in notes(rows.format(title), ask=ask)
        assert read(rows.format("time (UTC)"), ask=BERLIN)[0].begins[0] == at("2026-08-01T02:00")
        zoned = rows.replace(":00,1", ":00+05:00,1").format("time (Europe/Berlin)")
        assert read(zoned)[0].begins[0] == at("2026-07-31T21:00")

    def test_seconds_count_from_the_start_of_a_local_day_or_since_1970(self) -> None:
        ask = ReadAs(zone="Europe/Berlin", day=date(2026, 10, 25))
        (price,) = read("time,price\n0,1\n7200,2\n14400,3\n", ask=ask)
        assert (
            price.begins.tolist() == (at("2026-10-24T22:00") + np.array([0, 7200, 14400])).tolist()
        )
        assert "seconds since the start of 2026-10-25" in notes("time,price\n0,1\n60,1\n", ask=ask)
        assert read(f"time,price\n{at('2026-08-01'):.0f},1\n{at('2026-08-02'):.0f},1\n")[0].begins[
            0
        ] == at("2026-08-01")

    def test_units_in_titles_are_converted(self) -> None:
        text = "time,price [EUR/MWh],carbon (kg/kWh),target (kW)\n0,50,0.2,3\n60,60,0.3,4\n"
        price, carbon, target = read(text)
        assert price.values == pytest.approx([0.05, 0.06])
        assert carbon.values == pytest.approx([200, 300])
        assert target.values == pytest.approx([3000, 4000])

    def test_forecast_and_what_came_in_one_file(self) -> None:
        text = (
            "time,carbon,issued\n2026-08-01T01:00Z,6,2026-07-31T12:00Z\n2026-08-01T00:00Z,3,\n"
            "2026-08-01T00:00Z,5,2026-07-31T00:00Z\n2026-08-01T01:00Z,4,\n"
            "2026-08-01T01:00Z,7,2026-07-31T00:00Z\n"
        )
        came, forecast = read(text)
        assert came.values.tolist() == [3, 4]
        assert not came.is_forecast
        assert forecast.values.tolist() == [5, 7, 6]
        assert forecast.known_at(at("2026-07-31T01:00")).values.tolist() == [5, 7]
        twice = text.replace("2026-07-31T12:00Z", "2026-07-31T00:00Z")
        assert faults(twice) == [
            "error: x.csv, row line 6, column time: is forecast twice by one issue; keep one row"
        ]

    def test_what_is_missing_between_steps_is_a_gap(self) -> None:
        (price,) = read("time,price\n0,1\n3600,2\n7200,\n10800,4\n18000,5\n")
        assert price.seconds.tolist() == [3600] * 4
        assert [(gap.begin, gap.end) for gap in price.gaps(0, 21_600)] == [
            (7200, 10_800),
            (14_400, 18_000),
        ]
        assert "1 value of price blank, a gap each" in notes("time,price\n0,1\n60,\n120,2\n")

    def test_lengths_are_said_or_common_or_asked_for(self) -> None:
        assert read("time,price,seconds\n0,1,25200\n25200,2,61200\n")[0].seconds.tolist() == [
            25_200,
            61_200,
        ]
        assert read("time,price,seconds\n0,1,60\n")[0].seconds.tolist() == [60]
        some = read("time,price,seconds\n0,1,\n60,1,20\n120,1,\n220,1,\n")[0]
        assert some.seconds.tolist() == [60, 20, 60, 60]
        half = read("time,price\n0,1\n60,1\n120,1\n190,1\n290,1\n")[0]
        assert half.seconds.tolist() == [60] * 5
        for rows in ("0,1\n", "0,1\n25200,2\n72000,3\n79200,4\n"):
            (fault,) = faults(f"time,price\n{rows}")
            assert "column seconds: steps have no common length; add a column" in fault
        assert "give the length of the step" in faults("time,price,seconds\n0,1,0\n60,1,60\n")[0]

    def test_german_exports_are_read(self) -> None:
        text = (
            "\ufefftime;price [EUR/MWh];carbon\n25.10.2026 01:00;1.250,5;3\n"
            "25.10.2026 02:00;11,25;4\n25.10.2026 02:00;-12,5;5\n25.10.2026 03:00;1;\n"
        )
        price, carbon = read(text, ask=BERLIN)
        assert price.values == pytest.approx([1.2505, 0.01125, -0.0125, 0.001])
        assert np.diff(price.begins).tolist() == [3600] * 3
        assert len(carbon.begins) == 3

    def test_what_is_written_reads_back(self) -> None:
        forecast = Signal(CARBON, [0, 3600, 3600], [3600] * 3, [1.5, 2, 3], [-1e6 + 2e6, 1e6, 2e6])
        for signal in (forecast, Signal(PRICE, [0.5, 1800], [60, 90], [-4.02 / 1000, 1 / 3])):
            (again,) = read(signal_csv(signal))
            assert again.kind is signal.kind
            for name in ("begins", "seconds", "values"):
                assert getattr(again, name).tolist() == getattr(signal, name).tolist()
            assert (again.issued is None) == (signal.issued is None)
        assert read(signal_csv(forecast))[0].issued.tolist() == forecast.issued.tolist()


MAPS = (
    "Datetime (UTC),Country,Zone Name,Zone Id,Carbon Intensity gCO₂eq/kWh (direct),"
    "Carbon Intensity gCO₂eq/kWh (LCA),Low Carbon Percentage,Data Estimated\n"
    "2023-01-01 00:00:00,France,France,FR,27.75,51.4,95,false\n"
    "2023-01-01 01:00:00,France,France,FR,28.75,52.4,95,false\n"
)


def test_electricity_maps() -> None:
    (carbon,) = read(MAPS)
    assert carbon.kind is CARBON
    assert carbon.begins[0] == at("2023-01-01")
    assert carbon.values.tolist() == [27.75, 28.75]
    assert "(direct)' is read" in notes(MAPS)
    assert read(MAPS.replace("(direct)", "(x)").replace("(LCA)", "(direct)"))[0].values[0] == 51.4
    two = MAPS + "2023-01-01 00:00:00,Spain,Spain,ES,1,2,3,false\n"
    assert read(two)[0].values.tolist() == [27.75, 28.75]
    assert "the zone FR is read, and not ES" in notes(two)
    assert "-27.75 is out of range" in faults(MAPS.replace(",27.75", ",-27.75"))[0]


NESO = {
    "data": [
        {
            "from": "2018-01-20T12:00Z",
            "to": "2018-01-20T12:30Z",
            "intensity": {"forecast": 266, "actual": 263, "index": "moderate"},
        },
        {
            "from": "2018-01-20T12:30Z",
            "to": "2018-01-20T13:00Z",
            "intensity": {"forecast": 270, "actual": None, "index": "moderate"},
        },
    ]
}


def test_neso_has_forecast_and_actual() -> None:
    actual, forecast = read(json.dumps(NESO), "x.json")
    assert actual.values.tolist() == [263]
    assert forecast.values.tolist() == [266, 270]
    assert forecast.seconds.tolist() == [1800, 1800]
    assert forecast.issued.tolist() == [at("2018-01-20T12:00")] * 2
    assert "taken as known when its first step begins" in notes(json.dumps(NESO))
    regional = {"data": {"regionid": 3, "data": NESO["data"]}}
    assert [len(one.begins) for one in read(json.dumps(regional))] == [1, 2]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("266", '"high"', "row entry 1, column forecast: 'high' is text; give a number"),
        ("266", "-1", "row entry 1, column forecast: -1 is out of range"),
        ("266", "NaN", "'NaN' is not a number that can be read"),
        ("T12:30Z", "T25:30Z", "row entry 1, column to: '2018-01-20T25:30Z' is no time"),
        ("T13:00Z", "T12:30Z", "row entry 2, column to: is not after from"),
        ('"data"', '"date"', 'has no list "data"'),
    ],
)
def test_a_wrong_document_is_refused(old, new, fault) -> None:
    assert fault in "\n".join(faults(json.dumps(NESO).replace(old, new)))


ENTSO = (
    '"MTU (CET/CEST)","Area","Sequence","Day-ahead Price (EUR/MWh)","Intraday Price (EUR/MWh)"\n'
)


def mtu(*spans: str, price: str = "50.5", sequence: str = "Sequence 1") -> str:
    return "".join(f'"{span}","BZN|NL","{sequence}","{price}",""\n' for span in spans)


class TestEntsoE:
    def test_a_day_of_25_hours(self) -> None:
        hours = ["00 01", "01 02", "02 03", "02 03", "03 04"]
        spans = [f"26/10/2025 {a}:00:00 - 26/10/2025 {b}:00:00" for a, b in map(str.split, hours)]
        (price,) = read(ENTSO + mtu(*spans))
        assert price.begins[0] == at("2025-10-25T22:00")
        assert np.diff(price.begins).tolist() == [3600] * 4
        assert price.seconds.tolist() == [3600] * 5
        assert price.values == pytest.approx([0.0505] * 5)

    def test_quarters_of_an_hour_and_marks(self) -> None:
        marked = [
            f"26/10/2025 02:{m:02}:00 ({z}) - 26/10/2025 02:{m + 15}:00 ({z})"
            for z in ("CEST", "CET")
            for m in (0, 15, 30)
        ]
        (price,) = read(ENTSO + mtu(*marked))
        assert (price.begins - at("2025-10-26")).tolist() == [0, 900, 1800, 3600, 4500, 5400]
        assert price.seconds.tolist() == [900] * 6
        assert read(ENTSO + mtu(marked[-1]))[0].begins[0] == at("2025-10-26T01:30")

    def test_a_day_of_23_hours_as_older_files_have_it(self) -> None:
        text = (
            '"MTU (CET/CEST)","Day-ahead Price [EUR/MWh]","Currency","BZN|NL"\n'
            '"26.03.2023 01:00 - 26.03.2023 02:00","1.5","EUR",""\n'
            '"26.03.2023 02:00 - 26.03.2023 03:00","","",""\n'
            '"26.03.2023 03:00 - 26.03.2023 04:00","-2.5","EUR",""\n'
            '"26.03.2023 04:00 - 26.03.2023 05:00","n/e","EUR",""\n'
        )
        (price,) = read(text)
        assert price.begins.tolist() == [at("2023-03-26T00:00"), at("2023-03-26T01:00")]
        assert price.seconds.tolist() == [3600, 3600]
        assert price.values == pytest.approx([0.0015, -0.0025])

    def test_of_several_auctions_the_first_is_read(self) -> None:
        span = "01/01/2026 00:00:00 - 01/01/2026 01:00:00"
        text = ENTSO + mtu(span) + mtu(span, price="9", sequence="Sequence 2")
        assert read(text)[0].values == pytest.approx([0.0505])
        assert "the auction Sequence 1 is read, and not Sequence 2" in notes(text)

    def test_faults(self) -> None:
        assert "is no span; write it as 31/12/2026" in faults(ENTSO + mtu("2026-01-01"))[0]
        assert "has no column Day-ahead Price" in faults("MTU (UTC),Load\n1,2\n")[0]
        span = "01/01/2026 00:00:00 - 01/01/2026 01:00:00"
        for old, new in (("CET/CEST", "Mars"), ("EUR/MWh", "EUR/barrel")):
            assert "is not known" in faults(ENTSO.replace(old, new) + mtu(span))[0]
        assert "is there twice" in faults(ENTSO + mtu(span, span))[0]


TMY3 = (
    '723170,"GREENSBORO PIEDMONT TRIAD INT",NC,-5.0,36.100,-79.950,273\n'
    "Date (MM/DD/YYYY),Time (HH:MM),ETR (W/m^2),GHI (W/m^2),GHI source,Dry-bulb (C)\n"
    "01/31/1988,23:00,0,0,1,10.0\n01/31/1988,24:00,0,12,1,-9900\n02/01/1996,01:00,0,5,1,-3.5\n"
)
EPW = (
    "LOCATION,Golden,CO,USA,TMY3,724666,39.74,-105.18,-7.0,1829.0\nDESIGN CONDITIONS,0\n"
    "TYPICAL/EXTREME PERIODS,0\nGROUND TEMPERATURES,0\nHOLIDAYS/DAYLIGHT SAVINGS,No,0,0,0\n"
    "COMMENTS 1,x\nCOMMENTS 2,y\nDATA PERIODS,1,1,Data,Sunday, 1/ 1,12/31\n"
) + "".join(
    f"1995,1,1,{hour},60,?9?9?9,{t},-6,80,82000,0,0,260,{sun},0,0,0,0,0,0,200,2.0,10,9,16.1,77777,9,"
    "999999999,0,0.0,0,88,0.2,0,1\n"
    for hour, t, sun in ((1, -3.0, 0), (2, 99.9, 10), (3, 1.5, 9999))
)
PVGIS = (
    "Latitude (decimal degrees): 45.000\r\nLongitude (decimal degrees): 8.000\r\n"
    "Elevation (m): 250\r\n"
    "Irradiance Time Offset (h): 0.1761\r\nmonth,year\r\n1,2013\r\n2,2018\r\n"
    "time(UTC),T2m,RH,G(h),Gb(n),Gd(h),IR(h),WS10m,WD10m,SP\r\n"
    "20130131:2300,-0.5,88.0,0.0,-0.0,0.0,250.0,1.0,100.0,98000.0\r\n"
    "20180201:0000,0.5,88.0,10.0,-0.0,0.0,250.0,1.0,100.0,98000.0\r\n"
    "\r\nT2m: 2-m air temperature (degree Celsius)\r\nPVGIS (c) European Union, 2001-2023\r\n"
)


class TestTypicalYears:
    def test_tmy3_has_hours_that_end_in_standard_time(self) -> None:
        temperature, sun = read(TMY3)
        assert (temperature.kind, sun.kind) == (TEMPERATURE, SUN)
        assert sun.begins.tolist() == [at(f"2025-02-01T0{h}:00") for h in (3, 4, 5)]
        assert sun.values.tolist() == [0, 12, 5]
        assert temperature.begins.tolist() == [at("2025-02-01T03:00"), at("2025-02-01T05:00")]
        assert temperature.values.tolist() == [10, -3.5]
        assert "are read as the year 2025" in notes(TMY3)
        assert read(TMY3, ask=ReadAs(year=2026))[0].begins[0] == at("2026-02-01T03:00")

    def test_epw(self) -> None:
        temperature, sun = read(EPW, "x.epw")
        assert temperature.values.tolist() == [-3, 1.5]
        assert sun.values.tolist() == [0, 10]
        assert sun.begins.tolist() == [at("2025-01-01T07:00"), at("2025-01-01T08:00")]

    def test_pvgis_has_hours_that_begin_in_utc(self) -> None:
        temperature, sun = read(PVGIS)
        assert temperature.values.tolist() == [-0.5, 0.5]
        assert sun.begins.tolist() == [at("2025-01-31T23:00"), at("2025-02-01T00:00")]
        assert sun.seconds.tolist() == [3600, 3600]

    @pytest.mark.parametrize(
        ("text", "old", "new", "fault"),
        [
            (TMY3, "Dry-bulb (C)", "Dry", "is TMY3, but has no column dry-bulb (c)"),
            (TMY3, "-5.0", "-55", "has the time zone '-55' in its first line"),
            (TMY3, ",24:00", ",25:00", "row line 4, column time: '01/31/1988 25:00' is no hour"),
            (TMY3, "02/01", "02/30", "'02/30/1996 01:00' is no hour of the year 2025"),
            (TMY3, "-3.5", "-99.5", "row line 5, column temperature: -99.5 is out of range"),
            (TMY3, "-3.5", "", "has no value"),
            (EPW, "DATA PERIODS", "PERIODS", "has no line DATA PERIODS"),
            (EPW, "DATA PERIODS,1,1", "DATA PERIODS,1,4", "give one an hour"),
            (EPW, ",-7.0,", ",west,", "has the time zone 'west'"),
            (EPW, "1995,1,1,3,60", "1995,1,1,2,60", "is there twice"),
            (PVGIS, ",G(h)", ",G(x)", "has no column g(h)"),
            (PVGIS, "20180201:0000", "20180101:0000", "comes after"),
        ],
    )
    def test_faults(self, text, old, new, fault) -> None:
        assert old in text
        if fault == "has no value":
            temperature, _ = read(text.replace(old, new))
            assert temperature.values.tolist() == [10]
        else:
            assert fault in "\n".join(faults(text.replace(old, new)))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "is empty; give CSV with the header time,value"),
        (" \n\n", "is empty"),
        ("a,b\n1,2\n", "is of no known format of curves"),
        ("time\n1\n", "has no column that is a curve; name one value, or one of price"),
        ("time,value\n1,2\n", "does not say of what; name the column, or the file, price"),
        ("time,price\n", "has no rows below its header"),
        ("time,price,price\n0,1,1\n", "is price a second time; remove one"),
        ("time,price,electricity price\n0,1,1\n", "is price a second time; remove one"),
        ("time,price [EUR/barrel]\n0,1\n", "is in 'eur/barrel'; give it in a kWh"),
        ("time,price\n0,1\n0,2\n60,3\n", "row line 3, column time: 1970-01-01 00:00 UTC is there"),
        ("time,price\n60,1\n0,2\n", "1970-01-01 00:00 UTC comes after 1970-01-01 00:01 UTC; sort"),
        ("time,carbon\n0,1\n60,-2\n", "row line 3, column carbon: -2 is out of range; give 0 to"),
        ("time,sun\n0,1\n60,2001\n", "row line 3, column sun: 2001 is out of range"),
        ("time,temperature\n0,-61\n", "-61 is out of range; give -60 to 60 °C"),
        ("time,green\n0,-1\n", "row line 2, column green: -1 is out of range"),
        ("time,price\n0,1\n60,NaN\n", "row line 3, column price: 'NaN' is not a number"),
        ("time,price\n0,1\n60,inf\n", "row line 3, column price: 'inf' is infinite"),
        ("time,price\n0,1\n60,1,5\n", "row line 3: has 3 cells, but the header has 2"),
        ("time,price\n0,1\n60\n", "row line 3: has 1 cells, but the header has 2"),
        ("time,price\n0,1\ntomorrow,5\n", "row line 3, column time: 'tomorrow' is no time"),
        ("time,price\n2026-13-01,1\n", "'2026-13-01' is no time"),
        ("time,price\n01/02/26 3 PM,1\n", "is no time; write it as 2026-08-01T14:00"),
        ("time,price\n0001-01-01,1\n", "is no time"),
        ("time,price\n31.02.2026 00:00,1\n", "'31.02.2026 00:00' is no time"),
        ("time,price\n0,\n60,\n", "has no value at all; give one for each time"),
        ("time,price\n0,1\n60,1\n120,1\n190,1\n290,1\n370,1\n", "have no common length"),
        ("time,price\n,1\n0,1\n", "row line 2, column time: '' is no time"),
        ("time,price\n0,1\n60,2\n" + MAPS, "row line 4: begins another table"),
        (MAPS + PLAIN, "row line 4: begins another table; give each table a file of its own"),
        (TMY3 + EPW, "row line 6: begins another table"),
        ("time (Mars/Base),price\n0,1\n", "there is no time zone 'Mars/Base'"),
        ('{"data": [', "is not valid JSON"),
        ('time,price\n0,"1\n', "a quotation mark is not closed"),
        (b"PK\x03\x04" + b"\0" * 30, "is no text; give CSV"),
        (b"time,price\n0,\xff\x00\n", "holds a NUL byte"),
    ],
)
def test_a_hostile_file_is_refused_with_place_and_remedy(text, fault) -> None:
    assert fault in "\n".join(faults(text))


def test_markup_in_names_stays_text_and_is_shortened() -> None:
    text = "time,price,<script>alert(1)</script>\n<b>now</b>,1,2\n" + "x" * 300 + ",1,2\n"
    reading = inspect_signals_bytes("<i>.csv", text.encode())
    said = [problem.message for problem in reading.problems]
    assert said[0].startswith("'<b>now</b>' is no time")
    assert f"'{'x' * 40}…' is no time" in said[1]
    assert "columns that are not used: <script>alert(1)</script>" in said[2]


def test_hours_that_clocks_skipped_are_faults() -> None:
    text = "time,price\n2026-03-29 01:00,1\n2026-03-29 02:00,1\n2026-03-29 03:00,1\n"
    (fault,) = faults(text, ask=BERLIN)
    assert "row line 3, column time: '2026-03-29 02:00' is a time that clocks in" in fault
    assert len(read(text)[0].begins) == 3


def test_every_fault_is_listed_up_to_the_limit() -> None:
    found = faults("time,carbon\n" + "".join(f"{60 * k},-1\n" for k in range(5_000)))
    assert len(found) == 1001
    assert "and 4,000 more errors" in found[-1]


def test_kinds_are_called_in_one_way_each() -> None:
    words = [word for kind in KINDS for word in {kind.name, *kind.called}]
    assert len(set(words)) == len(words)
    assert kind_called("PV_power [kW]") is GREEN
    assert kind_called("prices of pears") is None
    assert CARBON.scale("gCO₂eq/kWh") == CARBON.scale("g CO2e / kWh") == 1
    assert TEMPERATURE.scale("°F") is None


class TestSamples:
    def test_london_has_forecasts_beside_what_came(self) -> None:
        reading = inspect_signals(day_folder("london"))
        assert not reading.problems
        found = reading.require()
        assert [(one.kind.name, one.is_forecast) for one in found] == [
            ("carbon", True),
            ("carbon", False),
            ("price", False),
            ("temperature", True),
            ("temperature", False),
        ]
        start = at("2026-08-01")
        on = [one.on_grid(start, 3600, 24) for one in found]
        ratios = [np.sort(curve)[:8].mean() / curve.mean() for curve in (on[1], on[2], on[0])]
        assert ratios == pytest.approx([0.57, 0.56, 0.50], abs=0.01)
        assert found[3].known_at(start - 1).on_grid(start, 3600, 23).tolist() == on[3][:23].tolist()

    @pytest.mark.parametrize(("day", "sun"), [("summer", 5349), ("winter", 2897), ("spring", 5345)])
    def test_greensboro_has_temperature_and_sun(self, day, sun) -> None:
        temperature, light = inspect_signals(day_folder("greensboro") / f"{day}.csv").require()
        assert light.values.sum() == sun
        assert len(temperature.gaps(light.begins[0], light.begins[0] + 86_400)) == 0

    def test_a_folder_says_all_faults_of_its_files(self, tmp_path) -> None:
        (tmp_path / "a.csv").write_text("time,carbon\n0,-1\n60,1\n")
        (tmp_path / "b.csv").write_text("nothing\n")
        (tmp_path / "README.md").write_text("# words")
        reading = inspect_signals(tmp_path)
        assert not reading.ok
        assert [problem.file for problem in reading.problems] == ["a.csv", "b.csv"]
        assert not inspect_signals(tmp_path / "none.csv").ok


@pytest.mark.thorough
def test_a_million_rows_take_ten_times_as_long_as_a_tenth_of_them() -> None:
    seconds = []
    for rows in (100_000, 1_000_000):
        text = "time,price\n" + "".join(f"{10**9 + 60 * k},{k % 7}\n" for k in range(rows))
        begin = time.process_time()
        (price,) = read(text)
        assert price.on_grid(10**9, 420, rows // 7) == pytest.approx(3.0)
        seconds.append(time.process_time() - begin)
    assert seconds[1] < 40 * seconds[0]


@pytest.mark.parametrize(
    ("text", "form", "named"),
    [
        ("time,value\n2026-08-01T00:00Z,1\n", "CSV", None),
        ("value,time\n1,2026-08-01T00:00Z\n", "CSV", None),
        ("time,carbon (g/kWh)\n2026-08-01T00:00Z,1\n", "CSV", "CSV"),
        ("time;Price [EUR/MWh]\n2026-08-01T00:00Z;1\n", "CSV", "CSV"),
        ("time,watts\n2026-08-01T00:00Z,1\n", None, None),
        ("\tfast\tslow\nsort\t1\t2\n", None, None),
        ("carbon,price\n1,2\n", None, None),
        (",price\nM1,300\n", None, None),
        ("task,machine,seconds\na,m,60\n", None, None),
        ('{"data": [{"from": "a", "intensity": {}}]}', "NESO JSON", "NESO JSON"),
        ('{"data": [1]}', None, None),
        ("PK\x03\x04", None, None),
        ("", None, None),
    ],
)
def test_what_may_be_a_curve_is_told_by_its_first_lines(
    text: str, form: str | None, named: str | None
) -> None:
    for is_named, said in ((False, form), (True, named)):
        found = format_in(text.encode(), named=is_named)
        assert (found.name if found else None) == said
