"""The settings in a study file are read as they were written, and as command lines ask them."""

import pytest

from core.capabilities.profit import CAPABILITY
from core.capabilities.profit.settings import ProfitSettings
from core.capabilities.profit.study_block import commands, read, written
from core.files.findings import Findings
from core.files.samples.named import load_sample
from core.files.strict_json import Fields
from core.shells.studies.settings import StudySettings
from core.vocabulary.prices.site import Site

ALL = ProfitSettings(
    by="bag",
    ratio=1.2,
    price=5.0,
    electricity="kWh",
    site=Site(
        price=0.25,
        currency="CHF",
        carbon=0.5,
        carbon_price=0.125,
        pue=1.5,
        cap_kw=2.0,
        day_tariff=((0.0, 0.2), (7.5, 0.4)),
    ),
    overhead=3.0,
    wear=(("A", 1.0),),
    depreciation=(("B", 2.0),),
    deadline=60.0,
    rewards=(("1", 7.0),),
)
ALL_WRITTEN = {
    "by": "bag",
    "price": 5.0,
    "electricity": "kWh",
    "overhead": 3.0,
    "wear": {"A": 1.0},
    "depreciation": {"B": 2.0},
    "deadline": 60.0,
    "rewards": {"1": 7.0},
}
FORMERLY = {
    "energy_price": 0.25,
    "currency": "CHF",
    "carbon": 0.5,
    "carbon_price": 0.125,
    "pue": 1.5,
    "cap_kw": 2.0,
    "day_tariff": [[0.0, 0.2], [7.5, 0.4]],
}
"""What the block said of the site until 0.2.0."""


@pytest.fixture(scope="module")
def two():
    return load_sample("two-by-two")


def given(content):
    return Fields(content, "it", Findings())


def told(content, system=None):
    """The places of problems, and what is said there."""
    fields = given(content)
    read(fields, system)
    problems = fields.findings.problems()
    return [(each.severity, each.file, each.column, each.message) for each in problems]


def test_all_that_there_is_is_written_and_read():
    assert written(ALL) == ALL_WRITTEN
    fields = given(ALL_WRITTEN)
    assert read(fields, None, ALL.site) == ALL
    assert not fields.findings.problems()


def test_what_it_said_of_the_site_formerly_still_counts():
    fields = given(ALL_WRITTEN | FORMERLY)
    assert read(fields, None) == ALL
    assert read(fields, None, Site(pue=3.0)) == ALL
    assert read(given({}), None, Site(pue=3.0)).site == Site(pue=3.0)
    assert read(given({"carbon_price": 1.0}), None).site.carbon == 0.0
    assert not fields.findings.problems()


def test_what_is_not_there_is_not_written_and_as_usual():
    usual = ProfitSettings()
    assert written(usual) == {"by": "ratio", "ratio": 1.2, "electricity": "kWh", "overhead": 0.0}
    assert read(given({"cap_kw": None, "wear": None}), None, Site()) == usual


def test_the_block_is_there_where_profit_was_asked_about():
    assert CAPABILITY.block(None) == {}
    assert CAPABILITY.block(ALL) == {"profit": ALL}
    assert StudySettings("it", blocks=CAPABILITY.block(ALL)).block(ProfitSettings) is ALL
    assert StudySettings("it").block(ProfitSettings) is None
    assert StudySettings("it", blocks={"profit": 5}).block(ProfitSettings) is None


def test_types_must_be_those_of_the_system(two):
    task, machine = two.task_names[0], two.machine_names[0]
    content = {"wear": {machine: 1}, "depreciation": {task: 1}}
    stranger = "is no type of the system; correct the name"
    assert told(content | {"rewards": {machine: 1}}, two) == [
        ("error", "it [depreciation]", task, stranger),
        ("error", "it [rewards]", machine, stranger),
    ]
    assert told(content | {"rewards": {task: 1}, "depreciation": {}}, two) == []


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ({"odd": 1}, ("warning", "it", "", "keys that are not used: odd; remove them")),
        ({"by": "it"}, ("error", "it", "by", "'it' is not one of ratio, bag; give one of them")),
        (
            {"electricity": "it"},
            ("error", "it", "electricity", "'it' is not one of kWh, joule; give one of them"),
        ),
        (
            {"pue": 0.5},
            ("error", "it", "pue", "0.5 is out of range; give 1 to 100 joules of the site for one"),
        ),
        ({"currency": "<"}, ("error", "it", "currency", "'<' is not a currency; give letters")),
        (
            {"wear": {"A": -1}},
            ("error", "it [wear]", "A", "-1 is out of range; give 0 to 1e+12 an hour"),
        ),
        (
            {"rewards": {"A": -1}},
            ("error", "it [rewards]", "A", "-1 is out of range; give 0 to 1e+12 a task"),
        ),
        ({"depreciation": 1}, ("error", "it", "depreciation", "is not an object")),
    ],
)
def test_a_fault_is_told_where_it_is(content, problem):
    ((*place, said),) = told(content)
    assert tuple(place) == problem[:3]
    assert said.startswith(problem[3])


CARBON = ["--carbon", 0.5, "--carbon-price", 0.125]
CHF = ["--power-cap", "2kW", "--currency", "CHF"]
COSTS = ["--overhead", 3.0, "--wear", "A=1", "--depreciation", "B=2"]


@pytest.mark.parametrize(
    ("asked", "lines"),
    [
        (
            ALL,
            [
                [
                    *("--price", 5.0, "--energy-price", 0.25),
                    *(*CARBON, "--pue", 1.5, "--day-tariff", "0:0.2,7.5:0.4", *CHF, *COSTS),
                ],
                [
                    *("--deadline", 60.0, "--rewards", "1=7"),
                    *("--energy-price", 0.25, *CARBON, "--pue", 1.5, *CHF, *COSTS),
                ],
            ],
        ),
        (ProfitSettings(), [["--ratio", 1.2, "--energy-price", 0.3]]),
        (
            ProfitSettings(site=Site(carbon_price=0.5)),
            [["--ratio", 1.2, "--energy-price", 0.3, "--carbon-price", 0.5]],
        ),
        (ProfitSettings(deadline=5.0), [["--ratio", 1.2, "--energy-price", 0.3]]),
        (ProfitSettings(rewards=(("1", 7.0),)), [["--ratio", 1.2, "--energy-price", 0.3]]),
        (
            # Money a second is money an hour on the command line.
            ProfitSettings(electricity="joule", wear=(("-A", 1.0), ("B", 0.5))),
            [["--ratio", 1.2, "--wear", "B=1800", "--wear=-A=3600"]],
        ),
        (
            ProfitSettings(by="bag", electricity="joule"),
            [["--price", 1.0, "--energy-price", 3.6e6]],
        ),
        (
            ProfitSettings(electricity="joule", site=Site(day_tariff=((0.0, 1.0),))),
            [["--ratio", 1.2, "--energy-price", 3.6e6, "--day-tariff", "0:1"]],
        ),
        (
            ProfitSettings(wear=(("-A", 1.0),)),
            [["--ratio", 1.2, "--energy-price", 0.3, "--wear=-A=1"]],
        ),
    ],
)
def test_command_lines_ask_the_same(asked, lines):
    assert commands(asked) == lines
