"""Work says what tasks ask for; what is typed there, batch scripts begin with."""

from pages import Open, html, press, settled, spoken, typed, visit

from core import study
from core.shells.studies import inspect_study_bytes
from core.vocabulary.requests import NOTHING_REQUESTED, LogRequests, Request
from dashboard.parts.taking.batch_dialog import TITLE
from dashboard.parts.taking.take_away import QUICK, settings_of, study_bytes
from dashboard.screens.work.requests_panel import lacking, requests_said
from dashboard.workspace.session import WORKSPACE

LOG = LogRequests({}, {"a": Request(8, 0, 4096.0), "b": Request(1, 2)}, {"x": Request(4, 4)}, {})


def test_what_tasks_ask_for_in_a_sentence() -> None:
    assert requests_said(LOG, ("a", "b", "c")) == (
        "1 of 3 task types ask for GPUs; the most on one node are 8 cores, 2 GPUs and 4 GiB."
    )
    assert requests_said(NOTHING_REQUESTED, ("a",)) == "Nobody has said what tasks ask for."
    assert [*lacking(LOG)] == ["No node has as much as tasks of a ask for: cores."]


def test_what_is_typed_is_in_the_study_and_in_the_scripts(open_page: Open) -> None:
    page = open_page("work", sample="university", polish=0)
    assert any("4 of 13 task types ask for GPUs" in said for said in spoken(page))
    typed(page, "requests", {0: {"cores": 12.0, "minutes": 90.0}, 1: {"gpus": 99.0}})
    now = page.session_state[WORKSPACE]
    requests = now.version.seen.requests
    assert (requests.most["blast_batch"].cores, requests.least["blast_batch"].cores) == (12, 12)
    assert requests.most["blast_batch"].seconds == 5_400
    assert "No node has as much as tasks of R_bootstrap ask for: GPUs." in html(page)
    data = study_bytes(study(now.system, method="bound"), None, settings_of(now, QUICK, {}))
    back = inspect_study_bytes("s.json", data).require().settings.seen
    assert back.fingerprint == now.version.seen.fingerprint
    press(page, "Undo")
    assert page.session_state[WORKSPACE].version.seen.requests.most["blast_batch"].cores == 8
    press(page, "Redo")
    press(settled(visit(page, "schedule")), TITLE)
    table = next(one.value for one in page.data_editor if "minutes" in one.value)
    assert table[["cores", "minutes"]].iloc[0].tolist() == [12, 90]


def test_without_a_log_requests_are_typed(open_page: Open) -> None:
    page = typed(open_page("work", sample="two-by-two"), "requests", {1: {"memory_gib": 2.0}})
    now = page.session_state[WORKSPACE]
    assert now.version.seen.requests.most == {"T2": Request(memory=2048.0)}
    assert not now.version.is_of_log
    assert not [one.value for one in page.caption if one.value.startswith("From the log")]
    press(settled(visit(page, "schedule")), TITLE)
    (limit,) = [one.value for one in page.caption if "time limit" in one.value]
    assert "the one on Work" in limit
    assert not [one.value for one in page.caption if one.value.startswith("From the log")]
