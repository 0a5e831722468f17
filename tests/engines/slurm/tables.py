"""Tables as the readers of batches get them."""

from core.files.findings import Findings
from core.files.table_file import sheet_of_table


def sheet(text, findings=None, label="t.csv"):
    return sheet_of_table(label, text.encode(), "map", findings or Findings())


def said(findings):
    return [
        (problem.severity, problem.row, problem.column, problem.message)
        for problem in findings.problems()
    ]
