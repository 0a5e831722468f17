"""`wattfront export` writes a verified schedule for a cluster or as a file, or says why not."""

import json

import pytest
from log_stores import dump
from options import options

from core.capabilities.export import CAPABILITY, command
from core.engines.slurm.job_names import JobName


@pytest.fixture
def schedule(wattfront, tmp_path):
    path = tmp_path / "s.csv"
    assert wattfront("solve", "two-by-two", "--seconds", 0, "-o", path).status == 0
    return path


@pytest.fixture
def export(wattfront, schedule, tmp_path):
    """Runs the command on this schedule: `export("slurm", "out", ...)`."""

    def run(to, out, *words, of=schedule):
        into = tmp_path / out
        return wattfront("export", "two-by-two", of, "--to", to, "-o", into, *words)

    return run


def folder_of(path):
    return {one.relative_to(path).as_posix() for one in path.rglob("*") if one.is_file()}


def test_a_folder_of_batch_scripts(export, schedule, tmp_path):
    (tmp_path / "map.csv").write_text("machine_type,machine,node\nA,1,n1\nB,,n2\n")
    (tmp_path / "run.csv").write_text("task_type,command\nT1,run {index}\nT2,run {index}\n")
    tables = ("--map", tmp_path / "map.csv", "--commands", tmp_path / "run.csv")
    out = tmp_path / "out"
    outcome = export("slurm", "out", *tables)
    assert (outcome.status, outcome.err) == (0, "")
    arrays = len(schedule.read_text().splitlines()) - 1
    assert outcome.out == f"{out}: {arrays} job arrays for 2 machines\n"
    assert folder_of(out) == {
        *("README.md", "submit.sh", "cancel.sh", "plan.csv"),
        *("tasks/1-T1.sh", "tasks/2-T2.sh"),
    }
    assert 'run "${WATTFRONT_INDEX}"' in (out / "tasks" / "1-T1.sh").read_text()
    assert "--nodelist=n1" in (out / "submit.sh").read_text()


def test_as_one_json_object(export, wattfront, schedule, tmp_path):
    data = export("slurm", "out", "--json").data
    assert [problem["severity"] for problem in data.pop("problems")] == ["warning"] * 2
    verified = wattfront("verify", "two-by-two", schedule, "--json").data
    assert data == {
        "ok": True,
        "to": "slurm",
        "path": str(tmp_path / "out"),
        "job_arrays": len(schedule.read_text().splitlines()) - 1,
        **{name: verified[name] for name in ("tasks", "machines", "makespan")},
    }


def test_the_size_of_job_arrays_is_that_of_slurm(wattfront, tmp_path):
    wattfront("solve", "testbed", "--seconds", 0, "-o", tmp_path / "s.csv")
    export = ("export", "testbed", tmp_path / "s.csv", "--to", "slurm", "--json", "-o")
    usual = wattfront(*export, tmp_path / "usual").data["job_arrays"]
    small = wattfront(*export, tmp_path / "small", "--max-array-size", 1).data
    assert usual < small["job_arrays"] == small["tasks"]
    refused = wattfront(*export, tmp_path / "no", "--max-array-size", 0)
    assert refused.status == 2
    names = (tmp_path / "small" / "plan.csv").read_text().splitlines()[1:]
    for line in names:
        assert JobName.parse(f"wf-{'0' * 8}-{'0' * 8}-{line.split(',')[3]}")


@pytest.mark.parametrize("suffix", ["csv", "json", "xlsx"])
def test_a_file_of_another_format(export, schedule, tmp_path, suffix):
    out = tmp_path / f"again.{suffix}"
    outcome = export(suffix, out)
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out == f"{out}: 12 tasks on 2 machines\n"
    export("csv", "back.csv", of=out)
    assert (tmp_path / "back.csv").read_text() == schedule.read_text()


def test_waiting_and_order_are_kept(export, schedule, tmp_path):
    header, *rows = schedule.read_text().splitlines()
    parts = [row.split(",") for row in rows]
    late = [[*cells[:4], *(str(float(cell) + 5) for cell in cells[4:])] for cells in parts]
    text = "\n".join([header, *(",".join(cells) for cells in late)]) + "\n"
    (tmp_path / "late.csv").write_text(text)
    export("csv", "again.csv", of=tmp_path / "late.csv")
    assert (tmp_path / "again.csv").read_text() == text


def test_a_wrong_schedule_is_not_written(export, schedule, tmp_path):
    lines = schedule.read_text().splitlines(keepends=True)
    schedule.write_text("".join(lines[:-1]))
    for to, out in (("slurm", "out"), ("csv", "out.csv")):
        outcome = export(to, out)
        assert outcome.status == 2
        assert "are missing" in outcome.err
        assert not (tmp_path / out).exists()
        assert export(to, out, "--part").status == 0


@pytest.mark.parametrize(
    ("table", "text", "said"),
    [
        ("map", "machine_type,machine,node\nA,1,n1\n", "row B, column node: machine 1 has"),
        ("map", "machine_type,machine,node\nA,7,n1\n", "row line 2, column machine: there is no"),
        ("map", "", "map.csv, column machine_type: column machine_type is missing"),
        ("map", "\0", "map.csv: holds a NUL byte (line 1)"),
        ("commands", "task_type,command\nT1,a\n", "row T2, column command: the task type has"),
        (
            "commands",
            "task_type,command\nT1,don't\n",
            "column command: ' is opened, but not closed",
        ),
    ],
)
def test_nor_is_one_that_slurm_cannot_run(export, tmp_path, table, text, said):
    path = tmp_path / f"{table}.csv"
    path.write_text(text)
    outcome = export("slurm", "out", f"--{table}", path)
    assert outcome.status == 2
    assert said in outcome.err
    assert not (tmp_path / "out").exists()


def test_problems_of_both_tables_are_said_at_once(export, tmp_path):
    (tmp_path / "map.csv").write_text("machine_type,node\nA,n[1\n")
    (tmp_path / "run.csv").write_text("task_type,command\nT1,'\n")
    tables = ("--map", tmp_path / "map.csv", "--commands", tmp_path / "run.csv")
    assert len(export("slurm", "out", *tables).complaints) == 2
    outcome = export("slurm", "out", "--map", tmp_path / "no.csv")
    assert outcome.complaints == ["error: no.csv: does not exist; check the path"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--to", "csv", "-o", "s.txt"), "s.txt cannot be written: name a .csv file"),
        (("--to", "json", "-o", "s.csv"), "s.csv cannot be written: name a .json file"),
        (("--to", "csv", "-o", "a.csv", "--map", "m"), "--map is for --to slurm; leave it out"),
        (("--to", "csv", "-o", "a.csv", "--commands", "m"), "--commands is for --to slurm"),
        (("--to", "csv", "-o", "a.csv", "--max-array-size", 5), "--max-array-size is for"),
        (("--to", "pbs", "-o", "a"), "invalid choice: 'pbs'"),
        (("--to", "slurm"), "the following arguments are required: -o/--output"),
        (("-o", "a"), "the following arguments are required: --to"),
        (("--to", "slurm", "-o", "no/out"), "there is no folder to make it in"),
    ],
)
def test_a_wrong_command_line_is_refused(wattfront, schedule, monkeypatch, tmp_path, words, said):
    monkeypatch.chdir(tmp_path)
    outcome = wattfront("export", "two-by-two", schedule, *words)
    assert outcome.status == 2
    assert said in outcome.err
    assert folder_of(tmp_path) == {"s.csv"}


def test_where_something_else_is_nothing_is_read_or_written(wattfront, tmp_path):
    (tmp_path / "notes").write_text("mine")
    outcome = wattfront("export", "two-by-two", "no.csv", "--to", "slurm", "-o", tmp_path, "--json")
    (problem,) = outcome.data["problems"]
    assert "notes there is not one of batch scripts" in problem["message"]
    assert json.dumps(outcome.data)
    assert folder_of(tmp_path) == {"notes"}


def test_every_option_is_explained():
    assert options(command.declare) == {
        "system": ("SYSTEM", True),
        "schedule": ("SCHEDULE", True),
        "--to": (("slurm", "csv", "json", "xlsx"), True),
        "--map": ("FILE", False),
        "--commands": ("FILE", False),
        "--max-array-size": ("N", False),
        "--peak-cap": ("POWER", False),
        "--part": (None, False),
        "--output": ("OUT", True),
        "--sizes": (("TASKS", "MACHINES"), False),
    }
    assert (CAPABILITY.command, bool(CAPABILITY.summary)) == ("export", True)


def test_what_is_odd_in_the_system_is_said(wattfront, tmp_path):
    system, schedule = tmp_path / "system.json", tmp_path / "s.csv"
    wattfront("convert", "two-by-two", system)
    system.write_text(json.dumps({**json.loads(system.read_text()), "colour": 1}))
    wattfront("solve", system, "--seconds", 0, "-o", schedule)
    outcome = wattfront(
        "export", system, schedule, "--to", "json", "-o", tmp_path / "t.json", "--json"
    )
    (problem,) = outcome.data["problems"]
    assert (problem["severity"], problem["file"]) == ("warning", "system.json")


@pytest.mark.parametrize("name", ["x.pdf", "x.PNG", "x.csv", "x.tar.gz"])
def test_a_name_of_a_file_makes_no_folder(export, tmp_path, name):
    """Issue 33, point 12: `-o x.pdf` is refused with the formats there are."""
    outcome = export("slurm", name)
    assert (outcome.status, (tmp_path / name).exists()) == (2, False)
    assert "batch scripts are a folder, so name one; --to csv, json or xlsx writes" in outcome.err


@pytest.mark.parametrize(
    ("command", "formats"),
    [
        (("convert", "two-by-two"), "name a folder, or a .zip, .xlsx or .json file"),
        (("generate", "-o"), "name a folder, or a .zip, .xlsx or .json file"),
        (("front", "two-by-two", "-o"), "--csv writes one .csv file"),
        (("generate-workload", "testbed", "-o"), "name a folder, or a .zip, .xlsx or .json file"),
        (("reproduce", "makespan", "-o"), "as .md, .csv and .svg files, so name one"),
    ],
)
def test_no_command_makes_a_folder_that_is_named_as_a_file(wattfront, tmp_path, command, formats):
    """Issue 33, point 12: `-o x.pdf` is refused with the formats there are."""
    outcome = wattfront(*command, tmp_path / "x.pdf")
    assert (outcome.status, [*tmp_path.iterdir()]) == (2, [])
    assert formats in outcome.err


def test_a_log_that_does_not_name_the_nodes_of_a_type_binds_none(wattfront, tmp_path):
    (tmp_path / "log.txt").write_text(dump(*[{"NodeList": f"n{k}"} for k in (1, 2, 2)]))
    cluster, plan = tmp_path / "cl", tmp_path / "s.csv"
    assert wattfront("derive", tmp_path / "log.txt", "-o", cluster).status == 0
    for more, warned in ({}, False), ({"etc": (",new", ",9"), "machines": ("", "new,1,0")}, True):
        for table, (first, others) in more.items():
            path = cluster / f"{table}.csv"
            head, *rows = path.read_text().splitlines()
            rows = [*rows, others] if table == "machines" else [row + others for row in rows]
            path.write_text("\n".join([head + first, *rows]))
        assert wattfront("solve", cluster, "--seconds", 0, "-o", plan).status == 0
        out = tmp_path / f"out{warned}"
        found = wattfront("export", cluster, plan, "--to", "slurm", "-o", out)
        assert found.status == 0, found.err
        assert ("no table binds machines" in found.err) == warned
        assert ("--nodelist" in (out / "submit.sh").read_text()) != warned
