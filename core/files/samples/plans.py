"""The sample plans of `sample_data/plans/`: what to buy, with prices, rewards and arrivals."""

from difflib import get_close_matches
from pathlib import Path
from typing import Final

from core.files.samples.named import sample_data

PLANS: Final = ("e1", "e3", "nine")


def plan_folder(name: str) -> Path:
    """The folder of a sample plan. Raises `ValueError` for an unknown name."""
    if name not in PLANS:
        close = get_close_matches(name, PLANS, cutoff=0.5)
        hint = f"did you mean {' or '.join(close)}?" if close else "there are these:"
        raise ValueError(f"no sample plan is called {name!r}; {hint} ({', '.join(PLANS)})")
    return sample_data() / "plans" / name
