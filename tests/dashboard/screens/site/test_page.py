"""The page Site shows the day of the site that the chip has too; both change the same study."""

from dataclasses import replace
from pathlib import Path

import pytest
from pages import Open, charts, field, figures, module_of, own, parameter, press, put, run, visit
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button
from trade_offs_page import report

from core import load_sample, study
from core.shells.settings.by_hour import inspect_site_hours
from core.shells.studies import StudySettings
from core.vocabulary.prices.site import ASSUMED, Site
from dashboard.parts.taking.take_away import csv_of, study_bytes
from dashboard.screens.site.told import lead, spans, told
from dashboard.workspace import session
from dashboard.workspace.session import WORKSPACE
from dashboard.workspace.workspace import begin, choose_sample

DAY = Site(
    price=0.25,
    day_tariff=((7.0, 0.4), (20.0, 0.1)),
    day_carbon=((0.0, 0.4), (9.0, 0.2), (18.0, 0.4)),
)


def site_of(page: AppTest) -> Site:
    found: Site = page.session_state[WORKSPACE].site
    return found


def test_a_day_is_cut_where_its_number_changes() -> None:
    assert spans(DAY.day_tariff, 9.0) == [(0, 7, 0.1), (7, 20, 0.4), (20, 24, 0.1)]
    assert spans((), 9.0) == [(0, 24, 9)]
    assert spans(((0.0, 1.0), (6.0, 1.0), (12.5, 2.0)), 9.0) == [(0, 12.5, 1), (12.5, 24, 2)]


@pytest.mark.parametrize(
    ("site", "said"),
    [
        (ASSUMED, "Nobody has said what energy costs here: Wattfront assumes 0.3 EUR and 0.35 kg"),
        (Site(pue=1.3, cap_kw=2.0), "Nobody has said what energy costs here"),
        (Site(carbon=0.2), "Wattfront assumes 0.3 EUR for each kWh. Type"),
        (Site(carbon_price=0.1), "A kWh costs 0.3 EUR"),
        (Site(day_carbon=((0.0, 0.4), (9.0, 0.2))), "A kWh emits least from 09:00 to 00:00"),
        (replace(DAY, day_carbon=()), "A kWh costs least from 20:00 to 07:00: 0.1 EUR, 75 % below"),
        (DAY, "and emits least from 09:00 to 18:00: 0.2 kg of CO₂, 50 % below the most."),
        (Site(price=0.2), "A kWh costs 0.2 EUR and emits 0.35 kg of CO₂ at every hour"),
        (
            Site(day_tariff=((0.0, 1.0), (3.0, 2.0), (5.0, 1.0), (6.0, 2.0))),
            "from 00:00 to 03:00 and from 05:00 to 06:00",
        ),
        (Site(day_tariff=((0.0, 0.0), (3.0, 2.0))), "from 00:00 to 03:00: 0 EUR, 100 % below"),
    ],
)
def test_the_finding_says_when_energy_costs_least(site: Site, said: str) -> None:
    assert said in lead(site)


def test_the_figures_have_the_pue_and_the_price_of_carbon() -> None:
    nine = load_sample("nine").with_idle_fraction(0.5)  # 2.396 kW
    site = Site(price=0.2, carbon=0.5, carbon_price=0.1, pue=1.2, cap_kw=6.0)
    kwh, carbon, day, cap = told(site, nine).figures
    assert (kwh.value, carbon.value, cap.value) == ("0.3 EUR", "0.6 kg", "5 kW")
    assert day.value == "17.25 EUR"
    assert "20 % of what a kWh costs" in told(site, nine).sentences[-1]
    assert not told(site, nine).tables
    by_hour = Site(day_tariff=((0.0, 0.2), (12.0, 0.4)))
    assert told(by_hour, nine).figures[2].value == "17.25 EUR"
    idle_at_zero, no_powers = nine.with_idle_fraction(0.0), load_sample("e1")
    days = [
        told(site, system, idle_is_said=said).figures[2].value
        for system in (idle_at_zero, no_powers)
        for said in (False, True)
    ]
    assert days == ["–", "0 EUR", "–", "–"]


def test_the_table_has_a_row_for_each_hour_at_which_anything_changes() -> None:
    (table,) = told(replace(DAY, pue=2.0, carbon_price=0.5), load_sample("e1")).tables
    assert table.rows == (
        ("00:00 to 07:00", "0.1", "0.4", "0.6"),
        ("07:00 to 09:00", "0.4", "0.4", "1.2"),
        ("09:00 to 18:00", "0.4", "0.2", "1"),
        ("18:00 to 20:00", "0.4", "0.4", "1.2"),
        ("20:00 to 00:00", "0.1", "0.4", "0.6"),
    )


def test_page_and_chip_change_the_same_site(open_page: Open) -> None:
    page = open_page("site", sample="nine", idle="0.5")
    assert page.header[0].value.startswith("Nobody has said")
    assert len(charts(page)) == 2
    (price,) = [one for one in own(page.number_input) if one.label.startswith("Electricity")]
    price.set_value(0.4).run()
    assert field(page, "Electricity (EUR per kWh)").value == 0.4, "that of the chip"
    assert parameter(page, "price") == "0.4"
    put(page, "Price by hour (EUR per kWh)", "0:0.1 7:0.5 20:0.1")
    assert site_of(page).day_tariff == ((0.0, 0.1), (7.0, 0.5), (20.0, 0.1))
    assert "from 20:00 to 07:00: 0.1 EUR, 80 % below the most" in page.header[0].value
    shown = [one.value for one in own(page.text_input) if one.label.startswith("Price by hour")]
    assert shown == ["0:0.1 7:0.5 20:0.1"]
    press(page, "Undo")
    assert site_of(page) == replace(ASSUMED, price=0.4)
    press(visit(page, "machines", "site"), "Undo")
    assert site_of(page) == ASSUMED
    assert next(one for one in page.button if one.label == "Undo").disabled


def undo(page: AppTest) -> Button:
    return next(one for one in page.button if one.label == "Undo")


def test_undo_takes_back_what_was_changed_in_the_study_in_force_alone(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, price = open_page("site", sample="two-by-two"), "Electricity (EUR per kWh)"
    put(page, price, 0.4)
    asked = StudySettings("other", site=Site(price=0.7))
    other = study_bytes(study(load_sample("nine"), method="bound"), None, asked).decode()
    opened = {"name": "other", "file": other, "at": 1}
    report(visit(page, "studies"), "wattfront.shelf", opened=opened)
    visit(page, "site")
    assert (site_of(page).price, undo(page).disabled) == (0.7, True)
    press(put(page, price, 0.8), "Undo")
    assert (site_of(page).price, undo(page).disabled) == (0.7, True)
    put(page, price, 0.9)
    page.session_state[WORKSPACE] = choose_sample(page.session_state[WORKSPACE], "testbed")
    assert undo(run(page)).disabled, "another system"
    page.query_params.clear()
    page.query_params.update({"sample": "two-by-two", "price": "0.4"})
    with monkeypatch.context() as patch:
        patch.setattr(session, "went_back", lambda: True)
        run(page)
    assert (site_of(page).price, undo(page).disabled) == (0.4, True)
    put(page, price, 0.5)
    page.query_params["price"] = "0.4"
    with monkeypatch.context() as patch:
        patch.setattr(session, "went_back", lambda: True)
        run(page)
    assert (site_of(page).price, undo(page).disabled) == (0.4, True)


def test_a_click_on_undo_that_comes_too_late_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here = {WORKSPACE: begin("e1")}
    monkeypatch.setattr("streamlit.session_state", here)
    session.undo_site()
    assert here[WORKSPACE].site == ASSUMED


def test_what_cannot_be_read_is_said_beside_its_field_and_nothing_changes(open_page: Open) -> None:
    page = open_page("site", sample="two-by-two", idle="0")
    assert figures(page)["A day without work"] == "0 EUR", "a 0 that a person said is known"
    (cap,) = [one for one in own(page.text_input) if one.label == "Power cap (kW)"]
    cap.set_value("2 lightyears").run()
    (error,) = page.error
    assert "'lightyears' is not a unit of power" in error.value
    (cap,) = [one for one in own(page.text_input) if one.label == "Power cap (kW)"]
    assert cap.value == "2 lightyears", "what was typed stays, to be corrected"
    assert site_of(page) == ASSUMED
    assert not visit(page, "machines").error, "the chip had no fault"


def test_what_was_refused_is_gone_once_the_site_is_another(open_page: Open) -> None:
    page = put(open_page("site", sample="two-by-two"), "Electricity (EUR per kWh)", 0.4)
    (cap,) = [one for one in own(page.text_input) if one.label == "Power cap (kW)"]
    cap.set_value("2 lightyears").run()
    assert page.error
    assert not press(page, "Undo").error
    (cap,) = [one for one in own(page.text_input) if one.label == "Power cap (kW)"]
    assert cap.value == ""


def test_the_day_is_exported_as_open_files_takes_it(tmp_path: Path) -> None:
    file = tmp_path / "site.csv"
    frame = module_of("dashboard.screens.site.page").day_frame
    file.write_bytes(csv_of(frame(DAY)))
    hours = inspect_site_hours(file).require()
    assert spans(hours["day_tariff"], 0.0) == spans(DAY.day_tariff, 0.0)
    assert spans(hours["day_carbon"], 0.0) == spans(DAY.day_carbon, 0.0)
    assert frame(ASSUMED).to_numpy().tolist() == [[0.0, 0.3, 0.35]]
