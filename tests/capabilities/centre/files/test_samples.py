"""The sample centres are what their READMEs say."""

import math
from pathlib import Path

import numpy as np
import pytest

from benchmarks.centre_samples import main, parasol_day
from core.capabilities.centre.centre import parasol
from core.capabilities.centre.files.centre_file import CentreFile
from core.capabilities.centre.files.centre_reader import inspect_centre
from core.capabilities.centre.judge import judged_plan
from core.capabilities.centre.plan import DayPlan, executing
from core.engines.signals.kinds import CARBON, PRICE, SUN, TEMPERATURE
from core.files.samples.named import CENTRES, centre_folder, day_folder


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != "README.md")
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def sample(name: str) -> CentreFile:
    reading = inspect_centre(centre_folder(name))
    assert reading.problems == ()
    assert reading.value is not None
    return reading.value


@pytest.mark.parametrize("name", CENTRES)
def test_a_plan_can_be_carried_out(name: str) -> None:
    """All jobs when they are released, the compressor where it would be too warm without."""
    file = sample(name)
    day = file.day()
    jobs = day.jobs
    group, start = np.arange(len(jobs)), jobs.release.copy()
    work = np.zeros((len(file.centre.kinds), day.steps), np.int64)
    starts = []
    for job in np.argsort(jobs.due).tolist():  # what is due first, one after the other
        for _ in range(int(jobs.count[job])):
            at, kind = int(start[job]), int(jobs.kind[job])
            while (
                work[kind, at : at + jobs.length[job]] + jobs.width[job] > file.centre.counts[kind]
            ).any():
                at += 1
            work[kind, at : at + jobs.length[job]] += jobs.width[job]
            starts.append((group[job], at, 1))
    columns = np.array(starts).T
    assert (executing(day, *columns) == work).all()
    awake = np.tile(file.centre.counts[:, None], day.steps)
    off = np.zeros(day.steps, bool)
    plan = DayPlan(*columns, awake, np.zeros(day.steps), off)
    for step in range(day.steps):
        inside = np.array(judged_plan(day, plan).inside)
        if len(inside) and inside[step + 1] > file.centre.limit:
            off[step] = True
    verdict = judged_plan(day, plan)
    assert verdict.problems == ()
    assert verdict.excess > 0
    assert verdict.on_time_share > 0.95


def test_parasol_is_what_its_recipe_writes(tmp_path: Path) -> None:
    (tmp_path / "centres").mkdir()
    main(str(tmp_path))
    assert contents(tmp_path / "centres" / "parasol") == contents(centre_folder("parasol"))
    file = sample("parasol")
    assert file.centre == parasol()
    assert file.day().jobs.total == 200
    made = parasol_day().day()
    for name, values in vars(file.day().curves).items():
        assert values == pytest.approx(getattr(made.curves, name))


def test_london_has_the_real_curves() -> None:
    """Byte for byte, beside those that are ours."""
    there, real = contents(centre_folder("london")), contents(day_folder("london"))
    assert {name: there[f"signals/{name}"] for name in real} == real
    assert there.keys() - {f"signals/{name}" for name in real} == {
        *("centre.toml", "servers.csv", "jobs.csv", "signals/sun.csv", "signals/target.csv"),
    }
    file = sample("london")
    assert file.signals.forecast.keys() == {CARBON, TEMPERATURE}
    assert file.signals.came.keys() >= {CARBON, TEMPERATURE, PRICE, SUN}
    assert file.centre.counts.tolist() == [24, 6]
    assert file.day().jobs.total == 290
    assert file.currency == "GBP"
    curves = file.day().curves
    assert curves.target[[0, 63, 64, 79, 80, 95]].tolist() == [15e3, 15e3, 7e3, 7e3, 15e3, 15e3]
    assert curves.carbon[0] == 157
    assert file.known_at(0).carbon[0] == 165.5
    assert file.known_at(0).outside.tolist() == file.day("forecast").curves.outside.tolist()


def test_the_sun_of_london_has_no_cloud() -> None:
    """The mean of each hour, by Haurwitz' formula and the usual ones of the sun's place."""
    latitude, longitude, day = math.radians(51.5074), -0.1278, 213
    angle = 2 * math.pi * (day - 81) / 364
    minutes = 9.87 * math.sin(2 * angle) - 7.53 * math.cos(angle) - 1.5 * math.sin(angle)
    declination = math.radians(23.45) * math.sin(2 * math.pi * (284 + day) / 365)
    hours = (np.arange(24 * 60) + 0.5) / 60 + longitude / 15 + minutes / 60
    cosine = math.sin(latitude) * math.sin(declination) + math.cos(latitude) * math.cos(
        declination
    ) * np.cos(np.radians(15 * (hours - 12)))
    cosine = np.maximum(cosine, 1e-3)
    sun = np.where(cosine > 1e-3, 1098 * cosine * np.exp(-0.057 / cosine), 0.0)
    wanted = sun.reshape(24, 60).mean(axis=1)
    assert sample("london").signals.came[SUN].values == pytest.approx(wanted, abs=0.5001)
