"""A person at the keyboard, in a table of the dashboard that can be edited."""

from typing import Final

from playwright.sync_api import Locator, Page, expect

PACE: Final = 150
"""Milliseconds before a key: a table loses what comes faster, and shows nothing to wait for."""


def cell_of(grid: Locator, column: int, row: int) -> Locator:
    """A cell of a grid, whose picture has them as a table for screen readers."""
    return grid.get_by_test_id(f"glide-cell-{column}-{row}")


def select(grid: Locator, column: int, row: int) -> None:
    """Goes to a cell by the keyboard."""
    cell_of(grid, 0, 0).focus()
    way = [("Control+Home", (0, 0))]
    way += [("ArrowRight", (k + 1, 0)) for k in range(column)]
    way += [("ArrowDown", (column, k + 1)) for k in range(row)]
    for key, (x, y) in way:
        grid.page.wait_for_timeout(PACE)
        grid.page.keyboard.press(key)
        expect(cell_of(grid, x, y)).to_have_attribute("aria-selected", "true")


def type_into(grid: Locator, column: int, row: int, text: str) -> None:
    """Types over a cell."""
    select(grid, column, row)
    type_over(grid.page, text)


def type_over(page: Page, text: str) -> None:
    """Types over the cell that is selected: each key when the one before is there."""
    editor = page.locator("#portal .gdg-input")
    for k, key in enumerate(text):
        page.wait_for_timeout(PACE)
        page.keyboard.type(key)
        expect(editor).to_have_value(text[: k + 1])
    page.wait_for_timeout(PACE)
    page.keyboard.press("Enter")
    expect(editor).to_have_count(0)


def clear(grid: Locator, column: int, row: int) -> None:
    select(grid, column, row)
    grid.page.keyboard.press("Delete")
