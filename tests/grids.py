"""A person at the keyboard, in a table of the dashboard that can be edited."""

from typing import Final

from playwright.sync_api import Locator, expect

PACE: Final = 150
"""Milliseconds from key to key: a table loses what comes faster."""


def cell_of(grid: Locator, column: int, row: int) -> Locator:
    """A cell of a grid, whose picture has them as a table for screen readers."""
    return grid.get_by_test_id(f"glide-cell-{column}-{row}")


def select(grid: Locator, column: int, row: int) -> None:
    """Goes to a cell by the keyboard."""
    cell_of(grid, 0, 0).focus()
    for key in ["Control+Home"] + ["ArrowRight"] * column + ["ArrowDown"] * row:
        grid.page.wait_for_timeout(PACE)
        grid.page.keyboard.press(key)
    expect(cell_of(grid, column, row)).to_have_attribute("aria-selected", "true")


def type_into(grid: Locator, column: int, row: int, text: str) -> None:
    """Types over a cell."""
    select(grid, column, row)
    page = grid.page
    page.wait_for_timeout(PACE)
    page.keyboard.press(text[0])
    editor = page.locator("#portal .gdg-input")
    expect(editor).to_be_visible()
    page.wait_for_timeout(PACE)
    page.keyboard.type(text[1:], delay=PACE)
    expect(editor).to_have_value(text)
    page.wait_for_timeout(PACE)
    page.keyboard.press("Enter")
    expect(editor).to_have_count(0)


def clear(grid: Locator, column: int, row: int) -> None:
    select(grid, column, row)
    grid.page.keyboard.press("Delete")
