"""A proof in a study file is read if its rows of prices are complete, and not too many."""

import pytest

from core.files.findings import Findings
from core.files.samples.named import load_sample
from core.shells.studies.proofs import read_proof


@pytest.mark.parametrize(
    ("rows", "read"), [(0, False), (1, True), (59, True), (60, True), (61, False)]
)
def test_sixty_rows_of_prices_are_read(rows: int, *, read: bool) -> None:
    findings = Findings()
    item = {
        "shortest": 11.0,
        "longest": 30.0,
        "worth_a_step": 0.0,
        "prices": [[1.0, 2.0]] * rows,
        "until": [10] * rows,
    }
    proof = read_proof(item, "s.json", load_sample("two-by-two"), findings)
    assert (proof is not None) is read
    said = ["are not at most 60 rows of 2 numbers"] * (not read)
    messages = [problem.message for problem in findings.problems()]
    assert [message for message in messages if "rows of" in message] == said
