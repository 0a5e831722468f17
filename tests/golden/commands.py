"""What is recorded of the command line: each function types commands into a transcript.

Effort is counted (`--work`), or none (`--seconds 0`), so that the same comes of it every time.
Left out for want of that: cp-sat, and what is polished by the clock. `reproduce` takes too long,
and `dashboard` becomes a server.
"""

import json

from golden.transcript import Transcript

COMMANDS = (
    *(
        "check",
        "solve",
        "front",
        "report",
        "profit",
        "provision",
        "replay",
        "generate-workload",
        "fair-shares",
        "switch-off",
        "sweep",
        "export",
        "compare-run",
        "verify",
    ),
    *("generate", "convert", "samples", "reproduce", "dashboard"),
)
WITHOUT_POWERS = ("e1", "e2", "e3")
WITH_POWERS = ("nine", "six", "two", "ten", "testbed", "two-by-two")
SAMPLES = (*WITH_POWERS, *WITHOUT_POWERS)
AT_ONCE = ("--seconds", 0, "--threads", 1)


def work(units: float) -> tuple[object, ...]:
    return ("--work", units, "--threads", 1)


def helps(it: Transcript) -> None:
    it.run("--help")
    for command in COMMANDS:
        it.run(command, "--help")
    for kind in ("budget", "uncertain", "urgent", "testbed", "system", "log"):
        it.run("generate-workload", kind, "--help")


def samples(it: Transcript) -> None:
    it.limit = 2_000  # their files are in sample_data
    it.both("samples")
    it.run("samples", "--write", "drawn", "--json")


def check(it: Transcript) -> None:
    for sample in SAMPLES:
        it.both("check", sample)


def solve(it: Transcript) -> None:
    for sample in SAMPLES:
        it.both("solve", sample, *AT_ONCE)
        it.run("solve", sample, "--method", "paper", *AT_ONCE, "--json")
    for method in ("min-min", "max-min", "sufferage", "mct", "met", "olb"):
        it.both("solve", "two", "--method", method, *AT_ONCE)
        it.run("solve", "e2", "--method", method, *AT_ONCE, "--json")
    for sample in ("testbed", "two-by-two", "e1", "e3"):
        it.both("solve", sample, *work(0.1))
    it.run("solve", "six", *work(0.05), "--seed", 3, "--json")
    for sample in ("nine", "testbed", "two-by-two"):
        it.both("solve", sample, "--minimise", "energy", "--idle-power", 0.2, *work(0.05))


def schedules(it: Transcript) -> None:
    """Written by solve, and verified."""
    for sample in ("two-by-two", "testbed", "e2"):
        for suffix in (".csv", ".json", ".xlsx"):
            it.run("solve", sample, *AT_ONCE, "-o", f"{sample}{suffix}")
            it.both("verify", sample, f"{sample}{suffix}")
    it.run("verify", "testbed", "testbed.csv", "--idle-power", 0.3, "--json")
    it.both("verify", "two-by-two", "testbed.csv")
    lines = it.read("two-by-two.csv").decode().splitlines(keepends=True)
    it.write("missing.csv", "".join(lines[:-1]))
    it.write("twice.csv", "".join([*lines, lines[1]]))
    for part in ((), ("--part",)):
        it.both("verify", "two-by-two", "missing.csv", *part)
        it.both("verify", "two-by-two", "twice.csv", *part)
    document = json.loads(it.read("two-by-two.json"))
    for key, value in (
        *(("end", 1e9), ("task_type", "T9"), ("machine_type", "<b>"), ("machine", 2)),
        *(("count", 0), ("count", 1.5), ("start", "soon"), ("start", None)),
    ):
        blocks = [document["blocks"][0] | {key: value}, *document["blocks"][1:]]
        it.write("changed.json", json.dumps(document | {"blocks": blocks}))
        it.both("verify", "two-by-two", "changed.json")


def exports(it: Transcript) -> None:
    """As batch scripts and as files; what is wrong is said before."""
    it.run("solve", "two-by-two", *AT_ONCE, "-o", "s.csv")
    for out in ("again.json", "again.xlsx", "again.csv"):
        it.both("export", "two-by-two", "s.csv", "--to", out.partition(".")[2], "-o", out)
    it.run("export", "two-by-two", "s.csv", "--to", "slurm", "-o", "bare")
    it.write(
        "map.csv", "machine_type,machine,node,constraint,partition\nA,,n[01],,\nB,1,,big,long\n"
    )
    it.write(
        "commands.csv", "task_type,command\nT1,\"run '{task_type}' {index}\"\nT2,run {machine}\n"
    )
    tables = ("--map", "map.csv", "--commands", "commands.csv")
    it.both("export", "two-by-two", "s.csv", "--to", "slurm", *tables, "-o", "batch")
    small = ("--max-array-size", 2)
    it.run("export", "two-by-two", "s.csv", "--to", "slurm", *tables, *small, "-o", "batch")
    it.write("map.csv", "machine_type,machine,node\nA,,n[1-2]\nB,2,$(x)\nC,,n1\nA,1,\n")
    it.write("commands.csv", "task_type,command\nT1,don't\nT2,run {what}\nT3,run\n")
    it.both("export", "two-by-two", "s.csv", "--to", "slurm", *tables, "-o", "wrong")
    it.write("map.csv", "machine_type,machine,node\nA,1,n1\n")
    it.write("commands.csv", "task_type,command\nT1,run\n")
    it.both("export", "two-by-two", "s.csv", "--to", "slurm", *tables, "-o", "wrong")
    it.write("full/notes.txt", "mine\n")
    it.both("export", "two-by-two", "s.csv", "--to", "slurm", "-o", "full")


def runs(it: Transcript) -> None:
    """A schedule beside dumps of `sacct`: of its jobs, of others, and without what it needs."""
    it.run("solve", "two-by-two", *AT_ONCE, "-o", "s.csv")
    header = "JobID|JobName|State|Start|End|NodeList|ConsumedEnergyRaw\n"
    jobs = [f"wf-f94b995c-0000000a-{end}" for end in ("1-1-2-0", "1-1-1-0", "2-1-2-2")]
    rows = [
        f"{7 + k}_{task}|{job}|{state}|{100 + start}|{100 + start + 3}|{node}|{joules}"
        for k, (job, tasks, node) in enumerate(zip(jobs, (2, 5, 4), ("a", "a", "b"), strict=True))
        for task, state, start, joules in (
            (n, "FAILED" if n == 4 else "COMPLETED", 7 * k * (k < 2) + 3 * n, 150 if n else "")
            for n in range(tasks)
        )
    ]
    it.write("jobs.txt", header + "\n".join([*rows, "3|blast|COMPLETED|1|5|c|"]) + "\n")
    it.both("compare-run", "two-by-two", "s.csv", "jobs.txt", "-o", "machines.csv")
    it.write("others.txt", header + "3|blast|COMPLETED|1|5|c|\n")
    it.both("compare-run", "two-by-two", "s.csv", "others.txt")
    it.write("names.txt", "JobID|State|Elapsed\n3|COMPLETED|00:00:05\n")
    it.both("compare-run", "two-by-two", "s.csv", "names.txt")
    it.write("empty.txt", "")
    it.both("compare-run", "two-by-two", "s.csv", "empty.txt")


def sleeping(it: Transcript) -> None:
    """Nodes that may sleep, by a log with names of nodes and by one without."""
    header = "JobID|JobName|State|Partition|AllocCPUS|NNodes|NodeList|Start|Elapsed"
    rows = [
        f"{day}{hour:02}|a|COMPLETED|{kind}|8|{many}|{kind}[1-{many}]|"
        f"2026-03-{day:02}T{hour:02}:00:00|0{1 + day % 3}:30:00"
        for day in range(1, 15)
        for hour, kind, many in (
            (1, "cpu", 1),
            (9, "cpu", 4),
            (14, "cpu", 2),
            (10, "gpu", 1 + day % 2),
        )
    ]
    it.write("jobs.txt", "\n".join([f"{header}|ConsumedEnergyRaw", *[f"{row}|" for row in rows]]))
    it.both("switch-off", "jobs.txt")
    it.both("switch-off", "jobs.txt", "--most-waits", 0.5, "--start-seconds", 60)
    it.run("switch-off", "jobs.txt", "--asleep-watts", 400)
    samples = [
        f"2026-03-{day:02}T{hour:02}:{minute:02}:00,cpu{node},{300 if hour == 9 else 80}"
        for day in range(2, 12)
        for hour in (9, 22)
        for minute in (5, 10, 15, 20)
        for node in (1, 2)
    ]
    it.write("watts.csv", "\n".join(["time,node,watts", *samples]))
    it.run("switch-off", "jobs.txt", "--watts", "watts.csv", "--most-waits", 0.3)
    it.write("swf.txt", "".join(_swf(k) for k in range(40)))
    it.both("switch-off", "swf.txt", "--most-waits", 1, "--busy-watts", 90)
    it.write("times.csv", "task,machine,seconds\na,x,5\na,x,5\na,x,5\n")
    it.both("switch-off", "times.csv")
    for wrong in (("--most-waits", 2), ("--start-seconds", 0), ("--idle-share", "x")):
        it.run("switch-off", "jobs.txt", *wrong)
    it.run("switch-off", "no.txt")


def wishes(it: Transcript) -> None:
    money = ("--energy-price", 0.3, "--carbon", 0.4, "--carbon-price", 0.1, "--pue", 1.4)
    for wish in (
        ("--deadline", "15h"),
        ("--deadline", "1min"),
        ("--energy-budget", "9kWh"),
        ("--energy-budget", "1J"),
        ("--power-cap", "1.5kW"),
        ("--power-cap", "1W"),
        ("--exchange-rate", 900),
        ("--cost-budget", 4, *money),
        ("--cost-budget", "1e-6", *money),
    ):
        it.both("solve", "testbed", "--idle-power", 0.1, *wish, *work(0.02))
    it.both("solve", "two-by-two", "--deadline", 9, *work(0.05), "-o", "in-time.csv")
    it.run("solve", "nine", "--deadline", "1h", *AT_ONCE, "--json")


def front(it: Transcript) -> None:
    for sample in WITH_POWERS:
        it.both("front", sample, "--method", "bound", *AT_ONCE)
    it.both("front", "testbed", "--idle-power", "0,0.1,1", *AT_ONCE)
    it.run("front", "testbed", "--idle-power", 0.3, "--asleep-watts", 10, *AT_ONCE)
    it.run("front", "testbed", "--idle-power", "0,0.1", "--asleep-watts", 10)
    it.both("front", "two-by-two", "--idle-power", "0:1:0.5", "--method", "bound", *AT_ONCE)
    it.both("front", "testbed", "--method", "paper", "--spacing", 0.2, *AT_ONCE)
    it.run("front", "nine", "--method", "paper", "--spacing", 0.5, *AT_ONCE, "--json")
    for method in ("nsga2", "nsga2-seeded"):
        generations = ("--generations", 3, "--seconds", 1000, "--threads", 1)
        it.both("front", "two-by-two", "--method", method, *generations)


def studied(it: Transcript) -> None:
    """A study, with all that is written of it."""
    wanted = ("--csv", "front.csv", "--study", "study.json")
    it.both("front", "two-by-two", "--spacing", 0.1, *work(0.2), "-o", "folder", *wanted)
    it.both("report", "study.json")
    it.both("front", "testbed", "--spacing", 0.1, *AT_ONCE, *wanted, "-o", "folder")
    it.both("report", "study.json", "-o", "testbed.html")
    idle = ("--idle-power", 0.1, "--spacing", 0.2, "--seed", 3)
    it.both("front", "testbed", *idle, *AT_ONCE, *wanted, "-o", "folder")
    it.both("report", "study.json", "-o", "idle.html")
    it.run("front", "testbed", "--method", "bound", *AT_ONCE, "--csv", "b.csv", "--study", "b.json")
    it.run("report", "b.json", "--json")


def studied_larger(it: Transcript) -> None:
    """Of more types; its report is left out, where coordinates of many points are rounded."""
    it.limit = 1_000  # there are many schedules
    wanted = ("--csv", "front.csv", "--study", "study.json", "-o", "folder")
    it.both("front", "six", "--spacing", 0.1, *AT_ONCE, *wanted)


def polished(it: Transcript) -> None:
    """Fronts of more than a few tasks; here a last digit decides what is tried next."""
    wanted = ("--csv", "front.csv", "--study", "study.json", "-o", "folder")
    for sample in ("testbed", "six"):
        it.run("front", sample, "--idle-power", 0.1, "--spacing", 0.5, *work(0.2), *wanted)
        it.run("report", "study.json")


def profit(it: Transcript) -> None:
    priced = ("--energy-price", 0.3)
    for sample in WITH_POWERS:
        it.both("profit", sample, "--ratio", 1.3, *AT_ONCE)
    it.both("profit", "testbed", "--ratio", 1.5, "--idle-power", 0.1, *work(0.05))
    it.both("profit", "testbed", "--ratio", 0.5, "--idle-power", 0.1, *AT_ONCE)
    it.both(
        *("profit", "testbed", "--price", 6, *priced, "--carbon", 0.4, "--carbon-price", 0.1),
        *("--power-cap", "1.2kW", "--pue", 1.4, "--overhead", 0.5, "--idle-power", 0.2),
        *("--wear", "cluster 1=0.01", "cluster 3=0.02", "--depreciation", "cluster 2=0.03"),
        *work(0.05),
        *("-o", "capped.csv"),
    )
    it.both("verify", "testbed", "capped.csv", "--idle-power", 0.2)
    capped = ("--power-cap", 900, "--cap-at-machines", "--pue", 1.5)
    it.both("profit", "testbed", "--price", 9, *priced, *capped, *work(0.05))
    tariff = ("--day-tariff", "0:0.20,7:0.35,20:0.20")
    it.both("profit", "testbed", "--price", 5, *tariff, *AT_ONCE)
    it.both("profit", "testbed", "--price", 5, *tariff, "--start", "07:30", *AT_ONCE)
    it.write("tariff.csv", "from,price\n0,0.1\n7.5,0.3\n")
    it.run("profit", "testbed", "--ratio", 2, "--day-tariff", "tariff.csv", *AT_ONCE, "--json")


def sweeps(it: Transcript) -> None:
    counts = ("--over", "machines.A=0:2", "--over", "machines.B=0,1")
    it.both("sweep", "two-by-two", *counts, "--over", "power_cap=70")
    earned = ("--over", "profit_ratio=0.9,1.5", "--over", "energy_price=0.3")
    it.both("sweep", "testbed", "--over", "idle=0:0.4:0.2", *earned, "-o", "sweep.csv")
    it.run("sweep", "e2", "--over", "machines.M1=1:2", "--json")
    for axis in ("idle=0:2", "idel=0:1", "machines.M9=1", "idle=0:1:0", "price=3"):
        it.run("sweep", "two-by-two", "--over", axis)


def provision(it: Transcript) -> None:
    few = ("--scenarios", 16)
    it.both("provision", "e1", *few)
    it.both("provision", "e1", *few, "--in-parts", "--points", "latin", "--seed", 2)
    it.run("provision", "e1", *few, "--method", "rp", "--solver", "direct", "--budget", 2)
    it.run("provision", "nine", *few, "--method", "mvp", "--risk", 0.5)
    it.both("provision", "e1", *few, "--objective", "cost", "--at-least", "reward=1.5")
    it.run("provision", "e1", *few, "--objective", "cost", "--at-least", "reward=3")
    it.both("provision", "e1", "--scenarios", 2, "--front", "reward,cost")
    it.write("plan/etc.csv", "task_type,A,B\nT1,1,2\nT2,,4\n")
    it.write("plan/tasks.csv", "task_type,reward,arrival_rate\nT1,1,2\nT2,3,0.5\n")
    it.write("plan/machines.csv", "machine_type,count,Price (EUR),resale\nA,1,10,5\nB,0,7,\n")
    it.write("plan/plan.toml", 'rate_unit = "1/h"\n[limits]\nbudget = 40\n')
    it.both("provision", "plan", *few)
    it.both("check", "plan")
    it.write("plan/plan.toml", '[limits]\nbudgett = 40\n[spread.times]\ncov = "80 %"\n')
    it.both("provision", "plan")
    it.write("plan/plan.toml", "[limits]\nbudget = 40\nmin_machines = 20\n")
    it.both("provision", "plan")


def part_of_a_bag(it: Transcript) -> None:
    it.write("rewards.csv", "task_type,reward\nIS.8,0.05\nMG.16,0.3\n")
    for rewards in (["IS.8=0.05", "MG.8=0.2", "IS_CG.8=0.01"], ["rewards.csv"]):
        asked = ("--deadline", "1h", "--rewards", *rewards, "--energy-price", 0.3)
        it.both("profit", "testbed", *asked, *AT_ONCE, "-o", "part.csv")
        it.both("verify", "testbed", "part.csv", "--part")
    asked = ("--deadline", 5, "--rewards", "T1=1", "T2=0.5", "--day-tariff", "0:0.2,9:0.1")
    it.both("profit", "two-by-two", *asked, *AT_ONCE)


def profit_studied(it: Transcript) -> None:
    terms = ("--energy-price", 0.3, "--idle-power", 0.1, "--currency", "CHF")
    rates = ("--wear", "cluster 1=0.01", "--overhead", 0.2, "--power-cap", "2kW")
    tariff = ("--day-tariff", "0:0.20,7:0.35,20:0.20")
    it.both("profit", "testbed", "--ratio", 1.4, *terms, *work(0.05), "--study", "ratio.json")
    it.both("report", "ratio.json")
    more = (*terms, *rates, *tariff, *work(0.05), "--study", "price.json")
    it.both("profit", "testbed", "--price", 6, *more)
    it.both("report", "price.json", "-o", "price.html")


def foreign_names(it: Transcript) -> None:
    """Names that are markup, formulas, quotes or of another script, in all that is written."""
    it.write("<i>/etc.csv", 'task,<b>B</b>,=1+1\n"T,""1""",1,2\n計算 & co,2,3\n@x,4,\n')
    it.write("<i>/apc.csv", 'task,<b>B</b>,=1+1\n"T,""1""",9,5\n計算 & co,8,3\n@x,7,\n')
    it.write("<i>/tasks.csv", 'task_type,count\n"T,""1""",6\n計算 & co,5\n@x,2\n')
    it.write("<i>/machines.csv", "machine_type,count,idle_power\n<b>B</b>,1,2\n=1+1,2,1\n")
    it.both("check", "<i>")
    for out in ("again", "again.json", "again.xlsx"):
        it.run("convert", "<i>", out)
    for out in ("schedule.csv", "schedule.json", "schedule.xlsx"):
        it.run("solve", "<i>", *AT_ONCE, "-o", out)
        it.run("verify", "<i>", out)
    wanted = ("--csv", "front.csv", "--study", "front.json")
    it.both("front", "<i>", "--spacing", 0.3, *AT_ONCE, *wanted)
    it.both("report", "front.json")
    rates = ("--wear", "<b>B</b>=0.1", "--depreciation", "=1+1=0.2", "--energy-price", 1)
    money = ("--currency", "k €", "--study", "profit.json")
    it.both("profit", "<i>", "--price", 9, *rates, *money, *AT_ONCE)
    it.both("report", "profit.json")
    rewards = ("--rewards", "@x=2", 'T,"1"=1', "--deadline", 9, "--energy-price", 1)
    it.both("profit", "<i>", *rewards, *AT_ONCE)


def convert(it: Transcript) -> None:
    for sample in SAMPLES:
        it.run("convert", sample, f"{sample}.json", "--json")
    for sample in ("testbed", "e2"):
        for out in ("out.zip", "out.xlsx", "out"):
            it.both("convert", sample, out)
            it.run("convert", out, "again.json", "--json")
    it.write("hcsp.txt", "2 3\n1.5\n2\n3\n4\n5.25\n6\n")
    it.both("check", "hcsp.txt")
    it.write("hcsp.txt", "1.5\n2\n3\n4\n5.25\n6\n")
    it.both("check", "hcsp.txt", "--sizes", 2, 3)
    it.run("convert", "hcsp.txt", "hcsp.json", "--sizes", 3, 2)
    it.both("check", "hcsp.txt")


def generate(it: Transcript) -> None:
    it.limit = 3_000
    it.both("generate", "-o", "usual.json")
    small = ("--task-types", 3, "--machine-types", 2, "--tasks", 20, "--machines", 5)
    it.both("generate", "-o", "small", *small, "--seed", 7, "--apc", "machine-levels")
    it.run("check", "small")
    it.run(
        *("generate", "-o", "ranges.json", *small, "--etc", "range-based", "--etc-task-range", 50),
        *("--consistency", "semi-consistent", "--spread", "equal", "--json"),
    )
    it.run(
        *("generate", "-o", "uniform.json", *small, "--etc", "uniform", "--etc-high", 5),
        *("--apc", "coefficient-of-variation", "--apc-mean", 90, "--idle-fraction", 0.2),
        *("--consistency", "consistent", "--json"),
    )
    it.run("solve", "uniform.json", *AT_ONCE, "--json")
    it.both("generate", "-o", "no.json", "--etc", "uniform", "--etc-mean", 3, "--apc-low", 5)
    it.both("generate", "-o", "no.json", "--machines", 3, "--machine-types", 5)
    it.both("generate", "-o", "no.json", "--etc", "uniform", "--etc-low", 5, "--etc-high", 2)


def replays(it: Transcript) -> None:
    """Of samples and drawn workloads, with what is written of an outcome."""
    it.limit = 3_000
    chosen = ("--policy", "easy", "--policy", "max-upe", "--policy", "prices")
    it.run("replay", "small-day", *chosen)
    it.run("replay", "small-day", "--policy", "all", "--budget-share", 0.6)
    it.run("replay", "small-day", *chosen, "--budget-share", 0.6, "--json")
    prices = ("--day-tariff", "0:0.2,7:0.35,20:0.2", "--pue", 1.4)
    it.both("replay", "blades", *chosen, "--budget-share", 0.7, "--drop", -1, *prices)
    filtered = ("--policy", "max-upr", "--filter", "task:2", "--budget", "500MJ", "--no-bound")
    it.both("replay", "small-day", *filtered, "-o", "outcome.csv")
    it.both("verify", "outcome.workload.zip", "outcome.csv")
    drawn = ("--trials", 3, "--seed", 4, "--no-bound")
    it.both("replay", "uncertain", "--policy", "greedy-min", "--policy", "weighed", *drawn)
    it.run("replay", "testbed", *chosen, "--trials", 2, "--json")
    it.write("log.swf", "; MaxProcs: 8\n" + "".join(_swf(k) for k in range(12)))
    it.both("replay", "log.swf", *chosen, "--budget-share", 0.8, *prices, "--every", "5min")
    of_value = ("--policy", "max-vptr", "--policy", "simple-dp", "--policy", "value-prices")
    it.limit = 12_000
    it.both("replay", "value", *of_value, "--no-bound")
    it.limit = 3_000
    for wrong in (
        *(("--policy", "fastest"), ("--budget", "-1"), ("--budget", "5 parsecs"), ("--drop", "x")),
        *(("--filter", "task"), ("--every", 0), ("--trials", 2), ("-o", "outcome.pdf")),
    ):
        it.run("replay", "small-day", "--no-bound", *wrong)


def _swf(number: int) -> str:
    """A job of a log in the standard workload format, with a larger estimate than it takes."""
    fields = [-1] * 18
    seconds, cores = 300 + 70 * number, 1 + number % 4
    fields[:9] = [number + 1, 200 * number, 0, seconds, cores, -1, -1, cores, 2 * seconds]
    fields[10] = 1
    return " ".join(map(str, fields)) + "\n"


def stretches(it: Transcript) -> None:
    """How fairly bags share machines; nothing here is polished, which goes by the clock."""
    it.limit = 3_000
    chosen = ("--policy", "fifo-mct", "--policy", "swrpt-dd", "--policy", "mwma-ms")
    it.both("fair-shares", "morning")
    it.both("fair-shares", "morning", *chosen)
    it.both("fair-shares", "morning", "--front", "--day-carbon", "0:0.4,9:0.2")
    it.both("fair-shares", "morning", "--bandwidth", 20, "--buffers", "none")
    it.both("fair-shares", "morning", "--buffers", 100, "--policy", "fifo-rr")
    it.both("fair-shares", "morning", "--buffers", 4000, "--policy", "cbs3m-edf-offline")
    it.both("fair-shares", "morning", *chosen, "--trials", 3, "--seed", 2)
    it.run("fair-shares", "published", *chosen, "--trials", 2, "--json")
    it.both("fair-shares", "morning", "--policy", "srpt-mct", "-o", "outcome.csv")
    it.both("verify", "morning", "outcome.csv")
    it.both("fair-shares", "two-by-two")
    for wrong in (
        *(("--policy", "first"), ("--bandwidth", -1), ("--buffers", "many"), ("--trials", 0)),
        *(("--front", "--trials", 2), ("-o", "outcome.csv"), ("--seconds", -1)),
        ("--policy", "all", "--trials", 2, "--carbon", 0.1),
    ):
        it.run("fair-shares", "morning", *wrong)


def workloads(it: Transcript) -> None:
    """Work that arrives, drawn in every way, and taken from a log."""
    it.limit = 2_000
    make = "generate-workload"
    it.both(make, "budget", "-o", "day", "--jobs", 40, "--seed", 3, "--states", 2)
    it.run("replay", "day", "--policy", "max-upe", "--no-bound")
    errors = ("--tasks", 30, "--machines", 3, "--errors", "high")
    it.both(make, "uncertain", "-o", "tasks.json", *errors)
    urgent = ("--jobs", 60, "--cores", 5, "--burst", 6, "--critical-time", "5min")
    it.both(make, "urgent", "-o", "urgent.json", *urgent, "--curves", "step", "--flags", 0.8)
    it.limit = 4_000
    it.run("replay", "urgent.json", "--policy", "upt-greedy", "--policy", "upt-now", "--no-bound")
    it.limit = 2_000
    it.both(make, "testbed", "-o", "bags.zip")
    of_system = ("system", "two-by-two", "--jobs", 30, "--seed", 5)
    for pattern in (
        *(("constant",), ("sinusoidal", "--swing", 0.9), ("work-hours",), ("bursts", "--burst", 5)),
        ("hourly", "--rates", ",".join("12345678" * 3)),
    ):
        it.both(make, *of_system, "-o", "system", "--pattern", *pattern)
    it.write("hours.csv", "job_type,hour,jobs\nT1,8,3\nT2,20,1.5\n")
    by_hour = ("system", "two-by-two", "--by-hour", "hours.csv")
    it.both(make, *by_hour, "-o", "hours", "--fades", 2)
    it.write("log.swf", "; MaxProcs: 8\n" + "".join(_swf(k) for k in range(12)))
    it.both(make, "log", "log.swf", "-o", "log", "--watts", 90)
    it.write("sizes.csv", "size,cores,memory_gb,price\nsmall,1,2,0.05\nlarge,4,8,0.2\n")
    sized = ("log", "log.swf", "--sizes", "sizes.csv")
    it.both(make, *sized, "-o", "sized", "--memory", 16, "--watts", 90, "--speed-up", "downey")
    it.run("replay", "sized", "--policy", "max-vptr", "--no-bound")
    it.both(make, "value-testbed", "-o", "hosts.zip", "--hosts", 1, "--at-peak", "--seed", 2)
    for wrong in (
        *(
            ("budget", "--jobs", 0),
            ("budget", "--tasks", 30),
            ("urgent", "--flags", 1.1),
            (),
            ("system",),
            ("log",),
        ),
        *((*of_system, "--pattern", "hourly"), (*of_system, "--by-hour", "log.swf")),
        *(("log", "hours.csv"), sized, (*sized, "--memory", 7, "--unit", "nodes")),
        ("log", "log.swf", "--sigma", 2),
    ):
        it.run(make, *wrong, "-o", "no")
