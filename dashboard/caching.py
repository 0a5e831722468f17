"""How Streamlit's caches tell arguments apart."""

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final

from core.system import System

BY_CONTENT: Final[dict[str | type, Callable[[Any], Any]]] = {System: attrgetter("fingerprint")}
"""For `hash_funcs`: equal systems are one and the same."""
