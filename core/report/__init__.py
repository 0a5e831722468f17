"""A study as one HTML file that needs nothing else: no network, no scripts, no browser to make."""

from core.report.page import report_html
from core.report.writer import write_report

__all__ = ["report_html", "write_report"]
