"""A fresh dashboard server, and a Chromium that talks to nobody else."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import brief_polish
import pytest
from patience import PATIENCE
from playwright.sync_api import BrowserContext, Page, sync_playwright
from serving import answer, free_port
from visits import WIDE, act_once_drawn, count_failure, without_complaints

import dashboard

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = [
    "--headless",
    "--process-per-site",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed:
        count_failure()


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a dashboard started for this session answers; its log must stay free of failures."""
    port = free_port()
    app = Path(dashboard.__file__).with_name("web.py")
    elsewhere = tmp_path_factory.mktemp("server")  # the page's settings travel with the package
    app_server = Path(__file__).with_name("brief_server.py")
    path = {"PYTHONPATH": os.pathsep.join([str(Path(brief_polish.__file__).parent), *sys.path])}
    said = (elsewhere / "log").open("w+", encoding="utf-8")
    server = subprocess.Popen(
        [sys.executable, app_server, "run", str(app), f"--server.port={port}"],
        cwd=elsewhere,
        env=os.environ | path,
        stdout=said,
        stderr=subprocess.STDOUT,
    )
    try:
        assert answer(port, "/_stcore/health", server) == "ok"
        yield f"http://localhost:{port}"
    finally:
        server.terminate()
        server.wait(timeout=PATIENCE)
        said.seek(0)
        log = said.read()
        said.close()
    assert "Traceback" not in log, log


@pytest.fixture(autouse=True, scope="session")
def _act_once_drawn() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        act_once_drawn(patch.setattr)
        yield


@pytest.fixture(scope="session")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    """A browser of a usual screen. It keeps the scripts that it has loaded and compiled: doing that
    for each page takes a third of all time.
    """
    chromium = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    assert chromium, f"no Chromium on PATH, looked for {', '.join(CHROMIUM_NAMES)}"
    with sync_playwright() as playwright:
        visitor = playwright.chromium.launch_persistent_context(
            tmp_path_factory.mktemp("visitor"),
            executable_path=chromium,
            args=ARGUMENTS,
            viewport=WIDE,
            accept_downloads=True,
            reduced_motion="reduce",
        )
        yield visitor
        visitor.close()


@pytest.fixture
def page(visitor: BrowserContext) -> Iterator[Page]:
    with without_complaints(visitor) as page:
        yield page
