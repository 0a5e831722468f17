"""`profit` over a day of changing prices says when one batch begins best."""

import pytest

AT_ONCE = ("--seconds", 0, "--json")
DAY = "0:3600000,12:7200000"


def test_one_bag_begins_when_electricity_is_cheap(wattfront, idling):
    """1 a joule until noon, 2 after; on average 1.5, which is what batches are priced by."""
    data = wattfront("profit", idling, "--ratio", 1.2, "--day-tariff", DAY, *AT_ONCE).data
    *usual, last = wattfront("profit", idling, "--ratio", 1.2, *AT_ONCE).data
    assert list(data) == [*usual, "day", last]
    assert data["unit"] == "money per hour"
    assert data["price"] == pytest.approx(1.2 * 1380 * 1.5)
    start, best, worst = (data["day"][name] for name in ("start", "best", "worst"))
    assert start == best
    assert (best["second"], best["electricity"]) == pytest.approx((0, 1400))
    assert worst["electricity"] == pytest.approx(2800)
    assert best["profit"] == pytest.approx(data["price"] - 1400)


@pytest.mark.parametrize("start", ["13:30", "13.5"])
def test_the_start_can_be_chosen(wattfront, idling, start, tmp_path):
    words = ("profit", idling, "--ratio", 1.2, "--energy-price", 3.6e6, "--pue", 1.5)
    extra = ("--day-tariff", DAY, "--start", start)
    data = wattfront(*words, *extra, *AT_ONCE).data
    assert data["price"] == pytest.approx(1656), "bags are priced by the one price given"
    assert data["day"]["start"]["second"] == 13.5 * 3600
    assert data["day"]["start"]["electricity"] == pytest.approx(2 * 1.5 * data["energy"])
    table = tmp_path / "tariff.csv"
    table.write_text("from,price\n00:00,3600000\n12,7200000\n")
    same = wattfront(*words, "--day-tariff", table, "--start", start, *AT_ONCE).data
    assert same["day"] == data["day"]
    said = wattfront(*words, *extra, "--seconds", 0).out
    assert "at 13:30: electricity costs 4,500" in said
    assert "at 00:00, electricity for 2,250" in said
    table.write_text("from,price\n25,1\n7,\n")
    refused = wattfront(*words, "--day-tariff", table)
    assert "row line 2, column from: '25' is not a time of day" in refused.err
    assert "row line 3, column price: is blank" in refused.err


def test_without_a_bag_to_run_there_is_no_start(wattfront, idling):
    data = wattfront("profit", idling, "--ratio", 0.3, "--day-tariff", DAY, *AT_ONCE).data
    assert data["day"] is None
