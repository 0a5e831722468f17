"""Files of bags for the tests: an example whose optimum is 201/142, and 69/44 without buffers."""

from pathlib import Path

ETC = "task_type,M1,M2\nA,2,4\nB,4,1\nC,1,1\n"
TASKS = "task_type,count,release,data\nA,10,,1\nB,6,3,2\nC,4,5,4\n"
MACHINES = "machine_type,count,link,memory\nM1,1,2,\nM2,1,2,\n"
NETWORK = "bandwidth = 3\n"
APC = "task_type,M1,M2\nA,100,40\nB,90,200\nC,120,150\n"
"""Watts for it; no machine draws anything idle."""
FILES = {"etc.csv": ETC, "tasks.csv": TASKS, "machines.csv": MACHINES, "network.toml": NETWORK}


def bags_in(folder: Path, **changed: str) -> Path:
    """A folder with them; a file `tasks.csv` is changed as `tasks_csv`, and left out if empty."""
    texts = FILES | {name.replace("_", "."): text for name, text in changed.items()}
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        if text:
            (folder / name).write_text(text, encoding="utf-8")
    return folder
