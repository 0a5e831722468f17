"""Names of types from strangers' files reach a page as plain text only, on every page."""

import pytest
from pages import Open, run, settled, spoken

from dashboard.pages import PAGES
from dashboard.workspace.session import WORKSPACE
from dashboard.workspace.upload import Upload
from dashboard.workspace.workspace import take_upload

TABLE = "task_type,<b>GPU</b>,CPU\n*T1*,3,4\n=1+1,5,\n"


@pytest.mark.parametrize("powers", ["", TABLE], ids=["without powers", "with powers"])
@pytest.mark.parametrize("folder", [page.folder for page in PAGES])
def test_names_never_reach_markdown(open_page: Open, folder: str, powers: str) -> None:
    page = open_page("system", polish=0, spacing=0.05, provision_scenarios=8, arrivals_jobs=9)
    upload = Upload.pasted(TABLE, powers)
    page.session_state[WORKSPACE] = take_upload(page.session_state[WORKSPACE], upload)
    settled(run(page.switch_page(f"screens/{folder}/page.py")))
    assert spoken(page)
    assert not any("GPU" in text or "T1" in text for text in spoken(page))
