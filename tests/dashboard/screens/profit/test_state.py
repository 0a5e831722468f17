"""An address of the profit page opens the view it was written for, without a name of anybody's."""

from dataclasses import replace

import numpy as np
import pytest
from any_settings import any_settings
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.profit.settings import NAMED, ProfitSettings
from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.prices.site import Site
from core.vocabulary.system import System
from dashboard.screens.profit.state import PARAMETERS, ProfitPageSettings, read, restored, written
from dashboard.workspace import address

SYSTEM = load_sample("testbed")
MACHINES = [machine.name for machine in SYSTEM.machine_types]
TASKS = [task.name for task in SYSTEM.task_types]


@st.composite
def views(draw):
    money = st.floats(0, 1e6)

    def named(names):
        chosen = st.dictionaries(st.sampled_from(names), money)
        return chosen.map(lambda rates: tuple(sorted(rates.items())))

    by = draw(st.sampled_from(["ratio", "bag"]))
    usual, unused = ProfitSettings(), "price" if by == "ratio" else "ratio"
    settings = replace(
        draw(any_settings(ProfitSettings)),
        by=by,
        **{unused: getattr(usual, unused)},
        wear=draw(named(MACHINES)),
        depreciation=draw(named(MACHINES)),
        rewards=draw(named(TASKS)),
    )
    over = draw(st.none() | st.sampled_from(["price", "energy price", "power cap", "idle power"]))
    return ProfitPageSettings(
        settings, over, draw(st.sampled_from([(), ("part",), ("part", "start")]))
    )


def in_order(settings):
    """Rates and rewards sorted: their order means nothing."""
    now = settings.profit
    named = {name: tuple(sorted(getattr(now, name))) for name in NAMED}
    return replace(settings, profit=replace(now, **named))


@examples(10)
@given(views())
def test_settings_come_back(settings):
    parameters = written(settings, SYSTEM)
    found, notes = read(parameters, SYSTEM)
    assert in_order(found) == in_order(settings)
    assert notes == ()
    assert set(parameters) <= PARAMETERS
    assert address.read(parameters) == (address.AddressSettings(), ()), (
        "they are no strangers there"
    )
    assert not any(name in value for value in parameters.values() for name in TASKS)


def test_the_usual_view_needs_no_words():
    assert written(ProfitPageSettings(), SYSTEM) == {}
    assert read({}, SYSTEM) == (ProfitPageSettings(), ())


def test_of_ratio_and_price_the_one_that_counts_is_there():
    by_price = ProfitSettings(by="bag", ratio=2.0, price=1.0)
    assert written(ProfitPageSettings(by_price), SYSTEM) == {"profit_price": "1"}
    assert read({"profit_price": "1", "profit_ratio": "2"}, SYSTEM)[0].profit.by == "bag"


def test_what_is_of_other_types_is_left_out():
    settings = ProfitPageSettings(ProfitSettings(wear=(("ghost", 1.0), (MACHINES[2], 0.5))))
    assert written(settings, SYSTEM) == {"profit_wear": "3:0.5"}


@pytest.mark.parametrize(
    ("parameters", "note"),
    [
        ({"profit_ratio": "1e7"}, "profit_ratio is “1e7”; give 0 to 1e+06 times"),
        ({"profit_wear": "9:1"}, "profit_wear is “9:1”; give pairs such as 1:0.5 3:2"),
        ({"profit_show": "all"}, "profit_show is “all”; give one of lines, part, start"),
        ({"profit_over": "time"}, "profit_over is “time”; give one of price, energy-price"),
        ({"profit_deadline": "0"}, "profit_deadline is “0”; give 1e-09 to"),
    ],
)
def test_what_cannot_be_read_is_ignored_with_a_note(parameters, note):
    settings, (said,) = read(parameters, SYSTEM)
    assert settings == ProfitPageSettings()
    assert said.startswith(note)


def test_a_study_unfolds_what_it_says_something_of():
    assert restored(ProfitSettings()).show == ()
    assert restored(ProfitSettings(rewards=(("T", 1.0),))).show == ("part",)
    assert restored(ProfitSettings(deadline=1.0, site=Site(day_tariff=((0.0, 1.0),)))).show == (
        "part",
        "start",
    )


@pytest.mark.parametrize(("named", "kept"), [(59, True), (60, True), (61, False)])
def test_so_many_rates_are_in_the_address_at_most(named, *, kept):
    many = System(
        (TaskType("T"),), tuple(MachineType(f"M{j}") for j in range(61)), np.ones((1, 61))
    )
    wear = tuple((f"M{j}", 1.0 + j) for j in range(named))
    said = written(ProfitPageSettings(ProfitSettings(wear=wear)), many)
    assert ("profit_wear" in said) is kept
