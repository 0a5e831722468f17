"""Files of plans for the tests."""

import json

ETC = "task_type,M1,M2\nT1,1,2\nT2,4,\n"
TASKS = "task_type,reward,arrival_rate\nT1,1,2\nT2,3,0.5\n"
MACHINES = "machine_type,count,price,resale,failure_rate,min,max\nM1,0,10,5,,1,\nM2,3,7,,0.1,,4\n"
SETTINGS = "[limits]\nbudget = 100\n"
APC = "task_type,M1,M2\nT1,30,50\nT2,40,\n"
POWERED = {
    "apc_csv": APC,
    "machines_csv": "machine_type,count,idle_power,price,failure_rate\n"
    "M1,0,10,20,0.5\nM2,3,5,7,0\n",
}
"""Changes that give the plan powers and failures."""
FILES = {"etc.csv": ETC, "tasks.csv": TASKS, "machines.csv": MACHINES, "plan.toml": SETTINGS}


def folder_with(folder, **changed):
    """A folder with the plan; a file `plan.toml` is changed as `plan_toml`, and left out if it is
    empty.
    """
    texts = FILES | {name.replace("_", "."): text for name, text in changed.items()}
    for name, text in texts.items():
        if text:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
    return folder


def same(first, second):
    """Two plans say the same."""
    for name in ("offers", "demands", "limits", "spread", "scenarios", "currency"):
        assert getattr(first, name) == getattr(second, name)
    assert [rule.text for rule in first.rules] == [rule.text for rule in second.rules]
    assert first.types == second.types


def answered(wattfront, *words):
    """What `wattfront provision` answers, as data."""
    outcome = wattfront("provision", *words, "--json")
    assert outcome.status == 0, outcome.err
    return dict(json.loads(outcome.out))
