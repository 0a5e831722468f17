"""What a plan has beside its system, for `wattfront convert`."""

from pathlib import Path

from core.capabilities.provision import SETTINGS
from core.capabilities.provision.files.plan_format import additions_of, plan_file_of
from core.files.beside import KeptBeside
from core.files.findings import Findings, shown_list
from core.files.headings import columns_there
from core.files.system_file import inspect_parts
from core.vocabulary.problems import Problem


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
    of_plan = Findings()
    file = plan_file_of(parts, of_plan)
    if file is None or findings.failed:
        return KeptBeside.left_out("the plan", findings, of_plan)
    return KeptBeside(file.types, additions_of(file))
