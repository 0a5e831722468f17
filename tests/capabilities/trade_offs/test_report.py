"""The table of schedules in the report: what each takes is rounded up, what it saves down."""

from markup import checked
from studied import on_the_wasteful, study_of, uneven

from core.capabilities.trade_offs.report import schedules_table
from core.engines.front.study import Study, study
from core.engines.front.tariff import Tariff
from core.shells.studies import StudySettings
from core.vocabulary.budget import Effort

TARIFF = StudySettings("uneven", tariff=Tariff(0.3, 0.35))


def cells(found: Study, settings: StudySettings = TARIFF) -> list[str]:
    return [text for text in checked(schedules_table(found, settings, None)).text if text.strip()]


def test_what_a_schedule_takes_and_its_gap_are_rounded_up() -> None:
    """0.4003284 kWh in 100.08 s are 14.4003 kW, and 1.0008 times more than is proven."""
    assert cells(study_of(on_the_wasteful())) == [
        *("Makespan", "Energy (kWh)", "Cost (EUR)", "Carbon (kg CO₂)"),
        *("Average power (kW)", "Saved against the fastest", "Above the bound, at most"),
        *("100.1 s", "0.4004", "0.1201", "0.1402", "14.41", "0 %", "101 %"),
    ]


def test_what_it_saves_is_rounded_down() -> None:
    """Of 200.0883 Wh all but 100.02 Wh, which are 0.50012 of them."""
    found = study(uneven(), effort=Effort(0))
    *_, makespan, energy, power, saved, gap = cells(found, StudySettings("uneven"))
    assert (makespan, energy, power) == ("3 min 21 s", "0.1001", "1.801")
    assert (saved, gap) == ("50 %", "0 %")
