"""The profit page follows its controls, and tells profit from loss and from not running."""

import json
import math

import pytest
from pages import (
    charts,
    field,
    figures,
    html,
    module_of,
    opened,
    parameter,
    press,
    put,
    settled,
    visit,
)
from studied import as_file

from core.capabilities.profit import CAPABILITY
from core.capabilities.profit.program import CapTooLow
from core.capabilities.profit.settings import ProfitSettings
from core.capabilities.profit.terms import Terms
from core.engines.front.study import study
from core.engines.verify.judge import verify
from core.files.samples.named import load_sample
from core.shells.studies import StudySettings
from core.vocabulary.budget import Effort
from core.vocabulary.prices.site import Site
from core.vocabulary.without_work import WithoutWork
from dashboard.screens.profit.state import SECTIONS
from dashboard.screens.profit.sweeps import TITLES
from dashboard.workspace.session import CHOSEN, WORKSPACE
from dashboard.workspace.upload import Upload
from dashboard.workspace.workspace import take_upload

JOBS = "profit.jobs"


@pytest.fixture
def page(open_page):
    return open_page("profit", sample="testbed", idle=0.1)


def at_ratio(page, ratio):
    put(page, "profit.ratio", ratio)
    return page


def drawn(page):
    return [json.loads(chart.proto.spec) for chart in charts(page)]


def names(chart):
    return " ".join(trace.get("name", "") for trace in chart["data"])


def test_the_first_look_has_a_sentence_figures_and_charts_with_units(page):
    assert page.header[0].value.startswith("At 1.2 times the cost of the least energy you can ")
    assert " EUR/h, at most " in page.header[0].value
    assert set(figures(page)) == {
        "Upper bound",
        "Found",
        "Price per batch",
        "Period",
        "Energy per batch",
        "Average power",
        "Peak power",
    }
    plane, curve = drawn(page)
    assert "Divisible optimum" in names(plane)
    assert "Best on the front" in names(curve)


def test_lines_of_equal_profit_are_drawn_when_they_are_unfolded(open_page):
    page = open_page("profit", sample="testbed", idle=0.1, profit_show="lines")
    assert "Pivot" in names(drawn(page)[2])
    assert any("EUR/h). Dashed lines are losses" in caption.value for caption in page.caption)


def test_a_better_schedule_comes_from_behind(page):
    assert not settled(page).session_state[JOBS].running()
    said = next(c.value for c in page.caption if c.value.startswith(":material/verified:"))
    assert said.startswith(":material/verified: Checked independently, polished for ")


def test_a_loss_leaves_the_front_and_says_what_not_running_loses(page):
    at_ratio(page, 0.95)
    assert "every batch loses money: " in page.header[0].value
    assert figures(page)["Found"].startswith("−")
    assert "Running nothing loses" in html(page)
    beside = [note["text"] for note in drawn(page)[0]["layout"]["annotations"]]
    assert [note.split("−")[0] for note in beside] == ["at most ", "found "], "below 0, both"


def test_below_a_ratio_nothing_is_run_and_nothing_is_polished(page):
    at_ratio(page, 0.3)
    assert "running nothing is best" in page.header[0].value
    assert set(figures(page)) == {"Machines on", "Switched off", "Price per batch"}
    assert not page.session_state[JOBS].running()
    assert not [button for button in page.button if button.label == "Inspect"]


def test_inspect_takes_the_schedule_to_its_page(page):
    settled(page)
    press(page, "Inspect")
    assert page.title[0].value == "Schedule"
    chosen = page.session_state[CHOSEN]
    assert chosen.title.startswith("Earns ")
    system = page.session_state[WORKSPACE].system
    assert verify(chosen.schedule, system).ok


def test_a_cap_that_idle_machines_break_says_what_they_draw(page):
    put(page, "Power cap (kW)", "0.0001")
    assert page.header[0].value == "The power cap is too low to keep these machines on."
    idle = load_sample("testbed").with_idle_fraction(0.1).total_idle_power
    assert f"{math.floor(100 * idle) / 100:g} W" in page.warning[0].value
    assert page.slider(key="profit.ratio").value == 1.2, "there is a way back"
    put(page, "Power cap (kW)", "")
    assert "you can earn" in page.header[0].value


@pytest.mark.thorough
def test_a_cap_is_drawn_and_told(page):
    at_ratio(page, 2.0)
    put(page, "Power cap (kW)", "150 W")
    assert "Above the cap of 150 W" in names(drawn(page)[0])
    assert "The power cap binds" in html(page)


def test_a_price_a_bag_is_another_way_to_say_it(page):
    price = figures(page)["Price per batch"]
    put(page, "profit.by", "bag")
    assert page.header[0].value.startswith(f"At {price[:4]}")
    put(page, "profit.price", 5.0)
    assert page.header[0].value.startswith("At 5 EUR a batch (")


@pytest.mark.thorough
@pytest.mark.parametrize("ratio", [0.95, 1.2, 1.37])
def test_telling_the_price_another_way_changes_no_number(page, ratio):
    settled(at_ratio(page, ratio))
    before, said = figures(page), page.header[0].value.split("the cost of the least energy")[1]
    for by in ("bag", "ratio"):
        put(page, "profit.by", by)
        assert figures(page) == before
        # In words the price of a batch may be followed by its ratio in brackets.
        assert page.header[0].value.split("the cost of the least energy")[1].lstrip(")") == said
    assert page.slider(key="profit.ratio").value == pytest.approx(ratio)


@pytest.mark.thorough
def test_a_price_beyond_the_slider_is_told_as_a_ratio_all_the_same(page):
    put(page, "profit.by", "bag")
    settled(page.number_input(key="profit.price").set_value(5.0).run())
    before = figures(page)
    put(page, "profit.by", "ratio")
    assert figures(page) == before
    assert page.slider(key="profit.ratio").value > 3


def test_a_batch_is_explained_and_costs_in_force_are_beside_the_price(page):
    assert "all 90 tasks of this system, run once" in page.markdown[0].value
    assert ">Electricity 0.3 EUR/kWh</span>" in html(page)
    assert "PUE" not in html(page)
    put(page, "PUE", 1.5)
    assert ">PUE 1.5</span>" in html(page)


def test_as_published_money_is_joules_worth_a_second(page):
    put(page, "profit.electricity", "joule")
    assert "¤/s" in page.header[0].value
    assert "EUR" not in " ".join(figures(page).values())


@pytest.mark.thorough
@pytest.mark.parametrize("quantity", TITLES)
def test_sweeps_come_on_demand(page, quantity):
    assert len(drawn(page)) == 2
    put(page, "profit.sweep", quantity)
    assert "(" in drawn(page)[2]["layout"]["xaxis"]["title"]["text"]


@pytest.mark.thorough
def test_wear_that_is_typed_counts_and_outlives_a_visit_elsewhere(open_page):
    page = open_page("profit", sample="testbed", idle=0.1, profit_show="lines")
    before = figures(page)["Upper bound"]
    edit(page, page.dataframe[0].proto.id, edited_rows={"1": {"wear": 0.05}})
    worn = figures(page)["Upper bound"]
    assert worn != before
    assert any("Wear is not included" in caption.value for caption in page.caption)
    visit(page, "importing", "profit")
    assert figures(page)["Upper bound"] == worn
    assert page.dataframe[0].value["wear"].tolist() == [0.0, 0.05, 0.0, 0.0]


@pytest.mark.thorough
def test_wear_is_for_the_types_that_it_was_given_for(open_page):
    page = open_page("profit", sample="testbed", idle=0.1, profit_wear="1:0.5")
    worn = figures(page)["Upper bound"]
    system = page.session_state[WORKSPACE].system
    # A system with one of the same names is still another.
    name = system.machine_types[0].name
    upload = Upload.pasted(f"task_type,{name}\nT,3\n", f"task_type,{name}\nT,30\n")
    mine = page.session_state[WORKSPACE]
    page.session_state[WORKSPACE] = take_upload(mine, upload)
    page.run()
    assert not page.exception
    assert not any("Wear is not included" in caption.value for caption in page.caption)
    page.session_state[WORKSPACE] = mine
    page.run()
    assert figures(page)["Upper bound"] == worn


def sections(page):
    return " ".join(markdown.value for markdown in page.markdown)


def edit(page, editor, **changes):
    """As a person types into a table."""
    state = {"edited_rows": {}, "added_rows": [], "deleted_rows": []} | changes
    table = next(one for one in page.dataframe if editor in one.proto.id)
    states = page._tree.get_widget_states()
    states.widgets.add(id=table.proto.id, string_value=json.dumps(state))
    page._run(states)
    assert not page.exception


def test_an_address_opens_the_view_it_was_written_for(open_page):
    page = open_page(
        "profit",
        sample="testbed",
        idle=0.1,
        profit_ratio=1.5,
        currency="CHF",
        profit_deadline=6000,
        profit_day_tariff="3:0.1 9:0.4",
        profit_over="power-cap",
        profit_show="part start",
    )
    assert page.header[0].value.startswith("At 1.5 times")
    assert "CHF/h" in page.header[0].value
    assert len(drawn(page)) == 4
    assert "within 1 h 40 min" in sections(page)
    assert "Start at 03:00" in sections(page)


def test_what_is_changed_on_the_page_is_in_the_address(page):
    assert not [name for name in page.query_params if name.startswith("profit")]
    at_ratio(page, 2.0)
    assert parameter(page, "profit_ratio") == "2"
    put(page, "profit.by", "bag")
    put(page, "profit.price", 5.0)
    assert "profit_ratio" not in page.query_params
    assert parameter(page, "profit_price") == "5"


def test_a_ratio_beyond_the_slider_is_a_price(open_page):
    page = open_page("profit", sample="testbed", profit_ratio=9)
    assert page.button_group(key="profit.by").value == "bag"
    assert "(9 times the cost of the least energy)" in page.header[0].value


def test_parts_stay_folded_until_they_are_asked_for(page):
    assert len(drawn(page)) == 2
    assert "Accept" not in sections(page)
    assert [part.label for part in page.expander] == list(SECTIONS.values())


@pytest.mark.thorough
def test_rewards_and_deadline_are_followed(open_page):
    page = open_page("profit", sample="testbed", idle=0.1, profit_ratio=2, profit_show="part")
    assert "Accept " in sections(page)
    offered = next(one for one in page.dataframe if "reward" in one.value.columns)
    rows = {str(row): {"reward": 0.0} for row in range(1, len(offered.value))}
    edit(page, "profit.rewards", edited_rows=rows)
    for fixed, value in (("Task type", "another"), ("Tasks", 9)):  # nobody can type there
        edit(page, "profit.rewards", edited_rows={"0": {fixed: value, "reward": 0.0}})
    accepted = next(one for one in page.dataframe if "Accept" in one.value.columns)
    assert accepted.value["Accept"].iloc[0] > 0
    assert not accepted.value["Accept"].iloc[1:].any()
    deadline = next(one for one in page.number_input if one.label.startswith("Deadline"))
    deadline.set_value(1e-6).run()
    assert "Accept no tasks" in sections(page)
    visit(page, "importing", "profit")
    assert "Accept no tasks" in sections(page)


def test_a_cap_that_idle_machines_break_accepts_nothing_either(open_page):
    page = open_page("profit", sample="testbed", idle=0.1, profit_show="part start")
    put(page, "Power cap (kW)", "0.0001")
    put(page, "Power cap (kW)", "")
    assert "Accept " in sections(page)


def captions(page):
    return " ".join(one.value for one in page.caption)


@pytest.mark.thorough
def test_prices_by_hour_above_the_page_move_the_start(open_page):
    page = open_page("profit", sample="testbed", idle=0.1, profit_show="start")
    assert "Start at 00:00" in sections(page)
    assert "An example, since the site above the page has no prices by hour" in captions(page)
    put(page, "Price by hour (EUR per kWh)", "0:0.9 3:0.01, 07:30:0.4")
    assert "Start at 03:00" in sections(page)
    assert "An example" not in captions(page)
    assert parameter(page, "day_tariff") == "0:0.9 3:0.01 7.5:0.4"
    assert page.session_state[WORKSPACE].site.price == pytest.approx(0.3894, rel=1e-3), "the mean"
    put(page, "Price by hour (EUR per kWh)", "25:1")
    assert "'25:1' is no HOUR:PRICE" in page.error[0].value
    assert page.error[0].value.endswith("or take a CSV file of from,price in by “Open files”")
    assert parameter(page, "day_tariff") == "0:0.9 3:0.01 7.5:0.4"
    at_ratio(page, 0.3)
    assert "no batch to start" in sections(page)


def test_a_study_file_brings_the_settings_back(open_page):
    system = load_sample("testbed").with_idle_fraction(0.1)
    machine, task = system.machine_types[1].name, system.task_types[0].name
    settings = ProfitSettings(
        ratio=40.0,
        site=Site(currency="SEK", carbon_price=2.0),
        wear=((machine, 0.5),),
        rewards=((task, 1.0),),
        deadline=6000.0,
    )
    asked = StudySettings(
        "testbed",
        "testbed",
        WithoutWork(0.1),
        seconds=0.0,
        site=settings.site,
        blocks=CAPABILITY.block(settings),
    )
    document = as_file(study(system, effort=Effort(0)), asked)
    page = open_page("profit", sample="nine", idle=0.2)
    visit(page, "importing")
    opened(page, "importing.file", ("study.json", document))
    visit(page, "profit")
    assert page.session_state[WORKSPACE].system == system
    # No slider goes so far, but a price does.
    assert "SEK a batch (40 times the cost of the least energy)" in page.header[0].value
    assert "Accept " in sections(page)
    assert page.dataframe[0].value["wear"].tolist() == [0.0, 0.5, 0.0, 0.0]
    assert field(page, "Currency").value == "SEK"
    site = page.session_state[WORKSPACE].site
    assert (site.carbon, site.carbon_price) == (0.35, 2.0)


def test_without_powers_the_page_says_what_to_add(open_page):
    page = open_page("profit", sample="e1")
    assert "no powers" in page.header[0].value
    press(page, "Open the page Work")
    assert page.title[0].value == "Work"


@pytest.mark.parametrize(
    ("proven", "cap", "said"),
    [
        (True, 39.0, "site is at least 40 W, above the cap of 39 W. "),
        (True, 39.9999, "site is at least 40 W, above the cap of 39.9999 W. "),
        (True, 40.00015, "site is at least 40.0002 W, above the cap of 40.00015 W. "),
        (False, 39.9999, "found is 40.01 W at the site, above the cap of 39.9999 W. "),
    ],
)
def test_a_cap_that_is_broken_is_said_below_what_is_drawn(monkeypatch, proven, cap, said):
    """20.0001 W at the machines, of which the site draws twice as much."""
    profit_page = module_of("dashboard.screens.profit.page")
    warned = []
    monkeypatch.setattr(profit_page.st, "header", lambda *_, **__: None)
    monkeypatch.setattr(profit_page.st, "warning", lambda text, **_: warned.append(text))
    terms = Terms(1.0, pue=2.0, power_cap=cap)
    profit_page.show_cap_too_low(terms, CapTooLow(terms, 20.0001, proven=proven))
    (text,) = warned
    assert said in text
