"""`dashboard` becomes a Streamlit server that listens where it was told, and only there."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import dashboard

BECOME = """
import json, os, sys
def execv(program, words):
    sys.stdout.write("the server speaks\\n")
    sys.stdout.flush()
    sys.stderr.write(json.dumps([program, words, list(sys.modules)]))
    sys.exit(0)
os.execv = execv
from core.shells.cli import main
main(["dashboard", *sys.argv[1:]])
"""


def become(*words):
    return subprocess.run(
        [sys.executable, "-c", BECOME, *words], capture_output=True, text=True, check=True
    )


def test_the_process_becomes_the_server():
    program, words, _ = json.loads(become("--port", "9000").stderr)
    assert program == words[0] == sys.executable
    assert words[1:4] == ["-m", "dashboard.server.serving", "run"]
    assert Path(words[4]) == Path(dashboard.__file__).with_name("web.py")
    assert set(words[5:]) == {
        "--server.port=9000",
        "--server.address=localhost",
        "--server.headless=true",
        "--browser.gatherUsageStats=false",
    }


def test_names_that_are_allowed_reach_the_server() -> None:
    """Issue 33, point 23: who starts the server says under which names it answers."""
    _, words, _ = json.loads(become("--allow-host", "a.example", "--allow-host", "*.b").stderr)
    assert words[-2:] == ["--server.allowedHosts=a.example", "--server.allowedHosts=*.b"]


def test_with_json_only_its_address_is_on_standard_output():
    done = become("--json", "--address", "0.0.0.0")  # noqa: S104  # nothing listens here
    assert json.loads(done.stdout) == {"url": "http://0.0.0.0:8501"}
    assert done.stderr.startswith("the server speaks\n")


def test_until_then_it_loads_nothing_that_the_server_loads_again():
    _, _, loaded = json.loads(become().stderr)
    assert "core.shells.cli.commands.dashboard" in loaded
    assert {"numpy", "core.files"}.isdisjoint(loaded)


@pytest.mark.parametrize("port", ["0", "65536", "http"])
def test_a_port_is_a_port(wattfront, port):
    outcome = wattfront("dashboard", "--port", port)
    assert "1 to 65535" in outcome.err
    assert outcome.status == 2


def test_an_installation_without_it_says_so(wattfront, monkeypatch):
    monkeypatch.setattr("core.shells.cli.commands.dashboard.find_spec", lambda _: None)
    outcome = wattfront("dashboard")
    assert "needs streamlit and plotly and starlette" in outcome.err
    assert "pip install 'wattfront[dashboard]'" in outcome.err
    assert outcome.status == 2


def test_an_engine_that_there_is_not_is_said_at_once(wattfront, monkeypatch):
    monkeypatch.setenv("WATTFRONT_ENGINE", "cluster")
    outcome = wattfront("dashboard")
    assert "WATTFRONT_ENGINE: 'cluster' is no engine" in outcome.err
    assert outcome.status == 2
