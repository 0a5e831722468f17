"""Jobs by hour and type are read back as they were written; faults are named by their place."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.arrivals.files.hours_file import hours_csv, read_hours
from core.vocabulary.problems import InvalidInput

TYPES = ("mesh", "T1")


@given(
    st.lists(st.floats(0, 1e6), min_size=48, max_size=48).filter(any),
    st.sampled_from([TYPES, ("=1+2", 'a,"b'), ("A", "a")]),
)
def test_what_is_written_reads_back(
    tmp_path_factory: pytest.TempPathFactory, cells: list[float], types: tuple[str, ...]
) -> None:
    rates = np.array(cells).reshape(24, 2)
    path = tmp_path_factory.mktemp("hours") / "h.csv"
    path.write_bytes(hours_csv(types, rates))
    assert read_hours(path, types).tolist() == rates.tolist()


def test_hours_without_a_row_have_no_job(tmp_path: Path) -> None:
    path = tmp_path / "h.csv"
    path.write_text("job_type,hour,jobs\nT1,9,12.5\nmesh,0,3\n")
    rates = read_hours(path, TYPES)
    assert rates.shape == (24, 2)
    assert rates[9].tolist() == [0, 12.5]
    assert rates[0].tolist() == [3, 0]
    assert rates.sum() == 15.5


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("job_type,hour\nT1,9\n", "column jobs is missing"),
        ("job_type,hour,jobs\nT2,9,1\n", "'T2' is not a task type of the system"),
        ("job_type,hour,jobs\nT1,24,1\n", "24 is out of range; give 0 to 23"),
        ("job_type,hour,jobs\nT1,-1,1\n", "-1 is out of range"),
        ("job_type,hour,jobs\nT1,1,-1\n", "-1 is out of range; give 0 to 1e+06 jobs an hour"),
        ("job_type,hour,jobs\nT1,1,2e6\n", "2000000 is out of range; give 0 to"),
        ("job_type,hour,jobs\nT1,1,many\n", "'many' is not a number"),
        ("job_type,hour,jobs\nT1,1,5\nT1,1,6\n", "line 3, column hour: 1 of 'T1' is there twice"),
        ("job_type,hour,jobs\nT1,1,0\n", "is 0 everywhere"),
        ("job_type,hour,jobs\n", "is 0 everywhere"),
    ],
)
def test_faults_have_places(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "h.csv"
    path.write_text(text)
    with pytest.raises(InvalidInput) as refused:
        read_hours(path, TYPES)
    assert said in " ".join(map(str, refused.value.problems))


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"h\.csv"):
        read_hours(tmp_path / "h.csv", TYPES)
