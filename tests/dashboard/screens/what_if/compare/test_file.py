"""What-ifs that were taken away come back as they were; a foreign file is refused with reasons."""

import json
from dataclasses import replace

import pytest
from marked import marked

from core.files.document import document_lines
from core.files.samples.named import load_sample
from core.vocabulary.prices.tariff import Tariff
from core.vocabulary.without_work import WithoutWork
from dashboard.screens.what_if.compare.file import fits_file, inspect_what_ifs_bytes, what_ifs_bytes
from dashboard.screens.what_if.compare.state import what_if_shelf
from dashboard.screens.what_if.compare.what_ifs import WhatIf

NINE, E1 = load_sample("nine"), load_sample("e1")
FIRST = WhatIf.of(1, "nine", NINE)
WHAT_IFS = (
    FIRST,
    replace(
        WhatIf.of(4, "nine", NINE, WithoutWork(0.3, 15.0)),
        machines=(0, *FIRST.machines[1:]),
        tasks=(7, *FIRST.tasks[1:]),
        tariff=Tariff(0.6, 0.1, 0.02, pue=1.5),
        prices_follow=False,
        name="<b>½ off</b>",
    ),
    WhatIf.of(5, "e1.csv (edited)", E1).following(WithoutWork(0.2)),
)


def reread(what_ifs):
    opened = inspect_what_ifs_bytes("mine.json", what_ifs_bytes(what_ifs))
    assert opened.problems == ()
    return opened.require()


def test_all_that_is_compared_comes_back():
    again = reread(WHAT_IFS)
    for one, other in zip(again, WHAT_IFS, strict=True):
        assert replace(one, base=NINE).__repr__() == replace(other, base=NINE).__repr__()
        assert one.base == other.base
        assert one.title == other.title
    assert again[0].base is again[1].base, "each system is there once"


def test_an_address_from_before_means_them_again():
    assert what_if_shelf().put(reread(WHAT_IFS)) == what_if_shelf().put(WHAT_IFS)


def test_a_file_holds_no_more_than_can_be_read_back():
    many = tuple(replace(FIRST, number=k + 1) for k in range(101))
    assert len(reread(many[:100])) == 100
    assert fits_file(many[:100])
    assert not fits_file(many)
    assert not fits_file(())
    (problem,) = inspect_what_ifs_bytes("mine.json", what_ifs_bytes(many)).problems
    assert problem.message == "holds 101 what-ifs; give at most 100"


def changed(change):
    """The file with something else in its second what-if, or beside."""
    document = json.loads(what_ifs_bytes(WHAT_IFS))
    change(document)
    return json.dumps(document).encode()


def of_second(**values):
    return lambda document: document["what_ifs"][1].update(values)


def with_count(key, value):
    def change(document):
        document["what_ifs"][1][key][2] = value

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (of_second(system=3), "mine.json [what-if 2], column system: is 3, above the number"),
        (of_second(system=0), "system: 0 is out of range; give 1 to 100"),
        (of_second(system="1"), "system: '1' is text"),
        (of_second(number=1), "number: is the same for several what-ifs"),
        (of_second(name=None), "name: is missing or not text"),
        (of_second(origin=7), "origin: is missing or not text"),
        (of_second(idle_power=1.01), "idle_power: 1.01 is out of range; give 0 to 1"),
        (of_second(idle_power_of="me"), "idle_power_of: 'me' is not one of pages"),
        (of_second(tariff=None), "tariff: is not an object"),
        (of_second(tariff={"price_per_kwh": -1, "carbon_per_kwh": 1, "pue": 1}), "-1 is out"),
        (of_second(tariff={"price_per_kwh": 1, "carbon_per_kwh": 1}), "pue: is null"),
        (of_second(machines=[1]), "machines: has 1 values; give 9 counts"),
        (of_second(tasks={}), "tasks: is not a list; give 30 counts"),
        (with_count("machines", -1), "machines: value 3: -1 is out of range; give 0 to 1e+06"),
        (with_count("tasks", 10**13), "tasks: value 3: 10,000,000,000,000 is out of range"),
        (with_count("tasks", 1.5), "tasks: value 3: 1.5 is not a whole number"),
        (lambda it: it["what_ifs"].append(3), "[what-if 4]: is not an object"),
        (lambda it: it["systems"].append(3), "[system 3]: is not an object"),
        (lambda it: it["systems"][0]["etc"][0].pop(), "[system 1] [etc]"),
        (
            lambda it: it["systems"][0].update(format="x"),
            'not a document of the format "wattfront-s',
        ),
        (lambda it: it.update(what_ifs=[]), "holds no what-ifs"),
        (lambda it: it.update(systems={}), "holds no systems"),
        (lambda it: it.update(systems=it["systems"] * 60), "holds 120 systems; give at most 100"),
        (lambda it: it.update(version=2), "has version 2"),
        (lambda it: it.update(format="wattfront-study"), "not a document of the format"),
    ],
)
def test_what_is_wrong_is_located_and_nothing_is_opened(change, said):
    opened = inspect_what_ifs_bytes("mine.json", changed(change))
    assert opened.value is None
    assert any(said in str(problem) for problem in opened.problems), opened.problems


@pytest.mark.parametrize("data", [b"", b"\xff\xfe\x00", b"[1]", b"{", b"task_type,M\nT,3\n"])
def test_what_is_no_such_file_is_refused(data):
    opened = inspect_what_ifs_bytes("mine.json", data)
    assert opened.value is None
    assert opened.problems


def test_keys_that_are_not_used_are_warned_of():
    opened = inspect_what_ifs_bytes("mine.json", changed(lambda it: it.update(colour="red")))
    assert len(opened.require()) == 3
    assert "keys that are not used: colour" in str(opened.problems[0])


def test_names_are_as_a_person_could_have_typed_them():
    data = changed(of_second(name=" a \n b " + "x" * 200, origin="y" * 10_000))
    second = inspect_what_ifs_bytes("mine.json", data).require()[1]
    assert second.name == ("a b " + "x" * 200)[:80]
    assert second.origin == "y" * 260


@pytest.mark.parametrize(("systems", "opens"), [(99, True), (100, True), (101, False)])
def test_a_hundred_systems_are_not_too_many(systems, *, opens):
    def change(document):
        small = json.loads("".join(document_lines(load_sample("two-by-two"))))
        document["systems"] += [small] * (systems - len(document["systems"]))

    assert inspect_what_ifs_bytes("mine.json", changed(change)).ok is opens


def test_estimates_come_back():
    (again,) = reread((WhatIf.of(1, "nine", marked(NINE, (0, 0))),))
    assert again.base == marked(NINE, (0, 0)) != NINE
