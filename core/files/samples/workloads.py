"""The sample workloads of `sample_data/workloads/`: work that arrives, with where it may run."""

from difflib import get_close_matches
from pathlib import Path
from typing import Final

from core.files.samples.named import sample_data

WORKLOADS: Final = ("blades", "small-day")


def workload_folder(name: str) -> Path:
    """The folder of a sample workload. Raises `ValueError` for an unknown name."""
    if name not in WORKLOADS:
        close = get_close_matches(name, WORKLOADS, cutoff=0.5)
        hint = f"did you mean {' or '.join(close)}?" if close else "there are these:"
        raise ValueError(f"no sample workload is called {name!r}; {hint} ({', '.join(WORKLOADS)})")
    return sample_data() / "workloads" / name
