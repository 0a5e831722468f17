"""The what-ifs of a session: where the Compare page meets Streamlit's state."""

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Concatenate, Final, Literal, ParamSpec

import pandas as pd
import streamlit as st

from core.vocabulary.ranges import MACHINE_COUNT, TASK_COUNT, Range
from dashboard.screens.compare.what_if import WhatIf
from dashboard.screens.compare.what_ifs import WhatIfs, follow, go_to
from dashboard.server import sizes
from dashboard.workspace import session
from dashboard.workspace.page_state import PageState
from dashboard.workspace.shelf import BYTES_KEPT, Shelf
from dashboard.workspace.workspace import Workspace

P = ParamSpec("P")
Counts = Literal["machines", "tasks"]
COUNT_RANGES: Final[dict[Counts, Range]] = {"machines": MACHINE_COUNT, "tasks": TASK_COUNT}

WHAT_IFS: Final = "wattfront.what_ifs"
REVISION: Final = "wattfront.what_ifs.revision"
_PARAMETER: Final = "what_ifs"
_GONE: Final = (
    "the server no longer has the what-ifs of this address; if you exported them as a file, press "
    "Open on the page Compare"
)
EDITED: Final = "wattfront.what_if"
SEED: Final = "wattfront.what_ifs.seed"


class CompareState(PageState):
    """The comparison stays the same on every page, so the address of every page names it."""

    parameters = frozenset({_PARAMETER})

    def begin(self, parameters: Mapping[str, str], now: Workspace) -> list[str]:
        del now
        if not (kept := parameters.get(_PARAMETER)):
            return []
        if (compared := _shelf().get(kept)) is None:
            return [_GONE]
        st.session_state[WHAT_IFS] = WhatIfs(compared)
        return []

    def come_back(self, parameters: Mapping[str, str], now: Workspace, *, here: bool) -> None:
        del here
        kept = parameters.get(_PARAMETER)
        found = _shelf().get(kept) if kept else None
        if (compared := known_what_ifs()) is not None and (found or not kept):
            first = (WhatIf.of_workspace(1, now),)
            st.session_state[WHAT_IFS] = go_to(compared, found or first)
            st.session_state[REVISION] = _revision() + 1

    def said_everywhere(self) -> Mapping[str, str]:
        compared = known_what_ifs()
        if compared is None or compared.is_as_at_first:
            return {}
        return {_PARAMETER: _shelf().put(compared.now)}


STATE: Final = CompareState()


@st.cache_resource(show_spinner=False)
def _shelf() -> Shelf[tuple[WhatIf, ...]]:
    return what_if_shelf()


def known_what_ifs() -> WhatIfs | None:
    """The comparison of this session; None if the page was never open."""
    found: WhatIfs | None = st.session_state.get(WHAT_IFS)
    return found


def what_ifs() -> WhatIfs:
    """The comparison of this session; at first the system that every page works on. The idle power
    of the other pages is that of now.
    """
    now = session.workspace()  # which may open what the address says
    found = known_what_ifs() or WhatIfs((WhatIf.of_workspace(1, now),))
    st.session_state[WHAT_IFS] = found = follow(found, now.idle_fraction)
    return found


def apply(
    step: Callable[Concatenate[WhatIfs, P], WhatIfs], *args: P.args, **kwargs: P.kwargs
) -> None:
    """Takes a step. All editors then start from its result."""
    take(step(what_ifs(), *args, **kwargs))
    st.session_state[REVISION] = _revision() + 1


def take(changed: WhatIfs) -> None:
    """Keeps the result of an editor, which stays as it is."""
    st.session_state[WHAT_IFS] = changed


def append(
    step: Callable[Concatenate[WhatIfs, P], WhatIfs], *args: P.args, **kwargs: P.kwargs
) -> None:
    """Takes a step that adds a what-if at the end, and selects it for editing."""
    apply(step, *args, **kwargs)
    st.session_state[EDITED] = what_ifs().now[-1].number


def edited() -> WhatIf | None:
    """The what-if whose widgets are shown: the selected one, or else the last."""
    now = what_ifs()
    return now.find(st.session_state.get(EDITED)) or (now.now[-1] if now.now else None)


def edit(number: int) -> None:
    st.session_state[EDITED] = number


def editor_key(what_if: WhatIf, counts: Counts) -> str:
    """The key of an editor of counts. It changes whenever the editors start anew."""
    return f"compare.{counts}.{what_if.number}.{_revision()}"


def editor_frame(what_if: WhatIf, counts: Counts) -> pd.DataFrame:
    """The table that an editor starts from. It stays the same while a person types, since an editor
    that is given another table loses its place.
    """
    key = editor_key(what_if, counts)
    if key not in st.session_state or st.session_state.get(SEED, ("",))[0] != key:
        types = what_if.base.machine_types if counts == "machines" else what_if.base.task_types
        frame = pd.DataFrame(
            {
                "Type": [one.name for one in types],
                "As given": [one.count for one in types],
                "Here": list(getattr(what_if, counts)),
            }
        )
        st.session_state[SEED] = key, frame
    frame_given: pd.DataFrame = st.session_state[SEED][1]
    return frame_given


def counts_in_editor(what_if: WhatIf, counts: Counts) -> tuple[int, ...]:
    """The counts as they stand in an editor. A cell that was cleared keeps its old count."""
    key = editor_key(what_if, counts)
    values = editor_frame(what_if, counts)["Here"].tolist()
    for row, cells in st.session_state[key]["edited_rows"].items():
        typed = cells.get("Here")
        if typed is not None and typed in COUNT_RANGES[counts]:
            values[int(row)] = int(typed)
    return tuple(values)


def _revision() -> int:
    found: int = st.session_state.get(REVISION, 0)
    return found


def what_if_shelf(most: int = BYTES_KEPT) -> Shelf[tuple[WhatIf, ...]]:
    """A shelf for comparisons; each what-if is kept with its system."""
    return Shelf(_digest, _of_what_ifs, most)


def _digest(what_ifs: tuple[WhatIf, ...]) -> str:
    """Equal what-ifs in the same order, and only they, have equal digests."""
    told = [
        (one.number, one.origin, one.base.fingerprint, one.machines, one.tasks, _settings(one))
        for one in what_ifs
    ]
    return sha256(repr(told).encode()).hexdigest()


def _settings(one: WhatIf) -> tuple[object, ...]:
    said = one.idle_fraction, one.tariff, one.name
    return (*said, "follows") if one.follows else said


def _of_what_ifs(what_ifs: tuple[WhatIf, ...]) -> int:
    bases = {one.base.fingerprint: sizes.of_system(one.base) for one in what_ifs}
    return sum(bases.values()) + sum(sizes.of_types(one.machines, one.tasks) for one in what_ifs)
