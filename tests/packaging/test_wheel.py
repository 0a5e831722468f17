"""A wheel built from the sdist holds what runs, no more and no less, and runs elsewhere."""

import json
import os
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from checkout import CHECKOUT
from serving import answer, free_port

WHERE = "import core, dashboard, sys; print(core.__file__, dashboard.__file__, *sys.path, sep='|')"


def files_of(folder: str, where: str) -> set[str]:
    """The files of a folder of the checkout, without what Python and numba cache in it."""
    source = CHECKOUT / folder
    return {
        f"{where}/{path.relative_to(source).as_posix()}"
        for path in source.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def built(kind: str, source: Path, target: Path) -> Path:
    """The sdist or the wheel of a source tree."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(target)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (package,) = target.iterdir()
    return package


@pytest.fixture(scope="module")
def project() -> dict[str, str]:
    return tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built("sdist", CHECKOUT, tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    unpacked = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as archive:
        archive.extractall(unpacked, filter="data")
    (source,) = unpacked.iterdir()
    return built("wheel", source, tmp_path_factory.mktemp("wheel"))


class Stranger:
    """A computer with the wheel and its dependencies installed, and no checkout."""

    def __init__(self, environment: Path, home: Path) -> None:
        self._programs = environment / "bin"
        self._home = home
        # Compiling takes half a minute; kernels give the same numbers when they are interpreted.
        self._variables = {"PATH": os.defpath, "HOME": str(home), "NUMBA_DISABLE_JIT": "1"}

    def begin(self, program: str, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [self._programs / program, *words],
            cwd=self._home,
            env=self._variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, program: str, *words: str) -> str:
        """What a program that succeeds prints."""
        process = self.begin(program, *words)
        said, _ = process.communicate()
        assert process.returncode == 0, said
        return said


@pytest.fixture(scope="module")
def stranger(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Stranger:
    environment = tmp_path_factory.mktemp("environment")
    venv.create(environment)
    pip = [sys.executable, "-m", "pip", "--python", str(environment / "bin" / "python")]
    options = ["--no-deps", "--no-index", "--no-compile", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", *options, str(wheel)], check=True)
    # Dependencies are those of this interpreter. Python does not read the .pth files of a folder
    # that a .pth file names, so the editable installation of the checkout stays out of sight.
    (site_packages,) = environment.glob("lib/python*/site-packages")
    (site_packages / "dependencies.pth").write_text(sysconfig.get_path("platlib"))
    return Stranger(environment, tmp_path_factory.mktemp("home"))


def test_the_sdist_holds_what_the_wheel_is_built_from(sdist: Path, project: dict[str, str]) -> None:
    with tarfile.open(sdist) as archive:
        names = {member.name.partition("/")[2] for member in archive if member.isfile()}
    about = {"PKG-INFO", "pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE", ".gitignore"}
    parts = (files_of(part, part) for part in ("core", "dashboard", "sample_data"))
    assert names == about.union(*parts)
    assert sdist.name == f"wattfront-{project['version']}.tar.gz"


def test_the_wheel_holds_what_runs(wheel: Path, project: dict[str, str]) -> None:
    about = f"wattfront-{project['version']}.dist-info"
    with ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {name for name in names if name.startswith(about)} == {
        f"{about}/{name}"
        for name in ("METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE")
    }
    assert {name for name in names if not name.startswith(about)} == {
        *files_of("core", "core"),
        *files_of("dashboard", "dashboard"),
        *files_of("sample_data", "core/sample_data"),
    }


@pytest.mark.parametrize(
    "name",
    [
        "core/py.typed",
        "core/sample_data/two-by-two/etc.csv",
        "core/sample_data/two-by-two/README.md",
        "dashboard/py.typed",
        "dashboard/.streamlit/config.toml",
        "dashboard/assets/style.css",
        "dashboard/assets/icon.png",
    ],
)
def test_the_wheel_holds_what_is_no_python(wheel: Path, name: str) -> None:
    assert name in ZipFile(wheel).namelist()


def test_what_is_imported_is_what_was_installed(stranger: Stranger) -> None:
    core, dashboard, *path = map(Path, stranger.run("python", "-c", WHERE).split("|"))
    assert "site-packages" in core.parts
    assert core.parents[1] == dashboard.parents[1]
    assert CHECKOUT not in {*core.parents, *path}


def test_it_says_its_version(stranger: Stranger, project: dict[str, str]) -> None:
    assert stranger.run("wattfront", "--version") == f"wattfront {project['version']}\n"


@pytest.mark.thorough
def test_it_brings_its_samples(stranger: Stranger) -> None:
    said = stranger.run("wattfront", "samples", "--json")
    samples = {path.parent.name for path in CHECKOUT.glob("sample_data/*/etc.csv")}
    assert {sample["name"] for sample in json.loads(said)["samples"]} == samples


def test_it_solves(stranger: Stranger) -> None:
    answer = json.loads(stranger.run("wattfront", "solve", "two-by-two", "--json"))
    assert (answer["makespan"], answer["lower_bound"], answer["verified"]) == (11.0, 11.0, True)


@pytest.mark.thorough
def test_publications_stay_in_the_checkout(stranger: Stranger) -> None:
    said, _ = stranger.begin("wattfront", "reproduce", "front").communicate()
    assert said.startswith("error: reproductions come with the source of Wattfront")


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture
def server(stranger: Stranger, port: int) -> Iterator[subprocess.Popen[str]]:
    process = stranger.begin("wattfront", "dashboard", "--port", str(port))
    try:
        yield process
    finally:
        process.terminate()
        process.communicate()


def test_the_dashboard_answers(server: subprocess.Popen[str], port: int) -> None:
    assert answer(port, "/_stcore/health", server) == "ok"
    # Our server names what the first page shows; Streamlit's own does not.
    assert "js/PlotlyChart." in answer(port, "/", server)
