"""What a log says is found beside its system: in a sample, a study file, or what `derive` wrote."""

import json
from pathlib import Path

import pytest
from log_stores import dump
from studied import as_file

from core.capabilities.derive.face import derive
from core.engines.front.study import Study
from core.files.findings import Findings
from core.files.samples.named import sample_folder
from core.shells.studies import StudySettings
from core.shells.studies.log_seen import seen_beside, seen_path
from core.shells.studies.seen import seen_in_sample, written_seen


def test_a_derived_system_and_a_study_of_it_have_the_same(small: Study, tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_text(dump(*[{"AllocCPUS": 8, "Timelimit": "01:00:00"}] * 3))
    derive([tmp_path / "log.txt"], output=tmp_path / "cl.xlsx")
    seen = seen_beside(tmp_path / "cl.xlsx", Findings())
    assert seen.requests is not None
    assert seen.requests.most["job"].cores == 8
    assert seen.node_use is not None
    assert seen.placement is not None
    study = tmp_path / "study.json"
    study.write_bytes(as_file(small, StudySettings("mine", seen=seen)))
    findings = Findings()
    assert written_seen(seen_beside(study, findings)) == written_seen(seen)
    assert not findings.problems()


def test_a_sample_has_what_its_log_says_and_others_have_nothing(tmp_path: Path) -> None:
    sample = seen_beside(sample_folder("university"), Findings())
    assert written_seen(sample) == written_seen(seen_in_sample("university"))
    for system in (sample_folder("nine"), tmp_path / "university", tmp_path / "no.json"):
        assert seen_beside(system, Findings()).is_nothing


@pytest.mark.parametrize("text", ["{", json.dumps({"requests": []})])
def test_a_file_that_is_broken_is_named(text: str, tmp_path: Path) -> None:
    seen_path(tmp_path / "cl").write_text(text)
    findings = Findings()
    seen_beside(tmp_path / "cl", findings)
    assert findings.failed
    assert findings.problems()[0].file.startswith("cl.seen.json")
