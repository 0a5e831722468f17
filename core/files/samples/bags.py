"""The sample bags of `sample_data/bags/`: systems with release dates, data and a network."""

from difflib import get_close_matches
from pathlib import Path
from typing import Final

from core.files.samples.named import sample_data

BAGS: Final = ("morning",)


def bags_folder(name: str) -> Path:
    """The folder of sample bags. Raises `ValueError` for an unknown name."""
    if name not in BAGS:
        close = get_close_matches(name, BAGS, cutoff=0.5)
        hint = f"did you mean {' or '.join(close)}?" if close else "there are these:"
        raise ValueError(f"no sample bags are called {name!r}; {hint} ({', '.join(BAGS)})")
    return sample_data() / "bags" / name
