"""A small study, and the document of it with all that one may hold."""

import json
from typing import Any

import pytest
from studied import as_file

from core.capabilities.profit import CAPABILITY as PROFIT
from core.capabilities.profit.settings import ProfitSettings
from core.engines.front.study import Study, study
from core.engines.front.wish import Deadline
from core.files.samples.named import load_sample
from core.shells.studies import Choice, StudySettings
from core.vocabulary.budget import Effort
from core.vocabulary.prices.site import Site

SITE = Site(cap_kw=0.15, day_tariff=((0.0, 0.2), (7.5, 0.35)))


@pytest.fixture(scope="session")
def small() -> Study:
    return study(load_sample("two-by-two"), effort=Effort(0))


@pytest.fixture(scope="session")
def document_text(small: Study) -> bytes:
    profit = ProfitSettings(
        ratio=1.5,
        site=SITE,
        wear=(("A", 0.5),),
        deadline=6.0,
        rewards=(("T1", 10.0),),
    )
    choice = Choice(small.schedules[0], "Done within 20 s", Deadline(20.0))
    asked = StudySettings("two-by-two", "two-by-two", site=SITE, blocks=PROFIT.block(profit))
    return as_file(small, asked, choice)


@pytest.fixture
def document(document_text: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(document_text)
    return found
