"""Names from strangers' files reach a page as plain text only, on every page."""

import pytest
from examples import thorough
from pages import Open, html, own, run, settled, spoken, visit

from dashboard.pages import PAGES
from dashboard.workspace.session import WORKSPACE
from dashboard.workspace.upload import Upload
from dashboard.workspace.workspace import take_upload

TABLE = b"task_type,<b>GPU</b>,$CPU$\n*T1*,3,4\n=1+1,5,\n"


@pytest.mark.parametrize("powers", [thorough(False), True], ids=["without powers", "with powers"])
@pytest.mark.parametrize("folder", [page.folder for page in PAGES])
def test_names_are_plain_text(open_page: Open, folder: str, *, powers: bool) -> None:
    quick = {"arrivals_workload": "budget", "arrivals_jobs": 100, "arrivals_policies": "max-upr"}
    quick |= {"centre_centre": "parasol", "centre_seconds": 0, "centre_methods": "none"}
    page = open_page("importing", polish=0, spacing=0.05, provision_scenarios=8, **quick)
    files = {"<i>mine</i> etc.csv": TABLE} | ({"apc.csv": TABLE} if powers else {})
    upload = Upload.together(files)
    page.session_state[WORKSPACE] = take_upload(page.session_state[WORKSPACE], upload)
    settled(visit(page, folder))
    if folder == "schedule":
        own(page.selectbox)[0].select(0).run()
        own(page.number_input)[0].set_value(1)
        run(page)
    assert folder == "centre" or "&lt;i&gt;mine" in html(page), "above it stands the centre"
    assert not any(tag in html(page) for tag in ("<b>GPU", "<i>mine"))
    assert spoken(page)
    names = ("GPU", "CPU", "T1", "1+1", "mine")
    assert not any(name in text for text in spoken(page) for name in names)
