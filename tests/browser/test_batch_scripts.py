"""Batch scripts from the page: machines are bound to nodes, what is wrong is said and mended, and
the scripts that are downloaded submit what was planned.
"""

import re
import subprocess
import zipfile
from pathlib import Path

from fake_slurm import fake_slurm
from grids import PACE, type_over
from patience import PATIENCE
from playwright.sync_api import Locator, Page, expect
from visits import go_to, wait_until_drawn

EDITOR = ".dvn-scroller"


def open_dialog(page: Page) -> Locator:
    page.get_by_role("button", name="Export", exact=True).click()
    page.get_by_role("button", name="Slurm batch scripts").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text(re.compile("would submit .* job array"))).to_be_visible()
    return dialog


def type_node(page: Page, dialog: Locator, row: int, node: str) -> None:
    """Into the third column of the map, behind the numbers of rows."""
    grid = dialog.get_by_test_id("stDataFrame").first
    box = grid.bounding_box()
    assert box is not None
    cell = {"x": 32 + 2.5 * (box["width"] - 32) / 5, "y": 35 + 35 * row + 17}
    wait_until_drawn(page)
    page.wait_for_timeout(PACE)
    grid.locator(EDITOR).dblclick(position=cell)
    expect(page.locator("#portal .gdg-input")).to_be_visible()
    page.wait_for_timeout(PACE)
    page.keyboard.press("ControlOrMeta+a")
    type_over(page, node)


def unzip(path: Path) -> list[Path]:
    """The folders of an archive, unpacked beside it with the permissions of their files."""
    with zipfile.ZipFile(path) as archive:
        for one in archive.infolist():
            Path(archive.extract(one, path.parent)).chmod(one.external_attr >> 16 & 0o777)
        return [*{path.parent / one.filename.split("/")[0] for one in archive.infolist()}]


def test_a_schedule_becomes_scripts_that_run(page: Page, address: str, tmp_path: Path) -> None:
    page.goto(f"{address}/schedule?sample=two-by-two")
    expect(page.locator(".st-key-schedule_chart .main-svg").first).to_be_visible()
    dialog = open_dialog(page)
    download = dialog.get_by_role("button", name="Download the scripts")
    expect(dialog.get_by_text("No table binds machines to nodes")).to_be_visible()

    type_node(page, dialog, 0, "n1")
    expect(dialog.get_by_text("Correct 1 problem")).to_be_visible()
    expect(dialog.get_by_text("machine 1 has tasks, but no place in the table")).to_be_visible()
    expect(download).to_be_disabled()
    type_node(page, dialog, 1, "n/2")
    expect(dialog.get_by_text("is not the name of a node")).to_be_visible()
    type_node(page, dialog, 1, "n2")
    expect(dialog.get_by_text("for 2 machines")).to_be_visible()

    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)
    go_to(page, "Import")
    expect(page.locator(".st-key-pairs .main-svg").first).to_be_visible()
    go_to(page, "Schedule")
    expect(page.locator(".st-key-schedule_chart .main-svg").first).to_be_visible()
    dialog = open_dialog(page)
    expect(dialog.get_by_text("No table binds machines to nodes")).to_have_count(0)
    expect(download).to_be_enabled()

    with page.expect_download() as taken:
        download.click()
    assert re.fullmatch(r"wattfront-[\w-]+-slurm\.zip", taken.value.suggested_filename)
    taken.value.save_as(tmp_path / "scripts.zip")
    (folder,) = unzip(tmp_path / "scripts.zip")
    scripts = [*folder.rglob("*.sh")]
    assert len(scripts) == 4
    for script in scripts:
        subprocess.run(["bash", "-n", script], check=True, timeout=PATIENCE)
    assert (folder / "submit.sh").stat().st_mode & 0o111
    slurm = fake_slurm(tmp_path / "slurm")
    assert slurm.bash(folder / "submit.sh").returncode == 0
    nodes = {word for job in slurm.jobs for word in job["words"] if "--nodelist" in word}
    assert nodes == {"--nodelist=n1", "--nodelist=n2"}
