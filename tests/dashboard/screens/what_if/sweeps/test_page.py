"""The page What-if map computes in the background, shows what it found, and leads to one run."""

import json

import pytest
from pages import (
    button,
    charts,
    html,
    opened,
    own,
    parameter,
    press,
    put,
    run,
    settled,
    spoken,
    visit,
)
from studied import as_file

from core import study
from core.files.samples.named import load_sample
from core.shells.studies import StudySettings
from core.vocabulary.budget import Effort
from dashboard.screens.what_if.sweeps import state, sweep_map
from dashboard.screens.what_if.sweeps.choices import MOST_RUNS_HERE
from dashboard.workspace.session import WORKSPACE

SMALL = "idle:0:100:50 machines.1:0:2:1"


@pytest.fixture
def page(open_page):
    return open_page("what_if", what_if_view="map", sample="two-by-two", sweep=SMALL)


def done(page):
    page = settled(page)
    while page.session_state["sweeps.jobs"].running():
        page = settled(page)
    return run(page)


def figures_of_run(page):
    table = page.dataframe[0].value
    return dict(zip(table["Figure"], table["Value"], strict=True))


def varying(page):
    return [box for box in page.selectbox if box.label == "What varies"]


def pick(page, number):
    page.session_state[state.PICKED] = number
    return run(page)


def test_it_begins_with_usual_axes_and_their_map(open_page):
    page = done(open_page("what_if", what_if_view="map", sample="nine"))
    assert [box.value for box in varying(page)] == ["idle", "machines.M1"]
    assert [one.value for one in own(page.number_input)] == [0, 100, 10, 0, 8, 1]
    assert any("99 runs, about " in caption.value for caption in page.caption)
    assert len(charts(page)) == 1
    assert "sweep" not in page.query_params
    page = open_page("what_if", what_if_view="map", sample="nine", asleep=10)
    assert [box.value for box in varying(page)] == ["machines.M1"], "idle says nothing"


@pytest.mark.thorough
def test_what_is_varied_comes_back_with_a_study_file(open_page):
    """Issue 35: that of the study takes the place of what the session varied."""
    asked = StudySettings(
        "two-by-two", "two-by-two", seconds=0.0, view={"sweep": SMALL, "odd": "1"}
    )
    document = as_file(study(load_sample("two-by-two"), effort=Effort(0)), asked)
    page = open_page("importing", sample="nine")
    opened(page, "importing.file", ("study.json", document))
    visit(page, "what_if")
    put(page, "View", "map")
    assert [box.value for box in varying(page)] == ["idle", "machines.A"]
    assert page.query_params["sweep"] == SMALL


def test_only_what_can_be_clicked_is_said_to_be(page, monkeypatch):
    def says(part):
        return any(part in caption.value for caption in page.caption)

    def look():
        (chart,) = charts(page)
        kinds = {trace["type"] for trace in json.loads(chart.proto.spec)["data"]}
        return kinds, says("Click a run"), says("So large a map cannot be clicked")

    page = done(page)
    assert says("Every figure is a proven bound")
    assert look() == ({"heatmap", "scatter"}, True, False)
    monkeypatch.setattr(sweep_map, "MOST_CLICKED", 8)  # of 9 runs
    page = run(page)
    assert look() == ({"heatmap", "scatter"}, False, True)
    page = page.button_group(key="sweeps.look").set_value("Lines").run()
    assert look() == ({"scatter"}, True, False)


@pytest.mark.thorough
def test_a_third_axis_makes_panels(open_page):
    three = f"{SMALL} tasks.1:1:3:1"
    page = done(open_page("what_if", what_if_view="map", sample="two-by-two", sweep=three))
    assert len(charts(page)) == 3
    assert "Tasks of type T1: 2" in [text.value for text in page.text]


@pytest.mark.thorough
def test_a_run_that_was_picked_says_its_figures_and_opens(page):
    page = pick(done(page), 5)
    assert figures_of_run(page)["Makespan at least"] == "6.74999 s"
    assert "Idle power: 50 %, Machines of type A: 2" in [text.value for text in page.text]
    # A test cannot switch to a page of another script.
    button(page, "Open this system on Trade-offs").click()
    page.run()
    now = page.session_state[WORKSPACE]
    assert now.system.machine_counts.tolist() == [2, 1]
    assert now.idle.idle_power == 0.5
    assert now.past
    assert "They are of two-by-two." in [text.value for text in run(page).text], "the sweep stays"


def test_an_impossible_run_says_why_and_cannot_be_opened(open_page):
    both = "machines.1:0:1:1 machines.2:0:1:1"
    page = pick(done(open_page("what_if", what_if_view="map", sample="two-by-two", sweep=both)), 0)
    assert any("has count 0" in text.value for text in page.text)
    assert button(page, "Open this system on Trade-offs").disabled
    assert set(figures_of_run(page).values()) == {"impossible"}


@pytest.mark.thorough
def test_a_long_sweep_waits_for_a_button_beside_results_of_earlier_choices(page, monkeypatch):
    page = done(page)
    monkeypatch.setattr(sweep_map, "AT_ONCE", 0.0)
    own(page.number_input)[2].set_value(25.0).run()
    assert len(charts(page)) == 1
    assert any("results of earlier choices" in caption.value for caption in page.caption)
    assert parameter(page, "sweep") == "idle:0:100:25 machines.1:0:2:1"
    done(press(page, "Run"))
    assert not any("results of earlier choices" in caption.value for caption in page.caption)


@pytest.mark.thorough
def test_axes_are_added_and_removed(page):
    page = press(page, "Add an axis")
    assert len(own(page.number_input)) == 9
    assert parameter(page, "sweep").endswith("machines.2:0:2:1")
    for _ in range(3):
        page.button(key=page_key(page, "remove", 0)).click()
        run(page)
    assert own(page.number_input) == []
    assert "Nothing varies yet. Add an axis." in html(page)
    assert parameter(page, "sweep") == "none"


def page_key(page, field, place):
    revision = page.session_state["wattfront.sweep.revision"]
    return f"sweeps.{field}.{place}.{revision}"


@pytest.mark.parametrize(
    ("sweep", "said"),
    [
        ("idle:100:0:10", "ends before it begins"),
        ("idle:0:100:0", "the step of 0.0:1.0:0.0 is 0.0"),
        ("idle:0:100:50 machines.1:0:2:1 machines.2:0:2:1 tasks.1:1:2:1", "At most 3 axes"),
        (f"machines.1:1:{MOST_RUNS_HERE + 1}:1", "a page computes at most 20,000"),
        ("price:1:10:1", "price needs what a kWh costs"),
    ],
)
def test_what_cannot_run_says_why(open_page, sweep, said):
    page = open_page("what_if", what_if_view="map", sample="two-by-two", sweep=sweep)
    assert said in html(page)
    assert not [one for one in page.button if one.label == "Run"]


def test_the_most_runs_of_a_page_can_run(open_page):
    page = open_page(
        "what_if", what_if_view="map", sample="two-by-two", sweep=f"machines.1:1:{MOST_RUNS_HERE}:1"
    )
    assert any("20,000 runs" in caption.value for caption in page.caption)
    assert not html(page).count("cannot run yet")


@pytest.mark.parametrize(
    "sweep",
    ["", "idle", "idle:0:1", "idle:0:101:1", "idle:x:1:1", "machines.0:0:1:1", "machines.3:0:1:1",
     "machines.A:0:1:1", "idle:0:1:1 idle:0:1:1", "idle:0:nan:1", "rooms:0:1:1", "idle:0:1:-1"],
)  # fmt: skip
def test_a_parameter_that_cannot_be_read_is_ignored_with_a_note(sweep):
    axes, (note,) = state.read({"sweep": sweep}, load_sample("two-by-two"))
    assert axes is None
    assert note.startswith(f"sweep is “{sweep}”")


def test_without_powers_only_counts_vary(open_page):
    page = open_page("what_if", what_if_view="map", sample="e2")
    (axis,) = varying(page)
    assert axis.value == "machines.M5", "of which there are most"
    assert all(option.startswith(("Machines", "Tasks")) for option in axis.options)


def test_no_name_goes_through_markdown(open_page):
    page = pick(done(open_page("what_if", what_if_view="map", sample="two-by-two", sweep=SMALL)), 4)
    assert not [said for said in spoken(page) if "Machines of type A" in said]
