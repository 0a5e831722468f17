"""The report: a study as one HTML file that loads nothing and runs no scripts."""

from core.report.page import report_html
from core.report.writer import write_report

__all__ = ["report_html", "write_report"]
