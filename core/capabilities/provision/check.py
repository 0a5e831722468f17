"""What the plan is that a file has beside its system, for `wattfront check`."""

from pathlib import Path
from typing import TYPE_CHECKING

from core.capabilities.provision import SETTINGS
from core.files.beside import SeenBeside
from core.files.findings import Findings
from core.files.system_file import inspect_parts
from core.vocabulary.say.words import Sense, amount, counted

if TYPE_CHECKING:
    from core.capabilities.provision.files.plan_file import PlanFile


def seen(path: Path) -> SeenBeside | None:
    """The plan at a path, or what is wrong with it; None if there is none."""
    findings = Findings()
    parts = inspect_parts(path, SETTINGS, findings)
    if parts is None or parts.settings is None:
        return None
    # Only who has a plan waits for solvers.
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
