"""What an answer says is the same in the terminal, in data, in the report and on a page; names from
files are shown as they are written, and never read as markup.
"""

from markup import EVIL, checked
from patience import PATIENCE
from streamlit.testing.v1 import AppTest

from core.shells.cli.answer import (
    BAD_INPUT,
    SUCCESS,
    UNVERIFIED,
    Answer,
    in_text,
    told_answer,
)
from core.shells.report import markup
from core.shells.told.told import KeyFigure, Told, ToldTable
from core.vocabulary.problems import Problem

NAME = f"**A** :red[b] {EVIL}"
TOLD = Told(
    lead="Buy 3 machines for 12 EUR.",
    sentences=(f"Most work runs on {NAME}.", "No purchase is better (proven)."),
    figures=(
        KeyFigure("Cost", "12 EUR", "What is bought."),
        KeyFigure("Expected reward", "4 EUR an hour", "The mean."),
    ),
    tables=(
        ToldTable("Ways", ("Way", "Cost (EUR)"), ((NAME, "12"), ("none", "0")), 0, "1 way more."),
    ),
    data={"cost": 12.0},
)


def test_the_terminal_says_all_in_columns() -> None:
    short = Told(TOLD.lead, ("It is so.",), TOLD.figures, (ToldTable("Ways", ("", "EUR"), ()),))
    assert in_text("plan", short, [("took", "2 s")]) == (
        "plan: Buy 3 machines for 12 EUR.\n"
        "  Cost             12 EUR\n"
        "  Expected reward  4 EUR an hour\n"
        "  took             2 s\n"
        "\n"
        "Ways\n"
        "    EUR\n"
        "\n"
        "It is so."
    )
    assert in_text("plan", Told("Nothing to do.")) == "plan: Nothing to do."
    said = in_text("plan", TOLD)
    assert all(one in said for one in (NAME, *TOLD.sentences))
    assert "  1 way more.\n\nMost work" in said


def test_programs_get_the_data() -> None:
    answer = told_answer("plan", TOLD)
    assert answer.data == {"cost": 12.0}
    assert answer.text == in_text("plan", TOLD)
    assert answer.status == SUCCESS
    for verified, status in ((True, SUCCESS), (False, UNVERIFIED)):
        answer = told_answer("plan", TOLD, also={"verified": verified})
        assert (answer.data, answer.status) == ({"cost": 12.0, "verified": verified}, status)


def test_programs_get_whether_all_is_well_and_null_for_what_is_unknown() -> None:
    odd, wrong = Problem("a", "", "", "is odd", "warning"), Problem("a", "", "", "is wrong")
    done = Answer.done("done", {"cost": 12.0}, (odd,))
    assert done.data == {"ok": True, "problems": [odd.as_dict()], "cost": 12.0}
    assert (done.text, done.problems, done.status) == ("done", (odd,), SUCCESS)
    refused = Answer.refusal([wrong], nothing=("cost",))
    assert refused.data == {"ok": False, "problems": [wrong.as_dict()], "cost": None}
    assert (refused.text, refused.problems, refused.status) == ("", (wrong,), BAD_INPUT)


def test_the_report_says_the_same_and_reads_no_name_as_markup() -> None:
    page = markup.told_section("What to buy", TOLD, "<figure></figure>")
    found = checked(page)
    for said in (TOLD.lead, *TOLD.sentences, *TOLD.tables[0].head, NAME, "1 way more."):
        assert said in found.said
    for figure in TOLD.figures:
        assert f"<dt>{figure.label}</dt><dd>{figure.value}</dd>" in page
    assert page.index("<ul>") < page.index("<figure>") < page.index("<h3>Ways</h3>")
    assert '<tr class="marked"><th scope="row"><bdi>**A**' in page
    assert "<dl" not in markup.told_section("Nothing", Told("Nothing to do."))


def show_toy() -> None:
    """The script of a page."""
    from shells.told.test_told import TOLD

    from dashboard.parts.told import show_key_figures, show_lead, show_sentences, show_table

    show_lead(TOLD)
    show_sentences(TOLD)
    show_key_figures(TOLD.figures, "content")
    show_table(TOLD.tables[0])


def test_a_page_says_the_same_and_no_name_reaches_markdown() -> None:
    page = AppTest.from_function(show_toy, default_timeout=PATIENCE).run()
    assert not page.exception
    assert [one.value for one in page.header] == [TOLD.lead]
    shown = [(one.label, one.value, one.help) for one in page.metric]
    assert shown == [(one.label, one.value, one.meaning) for one in TOLD.figures]
    (sentences,) = (checked(one.proto.body).said for one in page.get("html"))
    assert all(one in sentences for one in TOLD.sentences)
    (table,) = (one.value for one in page.dataframe)
    assert tuple(table) == TOLD.tables[0].head
    assert table.iloc[0].tolist() == [NAME, "12"]
    assert [one.value for one in page.caption] == ["1 way more."]
    assert not page.markdown


def test_two_answers_become_one() -> None:
    other = Told("It takes 2 h.", ("So it is.",), (), (), {"time": 7200.0})
    both = TOLD.beside(other)
    assert both.lead == TOLD.lead
    assert both.sentences == (*TOLD.sentences, "It takes 2 h.", "So it is.")
    assert (both.figures, both.tables) == (TOLD.figures, TOLD.tables)
    assert both.data == {"cost": 12.0, "time": 7200.0}
    assert other.beside(TOLD).tables == TOLD.tables
