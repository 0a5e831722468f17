"""The report: a study as one HTML file that loads nothing and runs no scripts."""

from core.shells.report.page import report_html, write_report

__all__ = ["report_html", "write_report"]
