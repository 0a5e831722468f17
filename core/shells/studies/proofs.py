"""Reads the proofs in a study file that prove more than the lines of the front."""

import math
from typing import Final

import numpy as np

from core.engines.front.patterns import MOST_PRICES, PatternProof
from core.engines.relaxed.fitting import MOST_FITTING
from core.files.fields import Fields
from core.files.findings import Findings
from core.files.strict_json import as_float, as_whole
from core.vocabulary.ranges import Range
from core.vocabulary.system import System

_SECONDS: Final = Range(1e-12, 1e30, "s")
_WORK: Final = Range(0.0, 2 * MOST_FITTING, "units of work")
_AREA: Final = Range(0.0, 1e300, "J s")


def read_proof(item: object, label: str, system: System, findings: Findings) -> PatternProof | None:
    """The proof of patterns; None if there is none, or if it is wrong and reported."""
    if item is None:
        return None
    if not isinstance(item, dict):
        message = "is not an object; give null, or the prices of a proof"
        findings.error(label, "", "patterns", message)
        return None
    fields = Fields(item, f"{label} [patterns]", findings)
    fields.warn_of_unused(("shortest", "longest", "worth_a_step", "prices", "until"))
    spans = [fields.number(key, _SECONDS) for key in ("shortest", "longest")]
    worth = fields.number("worth_a_step", _AREA)
    prices = _prices(fields, len(system.task_types))
    until = _until(fields, 0 if prices is None else len(prices))
    if prices is None or until is None or not np.isfinite([*spans, worth]).all():
        return None
    proof = PatternProof(spans[0], spans[1], worth, np.array(prices), np.array(until, np.int64))
    fault = proof.fault(system)
    if fault is not None:
        findings.warning(fields.label, "", "", f"{fault}; it is left out")
        return None
    return proof


def read_fitting(document: dict[str, object], label: str, findings: Findings) -> float | None:
    """The units of work of the bound of single tasks; None if it was not computed."""
    fields = Fields(document, label, findings)
    return fields.number("fitting", _WORK) if fields.has("fitting") else None


def _prices(fields: Fields, types: int) -> list[list[float]] | None:
    rows = fields.content.get("prices")
    if isinstance(rows, list) and 0 < len(rows) <= MOST_PRICES:
        read = [[as_float(p) for p in row] if isinstance(row, list) else [] for row in rows]
        if all(len(row) == types for row in read):
            known = [[p for p in row if p is not None and math.isfinite(p)] for row in read]
            if all(len(row) == types for row in known):
                return known
    fields.error("prices", f"are not at most {MOST_PRICES:,} rows of {types:,} numbers")
    return None


def _until(fields: Fields, rows: int) -> list[int] | None:
    given = fields.content.get("until")
    if isinstance(given, list) and len(given) == rows:
        whole = [as_whole(value) for value in given]
        known = [value for value in whole if value is not None and 0 < value < 2**31]
        if len(known) == rows:
            return known
    fields.error("until", "is not a whole number for each row of prices")
    return None
