"""What the plan is that a file has beside its system, for `wattfront check` and `convert`."""

from pathlib import Path
from typing import TYPE_CHECKING

from core.capabilities.provision import SETTINGS
from core.files.beside import KeptBeside, SeenBeside
from core.files.findings import Findings, shown_list
from core.files.headings import columns_there
from core.files.system_file import inspect_parts
from core.vocabulary.problems import Problem
from core.vocabulary.say.words import Sense, amount, counted

if TYPE_CHECKING:  # only who has a plan waits for solvers
    from core.capabilities.provision.files.plan_file import PlanFile


def seen(path: Path) -> SeenBeside | None:
    """The plan at a path, or what is wrong with it; None if there is none."""
    findings = Findings()
    parts = inspect_parts(path, SETTINGS, findings)
    if parts is None or parts.settings is None:
        return None
    from core.capabilities.provision.clashes import refuse_clash
    from core.capabilities.provision.files.plan_format import plan_file_of

    file = plan_file_of(parts, findings)
    if file is not None:
        with findings.refusals(path.name):
            refuse_clash(file.plan, whole=True, labels=file.labels)
    problems = findings.problems()
    if file is None or findings.failed:
        return SeenBeside(None, 0, problems, without_machines=True)
    machines = sum(parts.machine_counts)
    return SeenBeside(file.types, machines, problems, _rows(file), _data(file), True)


def _rows(file: "PlanFile") -> tuple[tuple[str, str], ...]:
    offers, asked = counted(len(file.offers), "machine type"), file.scenarios
    budget = amount(file.limits.budget, Sense.PLAIN, file.currency)
    futures = counted(asked.count, "scenario")
    return (
        ("plan", f"{offers} to buy from, budget {budget}"),
        ("futures", f"{futures} ({asked.points}, seed {asked.seed})"),
    )


def _data(file: "PlanFile") -> dict[str, object]:
    asked = file.scenarios
    return {
        "plan": {
            "budget": file.limits.budget,
            "currency": file.currency,
            "rate_unit": file.rate_unit,
            "scenarios": asked.count,
            "points": asked.points,
            "seed": asked.seed,
        }
    }


def kept(path: Path) -> KeptBeside:
    """The plan at a path; nothing if there is none. What cannot be kept is a warning."""
    findings = Findings()
    parts = inspect_parts(path, SETTINGS, findings)
    if parts is None or parts.types is None:
        return KeptBeside()  # the reader of systems says why
    columns = [*columns_there(SETTINGS, parts.tasks, parts.machines)]
    if parts.settings is None:
        message = (
            f"columns of a plan are not written: {shown_list(columns)}; add {parts.source.label} "
            "to keep them"
        )
        problem = Problem(parts.source.label, "", "", message, "warning")
        return KeptBeside(problems=(problem,) if columns else ())
    from core.capabilities.provision.files.plan_format import additions_of, plan_file_of

    of_plan = Findings()
    file = plan_file_of(parts, of_plan)
    if file is None or findings.failed:
        return KeptBeside.left_out("the plan", findings, of_plan)
    return KeptBeside(file.types, additions_of(file))
