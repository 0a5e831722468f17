"""What is recorded of refusals: files that are wrong, and command lines."""

import io
import zipfile
from typing import Final

from golden.transcript import Transcript

SOUND: Final = {
    "etc": "task,A,B\nT1,1,2\nT2,3,\n",
    "apc": "task,A,B\nT1,10,20\nT2,30,\n",
    "tasks": "task_type,count\nT1,5\nT2,1\n",
    "machines": "machine_type,count,idle_power\nA,2,1\nB,1,2\n",
}
TABLES: Final[dict[str, dict[str, str | None]]] = {
    "sound": {},
    "without etc": {"etc": None},
    "without powers": {"apc": None},
    "without counts": {"tasks": None, "machines": None},
    "numbers that are none": {"etc": "task,A,B\nT1,-1,soon\nT2,0,\n"},
    "numbers beyond all": {"etc": "task,A,B\nT1,1e300,nan\nT2,3,1e-300\n"},
    "a row too short": {"etc": "task,A,B\nT1,1\nT2,3,4,5\n"},
    "a task nobody can run": {"etc": "task,A,B\nT1,,\nT2,3,\n"},
    "a type twice": {"etc": "task,A,A\nT1,1,2\nT1,3,4\n"},
    "powers of other types": {"apc": "task,A,C\nT1,10,20\nT3,30,1\n"},
    "powers that miss": {"apc": "task,A,B\nT1,,20\nT2,30,9\n"},
    "counts": {"tasks": "task_type,count\nT1,1.5\nT2,-1\nT3,4\n"},
    "counts beyond all": {"machines": "machine_type,count\nA,1000001\nB,many\n"},
    "headings": {"tasks": "Job,Number of them\nT1,5\nT2,1\n", "machines": "A,2\nB,1\n"},
    "idling dearer": {"machines": "machine_type,count,idle_power\nA,2,99\nB,1,2\n"},
    "decimal commas": {"etc": "task;A;B\nT1;1,5;2\nT2;3;N/A\n", "apc": None},
    "units": {"etc": "task,A,B\nT1,1 min,2 s\nT2,3,-\n"},
    "foreign names": {
        "etc": 'task,=1+1,<b>B</b>\n"T,1",1,2\n計算,3,4\n',
        "apc": None,
        "tasks": 'task_type,count\n"T,1",5\n計算,1\n',
        "machines": "machine_type,count\n=1+1,5\n<b>B</b>,x\n",
    },
    "nothing": {"etc": ""},
}
FILES: Final[dict[str, bytes]] = {
    "empty.json": b"",
    "broken.json": b'{"format": ',
    "list.json": b"[1, 2]",
    "other.json": b'{"format": "else", "version": 1}',
    "later.json": b'{"format": "wattfront-system", "version": 99}',
    "incomplete.json": b'{"format": "wattfront-system", "version": 1, "task_types": 3}',
    "twice.json": b'{"format": "wattfront-system", "format": "wattfront-system"}',
    "binary.csv": bytes(range(256)) * 10,
    "half.zip": b"PK\x03\x04" + b"\x00" * 40,
    "half.xlsx": b"PK\x03\x04" + b"\x00" * 40,
    "prose.txt": "Nothing of this is a number.\n".encode("utf-16"),
}
LINES: Final = (
    "",
    "fly nine",
    "check",
    "check nowhere",
    "check nin",
    "check nine --sizes 2",
    "check nine --sizes 2 3",
    "solve nine --work 1 --seconds 1",
    "solve nine --seconds -1",
    "solve nine --seconds soon",
    "solve nine --threads 0",
    "solve nine --method magic",
    "solve nine --method mct --minimise energy",
    "solve nine --method mct --work 1",
    "solve nine --idle-power 1.5",
    "solve e1 --idle-power 0.5",
    "solve e1 --minimise energy --seconds 0",
    "solve nine -o schedule.pdf",
    "solve nine -o nowhere/schedule.csv --seconds 0",
    "solve nine --deadline 3kg",
    "solve nine --deadline 1h --power-cap 3kW",
    "solve nine --cost-budget 3",
    "solve nine --price 3",
    "solve nine --deadline 1h --method mct",
    "front e1",
    "front nine --method bound -o folder",
    "front nine --spacing 9",
    "front nine --idle-power 0,2",
    "front nine --idle-power 0:1:0",
    "front nine --idle-power 0,1 --study s.json --csv s.csv -o folder --method lp",
    "front nine --csv s.json --study s.csv",
    "front nine --method paper --work 1 --generations 3",
    "front nine --method nsga2 --seconds 0",
    "profit nine",
    "profit e1 --ratio 1.2",
    "profit nine --price 3",
    "profit nine --ratio 1 --price 3",
    "profit nine --ratio 1 --carbon 3 --start 3 --cap-at-machines --currency EUR",
    "profit nine --ratio 1 --wear A=1 A=2 B",
    "profit nine --ratio 1 --energy-price 1 --wear A=1 --depreciation A=2 A=3",
    "profit nine --price 1 --day-tariff 0:1,0:2",
    "profit nine --price 1 --day-tariff 24:1",
    "profit nine --price 1 --day-tariff nowhere.csv",
    "profit nine --rewards X=1 --deadline 1h --energy-price 0.1",
    "profit nine --rewards X=1 --ratio 3 --study s.json",
    "profit testbed --price 1 --energy-price 1 --power-cap 1W --seconds 0 -o none.csv",
    "report nowhere.json",
    "report sound/etc.csv -o report.pdf",
    "verify nine nowhere.csv",
    "verify nine sound/etc.csv",
    "generate",
    "generate -o system.pdf",
    "generate -o system.json --tasks 0 --spread even",
    "convert nine out.pdf",
    "convert nine nowhere/out.json",
    "reproduce magic",
    "reproduce profit --generations 3",
    "dashboard --port 0",
)


def wrong_tables(it: Transcript) -> None:
    for name, changed in TABLES.items():
        folder = name.replace(" ", "-")
        for table, content in (SOUND | changed).items():
            if content is not None:
                it.write(f"{folder}/{table}.csv", content)
        it.both("check", folder)
    it.write("more/list.csv", "Job,Number\nT1,70\nT2,3\n")
    it.write("more/etc.csv", SOUND["etc"])
    it.write("more/jobs.xlsx", b"")
    it.both("check", "more")


def wrong_files(it: Transcript) -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as members:
        members.writestr("../etc.csv", "x,A\nT,1\n")
    for name, content in (FILES | {"escapes.zip": archive.getvalue()}).items():
        it.write(name, content)
        it.both("check", name)
        it.run("solve", name, "--json")
        it.run("report", name, "--json")
        it.run("verify", "two-by-two", name)


def wrong_studies(it: Transcript) -> None:
    at_once = ("--method", "bound", "--seconds", 0, "--threads", 1)
    it.run("front", "two-by-two", *at_once, "--study", "s.json")
    sound = it.read("s.json").decode()
    for old, new in (
        ('"version": 1', '"version": 9'),
        ('"vertices": [[', '"vertices": [[1.0, 1.0], ['),
        ('"vertices": ', '"corners": '),
        ('"method": "bound"', '"method": "magic"'),
        ('"etc": [', '"etc": [[-1, 2], '),
        ('"threads": ', '"threads": -'),
        ("}\n", "\n"),
    ):
        it.write("s.json", sound.replace(old, new))
        it.both("report", "s.json")


def wrong_lines(it: Transcript) -> None:
    it.write("sound/etc.csv", SOUND["etc"])
    for line in LINES:
        it.run(*line.split())
        if line:
            it.run(*line.split(), "--json")
