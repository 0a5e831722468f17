"""A folder of batch scripts is complete or not there, and never has anything else in it."""

import io
import zipfile

import pytest

from core.engines.slurm.folder import archived_scripts, check_scripts_folder, write_scripts
from core.vocabulary.problems import InvalidInput

FILES = {
    "README.md": ["a\n"],
    "submit.sh": ["b\n", "計\n"],
    "cancel.sh": ["c\n"],
    "plan.csv": ["d\n"],
    "tasks/1-x.sh": ["e\n"],
}


def content(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }


def nothing_beside(folder):
    return not [path for path in folder.parent.iterdir() if path.name.startswith(".wattfront")]


WRITTEN = {name: "".join(lines) for name, lines in FILES.items()}


@pytest.mark.parametrize("before", ["nothing", "an empty folder", "earlier scripts"])
def test_it_is_written_where_nothing_else_is(tmp_path, before):
    folder = tmp_path / "out"
    if before != "nothing":
        folder.mkdir()
    if before == "earlier scripts":
        write_scripts(FILES | {"tasks/2-old.sh": ["old\n"]}, folder)
    write_scripts(FILES, folder)
    assert content(folder) == WRITTEN
    assert nothing_beside(folder)


def test_a_person_may_run_what_is_for_persons(tmp_path):
    write_scripts(FILES, tmp_path / "out")
    runs = {name for name in FILES if (tmp_path / "out" / name).stat().st_mode & 0o100}
    assert runs == {"submit.sh", "cancel.sh"}


@pytest.mark.parametrize(
    ("there", "said"),
    [
        ("notes.txt", "notes.txt there is not one of batch scripts"),
        ("submit.sh", "submit.sh there is not one of batch scripts"),
        ("tasks/1-x.sh", "tasks there is not one of batch scripts"),
        (".hidden", ".hidden there is not one of batch scripts"),
    ],
)
def test_a_folder_with_something_else_is_refused_and_unchanged(tmp_path, there, said):
    path = tmp_path / "out" / there
    path.parent.mkdir(parents=True)
    path.write_text("mine")
    with pytest.raises(InvalidInput, match=said):
        write_scripts(FILES, tmp_path / "out")
    assert content(tmp_path / "out") == {there: "mine"}


@pytest.mark.parametrize(("more", "said"), [("mine", "mine there is not"), ("output", "output")])
def test_so_are_earlier_scripts_with_something_else(tmp_path, more, said):
    write_scripts(FILES, tmp_path / "out")
    (tmp_path / "out" / more).mkdir()
    with pytest.raises(InvalidInput, match=said):
        check_scripts_folder(tmp_path / "out")


def test_so_are_scripts_that_were_submitted(tmp_path):
    write_scripts(FILES, tmp_path / "out")
    (tmp_path / "out" / "submitted").mkdir()
    with pytest.raises(InvalidInput, match="its jobs were submitted; choose another folder"):
        write_scripts(FILES, tmp_path / "out")
    assert content(tmp_path / "out") == WRITTEN


def test_so_is_what_is_not_a_folder(tmp_path):
    (tmp_path / "file").write_text("mine")
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to("there")
    (tmp_path / "loose").symlink_to("nowhere")
    for name in ("file", "link", "loose"):
        with pytest.raises(InvalidInput, match="it is not a folder; choose another place"):
            check_scripts_folder(tmp_path / name)
    with pytest.raises(InvalidInput, match="there is no folder to make it in"):
        check_scripts_folder(tmp_path / "no" / "out")


@pytest.mark.parametrize("earlier", [False, True])
def test_a_failure_leaves_what_was_there(tmp_path, earlier):
    folder = tmp_path / "out"
    if earlier:
        write_scripts(FILES, folder)

    def lines():
        yield "one\n"
        raise OSError(28, "No space left on device")

    with pytest.raises(InvalidInput, match="No space left on device"):
        write_scripts({"submit.sh": ["x"], "plan.csv": lines()}, folder)
    assert folder.exists() == earlier
    assert not earlier or content(folder) == WRITTEN
    assert nothing_beside(folder)


def test_the_earlier_scripts_come_back_if_the_new_ones_cannot_take_their_place(
    tmp_path, monkeypatch
):
    folder = tmp_path / "out"
    write_scripts(FILES, folder)
    rename = type(folder).rename

    def failing(path, target):
        if path.name.startswith(".wattfront") and (path / "submit.sh").read_text() == "new":
            raise OSError(13, "Permission denied")
        return rename(path, target)

    monkeypatch.setattr(type(folder), "rename", failing)
    with pytest.raises(InvalidInput, match="Permission denied"):
        write_scripts(FILES | {"submit.sh": ["new"]}, folder)
    assert content(folder) == WRITTEN
    assert nothing_beside(folder)


def test_the_least_that_is_a_folder_of_scripts(tmp_path):
    """`submit.sh` and `plan.csv`: less may be somebody's own."""
    for name in ("submit.sh", "plan.csv"):
        (tmp_path / name).write_text("mine")
    check_scripts_folder(tmp_path)
    (tmp_path / "plan.csv").unlink()
    with pytest.raises(InvalidInput, match=r"submit\.sh there is not one"):
        check_scripts_folder(tmp_path)


def test_an_archive_has_the_same_files_in_one_folder():
    with zipfile.ZipFile(io.BytesIO(archived_scripts(FILES, "wattfront"))) as archive:
        modes = {one.filename: one.external_attr >> 16 & 0o777 for one in archive.infolist()}
        assert modes == {
            f"wattfront/{name}": 0o755 if name in ("submit.sh", "cancel.sh") else 0o644
            for name in FILES
        }
        for name, lines in FILES.items():
            assert archive.read(f"wattfront/{name}").decode() == "".join(lines)
