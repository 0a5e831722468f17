"""Every page says which system it shows, keeps it when pages change, and can be opened again."""

from collections.abc import Iterator

import pytest
from examples import thorough
from marked import marked
from pages import START, Open, charts, field, html, opened, parameter, press, put, run, visit
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block

from core import System
from core.files.samples.named import load_sample
from core.shells.studies.seen import SeenInLog
from core.vocabulary.prices.site import ASSUMED, Site
from dashboard.pages import PAGES
from dashboard.parts.frame.frame import TAGLINE, TITLE, facts
from dashboard.parts.frame.site import site_said
from dashboard.screens.what_if.sweeps.state import SETTINGS
from dashboard.workspace import session
from dashboard.workspace.draft import Change
from dashboard.workspace.session import CHOSEN, SAVES, WORKSPACE
from dashboard.workspace.upload import Upload
from dashboard.workspace.workspace import Workspace, begin, edit, take_upload


def context(page: AppTest) -> str:
    return next(e.value for e in page.get("html") if "wf-context" in e.value)


@pytest.mark.parametrize("view", ["schedule", "importing"])
def test_an_address_opens_its_view(open_page: Open, view: str) -> None:
    page = open_page(view, sample="testbed", idle="0.25")
    assert "<strong>testbed</strong>" in context(page)
    wanted = load_sample("testbed").with_idle_fraction(0.25)
    assert page.session_state[WORKSPACE].system == wanted
    assert page.query_params == {"sample": "testbed", "idle": "0.25"}


def test_an_address_of_a_random_system_opens_with_its_parameters(open_page: Open) -> None:
    page = open_page("importing", task_types=6, machine_types=4, seed=3)
    assert "<strong>random 6 × 4, seed 3</strong>" in context(page)
    assert page.number_input(key="generator.of.seed").value == 3
    assert all(button.disabled for button in page.button if button.label in ("Undo", "Redo"))


def test_what_of_an_address_is_not_understood_is_said_and_removed(open_page: Open) -> None:
    page = open_page("importing", sample="<b>nin", idle="2", shape="round")
    assert page.warning[0].value.startswith("Some parts of the address are not valid")
    said = html(page)
    for part in ("&lt;b&gt;nin", "idle is “2”", "“shape” is not a parameter"):
        assert part in said
    assert page.query_params == {"sample": "university"}
    page.selectbox(key="start.sample").select("six").run()
    assert not page.warning


def test_a_newcomer_sees_a_university_cluster(open_page: Open) -> None:
    page = open_page("about", sample=None)
    assert "<strong>university</strong>" in context(page)
    assert "Idle power as given" in [*chips(page)]


def test_the_system_survives_a_change_of_page(open_page: Open) -> None:
    page = open_page("importing", sample="e1")
    page.selectbox(key="start.sample").select("two-by-two").run()
    visit(page, "schedule")
    assert "<strong>two-by-two</strong>" in context(page)


@pytest.mark.thorough
def test_the_chosen_schedule_survives_a_reload(open_page: Open) -> None:
    page = open_page("schedule", sample="two-by-two", idle="0.5")
    put(page, START, "thriftiest")
    again = open_page("schedule", **page.query_params)
    assert again.session_state[CHOSEN] is page.session_state[CHOSEN]
    assert again.header[0].value == page.header[0].value
    assert again.query_params == page.query_params
    assert not again.warning


def test_a_schedule_that_is_no_longer_kept_is_said_and_removed(open_page: Open) -> None:
    page = open_page("schedule", sample="two-by-two", chosen="<b>gone")
    assert page.warning[0].value.startswith("Some parts of the address are not valid")
    said = html(page)
    assert "no longer has the schedule of this address" in said
    assert page.header[0].value.startswith("Done in")
    assert "gone" not in str(page.query_params)


@pytest.mark.thorough
def test_an_uploaded_system_survives_a_reload(open_page: Open) -> None:
    page = open_page("importing")
    upload = Upload.read("my-times.csv", b"task_type,A,B\nreloaded,1,2\n")
    page.session_state[WORKSPACE] = take_upload(page.session_state[WORKSPACE], upload)
    page.run()
    assert set(page.query_params) == {"kept"}
    again = open_page("schedule", **page.query_params)
    assert "<strong>my-times.csv</strong>" in context(again)
    assert again.session_state[WORKSPACE].system == upload.system


@pytest.mark.thorough
def test_edits_that_are_not_sound_yet_survive_a_reload_and_are_told_on_every_page(
    open_page: Open,
) -> None:
    page = open_page("importing", sample="testbed")
    now = page.session_state[WORKSPACE]
    draft = now.version.tables.changed("etc", Change({0: {"m0": -1.0}}))
    page.session_state[WORKSPACE] = edit(now, draft)
    page.run()
    again = open_page("schedule", **page.query_params)
    assert any("edits with problems" in caption.value for caption in again.caption)
    assert again.session_state[WORKSPACE].system == load_sample("testbed")


@pytest.mark.parametrize("view", [page.folder for page in PAGES])
def test_without_the_system_of_its_address_no_page_shows_numbers(
    open_page: Open, view: str
) -> None:
    """Issue 33, point 15: not those of a sample, but how to get the system back."""
    asked = {"kept": "0123", "idle": "0.2", "chosen": "4567", "polish": "0"}
    page = open_page(view, **asked)
    assert page.header[0].value == TITLE
    said = html(page)
    assert "Upload the file of the system again." in said
    assert 'class="wf-context"' not in said
    assert ">university<" not in said
    assert not charts(page)
    assert not page.metric
    assert not page.dataframe
    assert not page.warning
    assert page.query_params == asked, "it may come back"
    visit(page, "schedule")
    assert page.header[0].value == TITLE
    assert not charts(page)
    assert page.query_params == asked, "also on the way to the upload"


def test_a_system_that_is_gone_comes_back_with_its_file(open_page: Open) -> None:
    """Issue 33, point 15: the address then shows all that it showed before."""
    upload = Upload.read("my-times.csv", b"task_type,A,B\ncome-back,1,2\n")
    key = take_upload(begin("nine"), upload).version.fingerprint[:24]
    page = open_page("schedule", kept=key, idle="0.3")
    visit(page, "importing")
    for other in (b"task_type,A\nT,-1\n", b"nothing"):
        opened(page, "importing.file", ("bad-times.csv", other))
        assert page.header[0].value == TITLE
        assert not any("still in force" in error.value for error in page.error)
    opened(page, "importing.file", ("my-times.csv", b"task_type,A,B\ncome-back,1,2\n"))
    assert "<strong>my-times.csv</strong>" in context(page)
    assert page.session_state[WORKSPACE].system == upload.system
    assert page.session_state[WORKSPACE].idle.idle_power == 0.3
    assert page.session_state[WORKSPACE].upload is not None, "what was read is still told"
    assert not page.session_state[WORKSPACE].past
    assert page.query_params == {"kept": key, "idle": "0.3"}


def test_what_the_address_says_of_a_system_that_is_gone_comes_back_too(open_page: Open) -> None:
    """Issue 33, point 15: the sample that stands in for it has no tenth machine type."""
    data = ",".join(["task_type", *"ABCDEFGHIJ"]) + "\n" + ",".join(["T", *"1234567891"]) + "\n"
    upload = Upload.read("etc.csv", data.encode())
    key = take_upload(begin("nine"), upload).version.fingerprint[:24]
    page = open_page("schedule", kept=key, sweep="machines.10:0:2:1")
    assert not page.warning
    assert page.session_state[SETTINGS] is None
    visit(page, "importing")
    opened(page, "importing.file", ("etc.csv", data.encode()))
    assert [axis.name for axis in page.session_state[SETTINGS]] == ["machines.J"]


def test_what_the_address_of_a_system_that_is_gone_gets_wrong_is_said(open_page: Open) -> None:
    """Issue 33, point 15: but for what only the system can tell."""
    page = open_page("importing", kept="1234", idle="much", sweep="machines.10:0:2:1")
    assert page.header[0].value == TITLE
    assert page.warning[0].value.startswith("Some parts of the address are not valid")
    assert "idle" in html(page)
    assert "machines.10" not in html(page)


def test_without_a_system_that_is_gone_one_goes_on_with_a_sample(open_page: Open) -> None:
    """Issue 33, point 15: whoever wants a sample asks for it."""
    page = press(open_page("importing", kept="1234"), "Go on with a sample")
    assert "<strong>university</strong>" in context(page)
    assert page.query_params == {"sample": "university"}
    assert not page.session_state[WORKSPACE].past


def test_back_to_a_system_that_is_gone_shows_no_other(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Issue 33, point 15: nor does the browser's Back lead to numbers of another system."""
    page = open_page("profit", sample="testbed", idle="0.25")
    with monkeypatch.context() as patch:
        patch.setattr(session, "went_back", lambda: True)
        page.query_params.update({"kept": "2345", "idle": "0.25"})
        del page.query_params["sample"]
        run(page)
        assert page.header[0].value == TITLE
        assert not charts(page)
        page.query_params.update({"sample": "testbed"})
        del page.query_params["kept"]
        assert "<strong>testbed</strong>" in context(run(page))
    assert page.query_params == {"sample": "testbed", "idle": "0.25"}


def test_idle_power_is_set_once_for_all_pages(open_page: Open) -> None:
    page = open_page("importing", sample="testbed")
    page.toggle[0].set_value(False).run()
    page.slider[0].set_value(40).run()
    assert not page.exception
    wanted = load_sample("testbed").with_idle_fraction(0.4)
    assert page.session_state[WORKSPACE].system == wanted
    assert page.query_params["idle"] == "0.4"
    page.toggle[1].set_value(True).run()
    assert page.session_state[WORKSPACE].system == wanted.with_asleep_watts(10.0)
    page.number_input[0].set_value(15.0).run()
    assert page.query_params == {"sample": "testbed", "idle": "0.4", "asleep": "15"}
    page.toggle[0].set_value(True).run()
    asleep = load_sample("testbed").with_asleep_watts(15.0)
    assert page.session_state[WORKSPACE].system == asleep
    page.toggle[1].set_value(False).run()
    assert page.session_state[WORKSPACE].system == load_sample("testbed")


def test_idle_power_means_nothing_without_powers(open_page: Open) -> None:
    page = open_page("importing", sample="e1", idle="0.5")
    assert not page.slider
    assert any("no powers (APC)" in caption.value for caption in page.caption)


def test_a_sample_says_that_it_is_one_and_leads_to_a_cluster_of_ones_own(open_page: Open) -> None:
    page = open_page("schedule", sample="two-by-two")
    assert '<em class="wf-sample">Sample</em><strong>two-by-two</strong>' in context(page)
    assert TAGLINE in html(page)
    assert press(page, "Open files").get("file_uploader")
    upload = Upload.read("my-times.csv", b"task_type,A,B\nown,1,2\n")
    page.session_state[WORKSPACE] = take_upload(page.session_state[WORKSPACE], upload)
    page.run()
    assert "wf-sample" not in context(page)
    assert TAGLINE not in html(page)


NINE, TWO = load_sample("nine"), load_sample("two-by-two")


@pytest.mark.parametrize(
    ("system", "size", "rest"),
    [
        (
            load_sample("testbed"),
            ("90 tasks of 4 types", "4 machines of 4 types"),
            ("2 pairs cannot run", "idle power 0 W"),
        ),
        (
            load_sample("e1"),
            ("2 tasks of 2 types", "3 machines of 3 types"),
            ("every pair can run", "powers unknown"),
        ),
        (
            NINE.with_idle_fraction(0.5),
            ("1,100 tasks of 30 types", "36 machines of 9 types"),
            ("every pair can run", "idle power 2.396 kW"),
        ),
        (
            marked(TWO, (0, 1)),
            ("12 tasks of 2 types", "2 machines of 2 types"),
            ("every pair can run", "1 of 4 pairs is an estimate", "idle power 0 W"),
        ),
    ],
)
def test_the_facts_of_a_system(
    system: System, size: tuple[str, ...], rest: tuple[str, ...]
) -> None:
    assert facts(system) == size + rest


@pytest.mark.thorough
def test_what_energy_costs_is_asked_once_and_holds_on_every_page(open_page: Open) -> None:
    page = open_page("profit", sample="testbed", idle="0.1")
    assert site_said(ASSUMED) == "0.3 EUR/kWh assumed"
    assert '"wf-assumed"' in html(page)
    put(page, "Electricity (EUR per kWh)", 0.4)
    put(page, "Currency", "CHF")
    assert ">Electricity 0.4 CHF/kWh</span>" in html(page)
    assert html(page).count('"wf-assumed"') == 2, "idle power and PUE"
    put(page, "PUE", 1.5)
    assert html(page).count('"wf-assumed"') == 1
    assert site_said(session_site(page)) == "0.4 CHF/kWh"
    visit(page, "trade_offs")
    assert parameter(page, "price") == "0.4"
    assert field(page, "Electricity (CHF per kWh)").value == 0.4
    press(page, "As assumed at first")
    assert session_site(page) == ASSUMED
    assert "price" not in page.query_params


@pytest.mark.parametrize(
    "view",
    [
        page.folder if page.folder in {"work", "trade_offs"} else thorough(page.folder)
        for page in PAGES
        if page.folder != "centre"  # which is about another cluster, and has chips of its own
    ],
)
def test_every_page_has_the_chips_and_obeys_them(open_page: Open, view: str) -> None:
    """Issue 35: what is assumed is dashed above every page, and changed there."""
    page = open_page(view, sample="two-by-two", polish="0")
    assert html(page).count('"wf-assumed"') == 3, "idle power, PUE and price"
    price = site_said(ASSUMED)
    assert chips(page) == ["In this address", "Idle power 0 % assumed", "PUE 1 assumed", price]
    press(page, "Take 30 %")
    put(page, "PUE", 1.5)
    put(page, "Power cap (kW)", "2kW")
    put(page, "Power cap (kW)", "2 lightyears")
    assert "'lightyears' is not a unit of power" in page.error[0].value
    assert chips(page)[1:] == [
        "Idle power 30 % assumed",
        "PUE 1.5",
        "0.3 EUR/kWh assumed, at most 2 kW",
    ]
    now = page.session_state[WORKSPACE]
    assert (now.idle.idle_power, now.site) == (0.3, Site(pue=1.5, cap_kw=2.0))
    assert parameter(page, "cap_kw") == "2"


def chips(page: AppTest) -> list[str]:
    """What the chips say, from left to right."""

    def within(block: Block, *, is_chip: bool) -> Iterator[str]:
        if block.type == "popover" and is_chip:
            yield block.proto.popover.label
        for child in block.children.values():
            if isinstance(child, Block):
                yield from within(child, is_chip="-chip-" in getattr(block.proto, "id", ""))

    return [*within(page.main, is_chip=False)]


@pytest.mark.thorough
def test_counts_that_nobody_gave_and_measured_idle_power_are_marked(open_page: Open) -> None:
    page = open_page("schedule", sample="nine")
    given = take_upload(begin("nine"), Upload.read("my-times.csv", b"task_type,A,B\nmine,1,2\n"))
    page.session_state[WORKSPACE] = given
    run(page)
    assert chips(page)[:2] == ["Not saved", "Counts assumed"]
    assert "No counts of machines were given, so there is one machine of each type" in html(page)
    links = {one.proto.label: one.proto.page for one in page.get("page_link")}
    assert links["Type the machines"].endswith("machines")
    assert links["Type the tasks"].endswith("work")
    system = load_sample("testbed").with_idle_fraction(0.2)
    for by_samples, said in ((True, "Idle power measured"), (False, "Idle power as given")):
        upload = Upload("log.txt", system, (), seen=SeenInLog(idle_measured=by_samples))
        page.session_state[WORKSPACE] = take_upload(begin("nine"), upload)
        run(page)
        assert chips(page)[:2] == ["Not saved", said]
    counts = given.version.tables.changed("machines", Change({0: {"count": 5}}))
    assert edit(given, counts).version.seen.assumed == ()
    times = given.version.tables.changed("etc", Change({0: {"m0": 5.0}}))
    assert edit(given, times).version.seen.assumed == given.version.seen.assumed


def test_a_study_is_saved_until_it_is_changed(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_page("trade_offs", sample="two-by-two", polish="0")
    mine = Upload("my.csv", load_sample("two-by-two"), ())
    page.session_state[WORKSPACE] = take_upload(begin("nine"), mine)
    run(page)
    assert chips(page)[0] == "Not saved"
    with monkeypatch.context() as patch:
        patch.setattr("streamlit.session_state", page.session_state)
        digest = session.content()
    page.session_state[SAVES].add(digest)
    run(page)
    assert chips(page)[0] == "Saved"
    put(page, "PUE", 1.5)
    assert chips(page)[0] == "Not saved"


def session_site(page: AppTest) -> Site:
    now: Workspace = page.session_state[WORKSPACE]
    return now.site
