"""Whether the tab of a session is still open."""

import math
import time
from typing import Final

from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dashboard.server.computing import NOBODY, Asker

AWAY_SECONDS: Final = 3.0
"""A browser that lost its connection is back within so many seconds."""


# Internals: streamlit/streamlit#8545.
class _Presence:
    def __init__(self, session: str) -> None:
        self._session = session
        self._since = math.inf

    def ended(self) -> bool:
        """Whether no browser was connected for a while. It must be called from time to time."""
        if not runtime.exists() or runtime.get_instance().is_active_session(self._session):
            self._since = math.inf
            return False
        now = time.monotonic()
        self._since = min(self._since, now)
        return now - self._since > AWAY_SECONDS


def asker() -> Asker:
    """The session that is being drawn, as one that asks for computations."""
    context = get_script_run_ctx()
    if context is None:
        return NOBODY
    return Asker(context.session_id, _Presence(context.session_id).ended)
