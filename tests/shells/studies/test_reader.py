"""What is not sound in a study file is refused, and located; nothing is raised for it."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.profit.settings import ProfitSettings
from core.files import limits
from core.files.findings import Findings
from core.files.samples.named import load_sample
from core.shells.studies import inspect_study_bytes
from core.shells.studies.reader import read_proof
from core.vocabulary.prices.site import Site
from core.vocabulary.problems import InvalidInput

Edit = Callable[[dict[str, Any]], object]


def first(document: dict[str, Any]) -> dict[str, Any]:
    group: dict[str, Any] = document["schedules"][0]["groups"][0]
    return group


FAULTS: dict[str, tuple[Edit, str, str]] = {
    "another format": (lambda d: d.update(format="else"), "", "not a document of the format"),
    "a later version": (lambda d: d.update(version=2), "", "version 1 can be read"),
    "no system": (lambda d: d.pop("system"), "", "has no system"),
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
        "'magic' is not one of lp",
    ),
    "a seed that is no number": (
        lambda d: d["settings"].update(seed="7"),
        "[settings]",
        "'7' is text",
    ),
    "a free lunch": (
        lambda d: d["settings"]["site"].update(price=-1),
        "[settings] [site]",
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
        "are not a schedule of the system",
    ),
    "a stranger": (
        lambda d: first(d).update(tasks={"<b>9</b>": 1}),
        "[schedule 1]",
        "'<b>9</b>' is not a task type",
    ),
    "an unknown machine": (
        lambda d: first(d).update(machine_type="Z"),
        "[schedule 1]",
        "is not a machine type",
    ),
    "a machine short": (lambda d: first(d).update(machines=0), "[schedule 1]", "out of range"),
    "a figure that flatters": (
        lambda d: d["schedules"][0].update(energy=1.0),
        "[schedule 1]",
        "is stated as 1, but its groups add up to",
    ),
    "a wish for nothing": (
        lambda d: d["choice"]["wish"].update(kind="luck"),
        "[choice] [wish]",
        "'luck' is not one of deadline",
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
    "a currency too long": (
        lambda d: d["settings"]["site"].update(currency="E" * 13),
        "[settings] [site]",
        "'EEEEEEEEEEEEE' is not a currency",
    ),
    "wear of a stranger": (
        lambda d: d["settings"]["profit"].update(wear={"Z": 1}),
        "[settings] [profit] [wear]",
        "is no type of the system",
    ),
    "schedules that are none": (lambda d: d.update(schedules=[3]), "[schedule 1]", "not a list"),
}


def test_until_0_2_0_a_study_said_a_tariff_and_profit_its_own(document: dict[str, Any]) -> None:
    settings = document["settings"]
    del settings["site"], settings["view"]
    settings["currency"] = "CHF"
    settings["profit"] |= {"energy_price": 0.5, "currency": "SEK", "carbon": 0.0, "pue": 1.25}
    for tariff, site, view in (
        (None, None, {}),
        ((0.2, 0.4, 0.1, 1.5), Site(0.2, 0.4, 0.1, 1.5, "CHF"), {"axis": "money"}),
        ((0.0, 0.4, 0.0, 1.0), Site(0.0, 0.4, currency="CHF"), {"axis": "carbon"}),
    ):
        keys = ("price_per_kwh", "carbon_per_kwh", "price_of_carbon", "pue")
        settings["tariff"] = None if tariff is None else dict(zip(keys, tariff, strict=True))
        found = inspect_study_bytes("my.json", json.dumps(document).encode())
        assert found.problems == ()
        saved = found.require().settings
        assert (saved.site, saved.view) == (site, view)
        profit = saved.block(ProfitSettings)
        assert profit is not None
        assert profit.site == Site(0.5, 0.0, pue=1.25, currency="SEK")


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_wrong_is_located(document: dict[str, Any], fault: str) -> None:
    edit, place, said = FAULTS[fault]
    edit(document)
    reading = inspect_study_bytes("my.json", json.dumps(document).encode())
    assert not reading.ok
    assert any(
        problem.file.startswith("my.json") and place in problem.file and said in problem.message
        for problem in reading.problems
    ), [str(problem) for problem in reading.problems]
    with pytest.raises(InvalidInput):
        reading.require()


def test_a_sample_that_is_another_is_not_named_again(document: dict[str, Any]) -> None:
    document["settings"]["sample"] = "nine"
    reading = inspect_study_bytes("s", json.dumps(document).encode())
    assert reading.require().settings.sample is None
    assert [problem.severity for problem in reading.problems] == ["warning"]


def test_vertices_that_are_made_up_are_noticed(document: dict[str, Any]) -> None:
    document["vertices"][0][0] *= 0.5
    saved = inspect_study_bytes("s", json.dumps(document).encode()).require()
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
    reading = inspect_study_bytes("hostile", content)
    assert not reading.ok
    assert 1 <= len(reading.problems) <= 20


def test_a_schedule_that_would_fill_memory_is_refused(
    document: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "CELLS", 10)
    document["schedules"][0]["groups"] *= 10
    reading = inspect_study_bytes("s", json.dumps(document).encode())
    assert "more than 10 cells" in reading.problems[0].message


@examples(30)
@given(data=st.data())
def test_whatever_is_put_in_place_of_a_value_nothing_is_raised(
    document_text: bytes, data: st.DataObject
) -> None:
    document = json.loads(document_text)
    odd = st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=3)
    value = data.draw(odd | st.just([]) | st.just({}))
    holder, key = data.draw(st.sampled_from(list(places(document))))
    holder[key] = value
    reading = inspect_study_bytes("s", json.dumps(document).encode())
    assert reading.ok or any(problem.severity == "error" for problem in reading.problems)


def places(node: Any) -> Any:
    """Every (container, key) below a node, deepest last."""
    keys = node.keys() if isinstance(node, dict) else range(len(node))
    for key in list(keys):
        yield node, key
        if isinstance(node[key], dict | list):
            yield from places(node[key])


def test_a_saved_study_holds_no_more_than_it_says(document: dict[str, Any]) -> None:
    document["hidden"] = 1
    document["settings"]["password"] = "x"  # noqa: S105  # what a stranger might add
    reading = inspect_study_bytes("s", json.dumps(document).encode())
    assert reading.ok
    said = " ".join(problem.message for problem in reading.problems)
    assert "hidden" in said
    assert "password" in said


@pytest.mark.parametrize(
    ("rows", "read"), [(0, False), (1, True), (59, True), (60, True), (61, False)]
)
def test_sixty_rows_of_prices_are_read(rows: int, *, read: bool) -> None:
    findings = Findings()
    item = {
        "shortest": 11.0,
        "longest": 30.0,
        "worth_a_step": 0.0,
        "prices": [[1.0, 2.0]] * rows,
        "until": [10] * rows,
    }
    proof = read_proof(item, "s.json", load_sample("two-by-two"), findings)
    assert (proof is not None) is read
    said = ["are not at most 60 rows of 2 numbers"] * (not read)
    messages = [problem.message for problem in findings.problems()]
    assert [message for message in messages if "rows of" in message] == said
