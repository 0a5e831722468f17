"""`reproduce` finds the publications of a checkout; without them it says where they are."""

import pytest

from core.shells.cli.commands import reproduce


def test_a_checkout_has_its_publications(wattfront):
    said = wattfront("reproduce", "--help").out
    assert "{environments,makespan,front,profit,provision,arrivals,stretch}" in said


@pytest.mark.parametrize("words", [(), ("front",), ("front", "--generations", 3, "--json")])
def test_without_a_checkout_it_says_where_publications_are(wattfront, tmp_path, monkeypatch, words):
    monkeypatch.setattr(reproduce, "PUBLICATIONS", tmp_path / "publications")
    outcome = wattfront("reproduce", *words)
    assert outcome.complaints == [f"error: {reproduce.ABSENT}"]
    assert outcome.status == 2
