"""`wattfront dashboard`: this process becomes the dashboard's server."""

import argparse
import json
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from core import InvalidInput
from core.engines.compute.executors import EngineRefused, usual_engine
from core.shells.cli.answer import Answer
from core.shells.settings.numbers import whole_within
from core.vocabulary.problems import Problem
from core.vocabulary.ranges import Range

PORT: Final = Range(1, 65535, "")
USUAL_PORT: Final = 8501
NEEDED: Final = ("streamlit", "plotly", "starlette")
"""What the extra `dashboard` installs."""
INSTALL: Final = "pip install 'wattfront[dashboard]', or in a checkout pip install '.[dashboard]'"


def declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--port",
        type=whole_within(PORT),
        default=USUAL_PORT,
        metavar="N",
        help=f"where the server listens (default {USUAL_PORT})",
    )
    parser.add_argument(
        "--address",
        default="localhost",
        help="the network address it listens on (default: this computer only)",
    )
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="another name under which browsers may ask for it, such as wattfront.example.com, or "
        "*.example.com for all below that; can be repeated (default: the name of this computer, "
        "and numbers)",
    )


def run(arguments: argparse.Namespace) -> Answer:
    try:
        usual_engine()  # which the server would only ask for when somebody sweeps
    except EngineRefused as refused:
        raise InvalidInput([Problem("", "", "", str(refused))]) from refused
    package = find_spec("dashboard")
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing or package is None or package.origin is None:
        said = (
            f"the dashboard needs {' and '.join(missing) or 'its pages'}, which this installation "
            f"does not have: {INSTALL}"
        )
        raise InvalidInput([Problem("", "", "", said)])
    if arguments.json:
        url = f"http://{arguments.address}:{arguments.port}"
        sys.stdout.write(json.dumps({"url": url}) + "\n")
        sys.stdout.flush()
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # the server's messages are not JSON
    command = [
        *(
            sys.executable,
            "-m",
            "dashboard.server.serving",
            "run",
            str(Path(package.origin).with_name("web.py")),
        ),
        f"--server.port={arguments.port}",
        f"--server.address={arguments.address}",
        "--server.headless=true",
        "--browser.gatherUsageStats=false",
        *(f"--server.allowedHosts={name}" for name in arguments.allow_host),
    ]
    os.execv(sys.executable, command)  # noqa: S606  # no shell, and a fixed program
