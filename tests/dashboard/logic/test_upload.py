"""An upload is a system, or a table of everything to mend."""

from dashboard.logic.upload import Upload

BAD = b"task_type,GPU,CPU\nT1,-3,abc\n<b>x</b>,1,2\n"


def test_a_good_file_is_a_system_without_a_headline_of_problems() -> None:
    upload = Upload.read("etc.csv", b"task_type,GPU,CPU\nT1,3,4\n")
    assert upload.system is not None
    assert upload.system.machine_types[0].name == "GPU"
    assert upload.problems == ()


def test_every_problem_of_a_bad_file_has_its_row() -> None:
    upload = Upload.read("mine.csv", BAD)
    assert upload.system is None
    table = upload.problem_table()
    places = {(p.file, p.row, p.column) for p in upload.problems}
    assert ("mine.csv", "T1", "GPU") in places
    assert ("mine.csv", "T1", "CPU") in places
    assert set(zip(table["File"], table["Row"], table["Column"], strict=True)) == places
    assert len(table) == len(upload.problems)
    assert upload.headline == "2 problems in the uploaded file"


def test_warnings_alone_are_called_warnings() -> None:
    document = (
        b'{"format": "wattfront-system", "version": 1, "etc": [[1]], "apc": [[5]], '
        b'"task_types": [{"name": "T", "count": 1}], '
        b'"machine_types": [{"name": "M", "count": 1, "idle_power": 9}]}'
    )
    upload = Upload.read("mine.json", document)
    assert upload.system is not None
    assert upload.headline == "1 warning in the uploaded file"
