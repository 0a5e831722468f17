"""Weights of value of service as CSV files: what counts how much, by category and period."""

from dataclasses import replace
from pathlib import Path

from core.capabilities.arrivals.files.value_tables import PERIODS, WEIGHTS, weights_of
from core.engines.replay.value import ValueWeights
from core.engines.replay.workload import WITHOUT_END
from core.files import limits
from core.files.columns import ReadColumns
from core.files.disk import read_file
from core.files.findings import Findings
from core.files.schema import Schema
from core.files.table_file import read_table
from core.vocabulary.problems import InvalidInput


def read_weights(path: Path) -> ValueWeights:
    """The weights of a CSV file, or of `weights.csv` in a folder, for the periods of `periods.csv`
    in the same folder. Raises `InvalidInput` with all problems.
    """
    findings = Findings(unused_is="error")
    file = path / "weights.csv" if path.is_dir() else path
    periods = file.with_name("periods.csv")
    weights = _table(file, WEIGHTS, findings)
    when = _table(periods, PERIODS, findings) if periods.exists() else None
    if findings.failed or weights is None:
        raise InvalidInput(findings.problems())
    try:
        found = weights_of(weights, when, WITHOUT_END)
    except InvalidInput as refused:
        named = {"weights": file.name, "periods": periods.name}
        told = [replace(one, file=named[one.file]) for one in refused.problems]
        raise InvalidInput(told) from None
    if found is None:
        raise InvalidInput(findings.problems())
    return found


def _table(path: Path, schema: Schema, findings: Findings) -> ReadColumns | None:
    rows = None
    with findings.refusals(path.name):
        rows = read_table(path.name, read_file(path), schema, findings, "weights", limits.ROWS)
    if rows is not None and not len(rows):
        findings.file_error(path.name, "has no row; give one for each category and period")
    return rows
