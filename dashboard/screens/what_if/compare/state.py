"""The what-ifs of a session: where the page What if meets Streamlit's state."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Final, Literal

import pandas as pd
import streamlit as st

from core.vocabulary.ranges import MACHINE_COUNT, TASK_COUNT, Range
from dashboard.parts.desk import EditedCells
from dashboard.screens.what_if.compare.what_ifs import ComparedWhatIfs, WhatIf
from dashboard.server import sizes
from dashboard.workspace import session
from dashboard.workspace.chosen import BYTES_KEPT, Shelf
from dashboard.workspace.page_state import PageState
from dashboard.workspace.workspace import Workspace

Counts = Literal["machines", "tasks"]
COUNT_RANGES: Final[dict[Counts, Range]] = {"machines": MACHINE_COUNT, "tasks": TASK_COUNT}
_PARAMETER: Final = "what_ifs"
_GONE: Final = (
    "the server no longer has the what-ifs of this address; if you exported them as a file, press "
    "Open on the page “What if”"
)


class CompareState(PageState):
    """The comparison stays the same on every page, so the address of every page names it."""

    parameters = frozenset({_PARAMETER})

    def begin(self, parameters: Mapping[str, str], now: Workspace) -> list[str]:
        del now
        if not (kept := parameters.get(_PARAMETER)):
            return []
        if (compared := _shelf().get(kept)) is None:
            return [_GONE]
        _begun_with(compared).put(compared)
        return []

    def come_back(self, parameters: Mapping[str, str], now: Workspace, *, here: bool) -> None:
        del here
        kept = parameters.get(_PARAMETER)
        found = _shelf().get(kept) if kept else None
        if (compared := known_what_ifs()) is not None and (found or not kept):
            compared.fill(found or (WhatIf.of_workspace(1, now),))

    def said_everywhere(self) -> Mapping[str, str]:
        compared = known_what_ifs()
        if compared is None or compared.is_as_at_first:
            return {}
        return {_PARAMETER: _shelf().put(compared.inputs)}


STATE: Final = CompareState()


@st.cache_resource(show_spinner=False)
def _shelf() -> Shelf[tuple[WhatIf, ...]]:
    return what_if_shelf()


def known_what_ifs() -> ComparedWhatIfs | None:
    """The comparison of this session; None if the page was never open."""
    return ComparedWhatIfs.known("")


def _begun_with(first: tuple[WhatIf, ...]) -> ComparedWhatIfs:
    return ComparedWhatIfs.kept("", lambda: ComparedWhatIfs("", first, first))


def what_ifs() -> ComparedWhatIfs:
    """The comparison of this session; at first the system that every page works on. System, idle
    power and tariff of the other pages are those of now.
    """
    now = session.workspace()  # which may open what the address says
    found = _begun_with((WhatIf.of_workspace(1, now),))
    found.follow(now)
    return found


def editor_of(what_if: WhatIf, counts: Counts) -> str:
    """The table of the desk that has these counts."""
    return f"{counts} {what_if.number}"


def editor_frame(what_if: WhatIf, counts: Counts) -> pd.DataFrame:
    """The table that an editor starts from."""
    given = what_ifs().begun_with(editor_of(what_if, counts))
    begun = next(one for one in given if one.number == what_if.number)
    types = begun.base.machine_types if counts == "machines" else begun.base.task_types
    return pd.DataFrame(
        {
            "Type": [one.name for one in types],
            "As given": [one.count for one in types],
            "Here": list(getattr(begun, counts)),
        }
    )


def counts_in_editor(what_if: WhatIf, counts: Counts, cells: EditedCells) -> tuple[int, ...]:
    """The counts as they stand in an editor. A cell that was cleared keeps its old count."""
    values = editor_frame(what_if, counts)["Here"].tolist()
    for row, here in cells.items():
        typed = here.get("Here")
        if typed is not None and typed in COUNT_RANGES[counts]:
            values[row] = int(typed)
    return tuple(values)


def what_if_shelf(most: int = BYTES_KEPT) -> Shelf[tuple[WhatIf, ...]]:
    """A shelf for comparisons; each what-if is kept with its system."""
    return Shelf(_digest, _of_what_ifs, most)


def _digest(what_ifs: tuple[WhatIf, ...]) -> str:
    """Equal what-ifs in the same order, and only they, have equal digests."""
    told = [
        (
            *(one.number, one.origin, one.base.fingerprint, one.machines, one.tasks),
            (one.idle, one.tariff, one.name, one.follows, one.prices_follow),
        )
        for one in what_ifs
    ]
    return sha256(repr(told).encode()).hexdigest()


def _of_what_ifs(what_ifs: tuple[WhatIf, ...]) -> int:
    bases = {one.base.fingerprint: sizes.of_system(one.base) for one in what_ifs}
    return sum(bases.values()) + sum(sizes.of_types(one.machines, one.tasks) for one in what_ifs)
