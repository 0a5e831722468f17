"""The page What if keeps any number of what-ifs, says what each does, and what cannot work."""

import io
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import streamlit
from pages import button, charts, html, opened, parameter, press, put, run, spoken, visit
from patience import PATIENCE
from streamlit.testing.v1 import AppTest

from core.engines.relaxed import trace as tracing
from core.engines.relaxed import trace_front
from core.files.samples.named import load_sample
from core.vocabulary.say.words import Sense, energy
from core.vocabulary.without_work import WithoutWork
from dashboard.workspace.draft import Change
from dashboard.workspace.export import system_bytes
from dashboard.workspace.session import WORKSPACE
from dashboard.workspace.upload import Upload
from dashboard.workspace.workspace import edit, set_idle_fraction, take_upload


@pytest.fixture
def page(open_page):
    return open_page("what_if", sample="nine")


def what_ifs(page):
    return page.session_state["wattfront.compare"][""]


def titles(page):
    return [one.title for one in what_ifs(page).inputs]


def with_machines(page, number, *counts):
    """The page after an edit of the first counts."""
    now = what_ifs(page)
    found = now.find(number)
    machines = (*counts, *found.machines[len(counts) :])
    now.replace(replace(found, machines=machines))
    return run(page)


def test_it_begins_with_the_system_of_the_other_pages(page):
    assert titles(page) == ["nine"]
    assert page.dataframe[0].value["Done at the earliest"].tolist() == ["43 min 17 s"]
    assert any("Press “What if …”" in caption.value for caption in page.caption)
    assert len(charts(page)) == 1


def test_it_begins_with_its_idle_power_too(open_page):
    page = open_page("what_if", sample="nine", idle=0.3)
    assert what_ifs(page).inputs[0].idle.idle_power == 0.3
    assert page.segmented_control(key="compare.idle.of.1").value == "pages"
    put(page, "compare.idle.of.1", "own")
    assert page.slider(key="compare.idle.percent.1").value == 30, "it begins where it is"


def set_idle(page, fraction):
    """The page after a change of the idle power above it."""
    page.session_state[WORKSPACE] = set_idle_fraction(page.session_state[WORKSPACE], fraction)
    return run(page)


def test_it_follows_the_idle_power_of_the_other_pages(page):
    """Issue 33, point 14: the idle power above the page holds after it was opened, too."""
    press(page, "What if …")
    with_machines(page, 2, 8, 8)
    put(page, "compare.sample.3", "ten")
    before = page.dataframe[0].value["Least energy"].tolist()
    set_idle(page, 0.3)
    nine, ten = (load_sample(name).with_idle_fraction(0.3) for name in ("nine", "ten"))
    more = nine.with_counts(nine.task_counts, np.array([8, 8, *nine.machine_counts[2:]]))
    least = [trace_front(system).energy[0] for system in (nine, more, ten)]
    after = page.dataframe[0].value["Least energy"].tolist()
    assert [words.split(" (")[0] for words in after] == [
        energy(joules, Sense.LOWER_BOUND) for joules in least
    ]
    assert after != before
    assert "Not as on the other pages" not in html(page)
    set_idle(page, None)
    assert page.dataframe[0].value["Least energy"].tolist() == before
    assert len(what_ifs(page).past) == 3, "that is no step of the comparison"
    press(page, "Undo")
    set_idle(page, 0.3)
    assert {one.idle.idle_power for one in what_ifs(page).inputs} == {0.3}
    press(page, "Undo")
    assert {one.idle.idle_power for one in what_ifs(page).inputs} == {0.3}, "of earlier steps, too"


def test_a_what_if_keeps_an_idle_power_of_its_own_and_the_page_says_so(page):
    """Issue 33, point 14: nothing is shown at another idle power than the one above silently."""
    press(page, "What if …")
    put(page, "compare.idle.of.2", "own")
    put(page, "compare.idle.percent.2", 40)
    assert "Not as on the other pages (idle power as given): What if 1 (idle power 40 %)." in html(
        page
    )
    for passed in (0.4, 0.3):
        set_idle(page, passed)
        assert [one.idle.idle_power for one in what_ifs(page).inputs] == [passed, 0.4]
    assert "Not as on the other pages (idle power 30 %): What if 1 (idle power 40 %)." in html(page)
    put(page, "compare.idle.of.2", "system")
    assert "(idle power 30 %): What if 1 (idle power as given)." in html(page)
    put(page, "compare.idle.of.2", "asleep")
    assert what_ifs(page).inputs[1].idle == WithoutWork(asleep_watts=10.0)
    assert "machines switched off (10 W) instead of idle power 30 %" in html(page)
    put(page, "compare.idle.of.2", "pages")
    assert [one.idle.idle_power for one in what_ifs(page).inputs] == [0.3, 0.3]
    assert "Not as on the other pages" not in html(page)


@pytest.mark.thorough
def test_a_what_if_begins_as_the_first_unless_a_copy_is_asked_for(page):
    press(page, "What if …")
    assert titles(page) == ["nine", "What if 1"]
    assert "no change: no noticeable difference." in html(page)
    with_machines(page, 2, 8, 8)
    assert "4 more M1; 4 more M2: " in html(page)
    assert page.dataframe[0].value["Machines"].tolist() == ["36", "44"]
    press(page, "What if …")
    assert len(titles(page)) == 3
    assert what_ifs(page).inputs[2].machines == what_ifs(page).inputs[0].machines
    put(page, "compare.edited", 2)
    press(page, "Copy")
    assert what_ifs(page).inputs[3].machines[:2] == (8, 8)
    assert page.selectbox(key="compare.edited").value == 4, "it is edited next"


@pytest.mark.thorough
def test_idle_power_and_tariff_are_changed_by_their_controls(page):
    press(page, "What if …")
    put(page, "compare.idle.of.2", "own")
    put(page, "compare.idle.percent.2", 40)
    assert what_ifs(page).inputs[1].idle.idle_power == 0.4
    put(page, "compare.prices.of.2", "own")
    put(page, "compare.price.2", 0.6)
    assert "idle power 40 % instead of as given; 0.6 instead of 0.3 per kWh: " in html(page)
    put(page, "compare.quantity", "money")
    joules = trace_front(load_sample("nine")).energy[0]
    assert page.dataframe[0].value["Least cost"].tolist()[0] == f"{0.3 * joules / 3.6e6:.4g} EUR"
    put(page, "compare.quantity", "carbon")
    assert "CO₂" in page.dataframe[0].value["Least carbon"].tolist()[1]


def test_what_energy_costs_is_that_of_the_other_pages(page):
    press(page, "What if …")
    put(page, "compare.prices.of.2", "own")
    put(page, "Electricity (EUR per kWh)", 0.5)
    assert [one.tariff.price_per_kwh for one in what_ifs(page).inputs] == [0.5, 0.3]
    put(page, "compare.prices.of.2", "pages")
    assert [one.tariff.price_per_kwh for one in what_ifs(page).inputs] == [0.5, 0.5]


@pytest.mark.thorough
def test_samples_and_the_current_system_can_be_added(page):
    put(page, "compare.sample.2", "e1")
    assert "e1 instead of nine: the earliest possible end is " in html(page)
    assert any("no powers (APC)" in caption.value for caption in page.caption)
    press(page, "Add the current system")
    assert titles(page) == ["nine", "e1", "nine"]


def test_they_are_renamed_and_moved(page):
    press(page, "What if …")
    put(page, "compare.name.2", "*two* <b>more</b>")
    assert titles(page) == ["nine", "*two* <b>more</b>"]
    assert "<b>more" not in html(page)
    assert "&lt;b&gt;more" in html(page)
    assert not any("*two*" in text for text in spoken(page))
    press(page, "Move up")
    assert titles(page) == ["*two* <b>more</b>", "nine"]
    assert button(page, "Move up").disabled, "it is the first"


def test_what_was_removed_can_be_had_back(page):
    press(page, "Remove")
    assert titles(page) == []
    assert "Nothing to compare" in page.info[0].value
    assert not page.dataframe
    press(page, "Undo")
    assert titles(page) == ["nine"]
    press(press(page, "Remove"), "Add the current system")
    assert titles(page) == ["nine"]


def test_what_cannot_work_is_said_and_the_others_stay(open_page):
    page = press(open_page("what_if", sample="two-by-two"), "What if …")
    with_machines(page, 2, 0, 0)
    assert page.error[0].value == "A system cannot run:"
    assert "every machine type that can run task type" in html(page)
    assert len(charts(page)) == 1
    assert not press(page, "Undo").error


def test_without_powers_there_is_no_front_to_draw(open_page):
    page = open_page("what_if", sample="e1")
    assert "energy needs powers" in page.info[0].value
    assert not charts(page)


@pytest.mark.thorough
def test_they_survive_a_reload_on_any_page(page, open_page):
    assert "what_ifs" not in page.query_params, "nothing is changed yet"
    with_machines(press(page, "What if …"), 2, 9)
    again = open_page("what_if", **page.query_params)
    assert titles(again) == ["nine", "What if 1"]
    assert what_ifs(again).inputs == what_ifs(page).inputs
    visit(page, "importing")
    elsewhere = open_page("what_if", what_ifs=parameter(page, "what_ifs"))
    assert what_ifs(elsewhere).inputs == what_ifs(page).inputs
    page.switch_page("screens/what_if/page.py")
    assert titles(run(page)) == ["nine", "What if 1"]


def test_what_ifs_that_are_gone_are_said_to_be(open_page):
    page = open_page("what_if", what_ifs="<b>gone")
    assert "no longer has the what-ifs of this address; if you exported them" in html(page)
    assert "Open on the page “What if”" in html(page)
    assert titles(page) == ["nine"]


def taken_away(monkeypatch):
    """What the buttons of the next pages would give, by their labels."""
    made = {}
    monkeypatch.setattr(
        streamlit, "download_button", lambda label, data, *_, **__: made.update({label: data})
    )
    return made


@pytest.mark.thorough
def test_what_ifs_of_a_file_keep_the_idle_power_they_were_exported_with(open_page, monkeypatch):
    """Issue 33, point 14: a file opened under another idle power says the same as before."""
    made = taken_away(monkeypatch)
    open_page("what_if", sample="nine", idle=0.3)
    data = made["What-ifs, to open again (JSON)"]()
    for above, follows in ((0.3, True), (0.5, False)):
        later = open_page("what_if", sample="two-by-two", idle=above)
        opened(later, "what_if.file", ("what-ifs.json", data))
        assert what_ifs(later).inputs[0].idle.idle_power == 0.3
        assert ("Not as on the other pages" in html(later)) != follows
        set_idle(later, 0.1)
        assert what_ifs(later).inputs[0].idle.idle_power == (0.1 if follows else 0.3)


@pytest.mark.thorough
def test_what_was_taken_away_is_opened_again_by_another_server(page, open_page, monkeypatch):
    made = taken_away(monkeypatch)
    with_machines(press(page, "What if …"), 2, 9)
    asked = dict(page.query_params)
    data = run(page) and made["What-ifs, to open again (JSON)"]()
    later = open_page("what_if", sample="two-by-two", what_ifs="gone")
    assert "no longer has the what-ifs" in html(later)
    opened(later, "what_if.file", ("what-ifs.json", data))
    assert titles(later) == ["nine", "What if 1"]
    assert what_ifs(later).inputs[1].machines == (9, *[4] * 8)
    assert later.query_params["what_ifs"] == asked["what_ifs"]
    assert not later.error
    assert "no longer has the what-ifs" not in html(later)
    press(later, "Undo")
    assert titles(later) == ["two-by-two"], "what was there can be had back"
    run(later)
    assert titles(later) == ["two-by-two"], "a file is opened once"


def test_what_is_compared_is_taken_away_with_units(page, monkeypatch):
    made = taken_away(monkeypatch)
    with_machines(press(page, "What if …"), 2, 9)
    figures = pd.read_csv(io.BytesIO(made["Figures (CSV)"]()))
    nine = trace_front(load_sample("nine"))
    assert figures["what if"].tolist() == ["nine", "What if 1"]
    assert figures["done at the earliest (s)"][0] == pytest.approx(nine.makespan[-1], rel=1e-9)
    assert figures["least energy (kWh)"][0] == pytest.approx(nine.energy[0] / 3.6e6)
    assert figures["machines"].tolist() == [36, 41]
    fronts = pd.read_csv(io.BytesIO(made["Fronts (CSV)"]()))
    first = fronts[fronts["number"] == 1]
    assert first["energy (J)"].tolist() == pytest.approx(nine.energy.tolist(), rel=1e-12)
    assert first["makespan (s)"].tolist() == pytest.approx(nine.makespan.tolist(), rel=1e-12)
    assert made["System 1 (ZIP of CSV tables)"]() == system_bytes(load_sample("nine"), ".zip")


def test_what_is_of_the_system_in_force_follows_it(page):
    """Issue 35: the header holds here, too, after the page was opened; what was added stays."""
    put(page, "compare.sample.2", "two-by-two")
    upload = Upload.read("<i>mine</i> times.csv", b"task_type,M\nT,3\n")
    page.session_state[WORKSPACE] = take_upload(page.session_state[WORKSPACE], upload)
    assert titles(run(page)) == ["<i>mine</i> times.csv", "two-by-two"]
    assert "<i>mine" not in html(page)


def test_counts_that_were_changed_stay_with_an_edited_system(page):
    with_machines(page, 1, 99)
    now = page.session_state[WORKSPACE]
    draft = now.version.tables.changed("machines", Change({1: {"count": 77}}))
    page.session_state[WORKSPACE] = edit(now, draft)
    run(page)
    (first,) = what_ifs(page).inputs
    assert first.base == page.session_state[WORKSPACE].version.system
    assert first.machines[:2] == (99, 77)


def test_no_front_is_traced_twice(page, monkeypatch):
    press(page, "What if …")
    with_machines(page, 2, 11)
    calls = []

    def counting(*arguments):
        calls.append(arguments)

    monkeypatch.setattr(tracing, "_by_parametric_simplex", counting)
    run(page)
    press(page, "Move up")
    put(page, "compare.name.2", "again")
    assert calls == []


class TestEditor:
    """The editor of counts, whose changes are counted from what it was given."""

    SCRIPT = """
import streamlit as st
from dashboard.screens.what_if.compare import state as what_ifs
from dashboard.workspace.session import WORKSPACE
from dashboard.workspace.workspace import begin
from dataclasses import replace
if WORKSPACE not in st.session_state:
    st.session_state[WORKSPACE] = begin("nine")
now = what_ifs.what_ifs()
found = now.inputs[0]
key = now.key(what_ifs.editor_of(found, "machines"))
st.text(key)
st.dataframe(what_ifs.editor_frame(found, "machines"))
if "typed" in st.session_state:
    st.session_state[key] = {}
    counts = what_ifs.counts_in_editor(found, "machines", st.session_state.pop("typed"))
    now.replace(replace(found, machines=counts))
"""

    def typed(self, page, rows):
        page.session_state["typed"] = rows
        run(page)
        return what_ifs(page).inputs[0]

    def test_cells_typed_one_after_the_other_are_all_there(self):
        page = run(AppTest.from_string(self.SCRIPT, default_timeout=PATIENCE))
        key, before = page.text[0].value, page.dataframe[0].value
        assert self.typed(page, {0: {"Here": 0}}).machines[:2] == (0, 4)
        assert self.typed(page, {0: {"Here": 0}, 1: {"Here": 7}}).machines[:2] == (0, 7)
        run(page)
        assert page.text[0].value == key
        assert page.dataframe[0].value.equals(before), "an editor keeps its place"

    def test_what_is_no_count_changes_nothing(self):
        page = run(AppTest.from_string(self.SCRIPT, default_timeout=PATIENCE))
        rows = {0: {"Here": None}, 1: {"Here": -1}, 2: {"Here": 10**9}, 3: {}}
        assert self.typed(page, rows).machines == (4,) * 9
