"""What is drawn can be seen, text can be read, and parts are told apart, by all eyes, in the light
and in the dark.
"""

import itertools
from typing import Final, Literal

import numpy as np
import pytest
from colour_sense import EYES, channels, contrast, distance, luminance

from core.files.samples.named import load_sample
from core.vocabulary.say import colours
from core.vocabulary.say.colours import NO_COLOUR, Colour, colour_ranks, leaders, leading_task_types

Mode = Literal["light", "dark"]
MODES: Final[tuple[Mode, ...]] = ("light", "dark")
MARK, TEXT = 3.0, 4.5
GROUNDS: Final = ("PAPER", "ACHIEVED", "POSSIBLE", "FORBIDDEN")
MARKS: Final = ("OURS", "BOUND", "RIVAL", "CHOSEN", "OTHERS", "GHOST", "GAIN", "LOSS")


def ratio(one: Colour, other: Colour, mode: Mode) -> float:
    return contrast(channels(getattr(one, mode)), channels(getattr(other, mode)))


def named(name: str) -> Colour:
    found = getattr(colours, name)
    assert isinstance(found, Colour)
    return found


def test_contrast_is_that_of_the_standard() -> None:
    white = channels("#ffffff")
    assert contrast(white, channels("#000000")) == pytest.approx(21)
    assert contrast(white, channels("#777777")) == pytest.approx(4.48, abs=0.005)
    assert luminance(channels("#ff0000")) == pytest.approx(0.2126)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("ground", GROUNDS)
def test_marks_are_seen_and_text_is_read_on_every_region(ground: str, mode: Mode) -> None:
    for mark in MARKS:
        assert ratio(named(mark), named(ground), mode) >= MARK, mark
    assert ratio(colours.INK, named(ground), mode) >= TEXT


@pytest.mark.parametrize("mode", MODES)
def test_what_stands_on_the_page_alone_is_seen(mode: Mode) -> None:
    for colour in (*colours.MACHINE_TYPES, colours.IDLE):
        assert ratio(colour, colours.PAPER, mode) >= MARK
    for colour in (colours.QUIET, colours.GAIN, colours.LOSS):
        assert ratio(colour, colours.PAPER, mode) >= TEXT, "words are written in them"


@pytest.mark.parametrize("mode", MODES)
def test_text_in_the_colour_of_the_page_is_read_on_bars(mode: Mode) -> None:
    for colour in (*colours.TASK_TYPES, colours.MIXED, colours.OURS, colours.OTHERS):
        assert ratio(colours.PAPER, colour, mode) >= TEXT, colour


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("names", "least"),
    [
        (GROUNDS, 0.04),
        (("OURS", "BOUND", "RIVAL", "CHOSEN", "OTHERS"), 0.03),
        (("GAIN", "LOSS"), 0.05),
    ],
    ids=["regions", "marks, which differ in shape too", "gain and loss, which is striped too"],
)
def test_parts_are_told_apart(names: tuple[str, ...], least: float, mode: Mode, eyes: str) -> None:
    for one, other in itertools.combinations(names, 2):
        apart = distance(getattr(named(one), mode), getattr(named(other), mode), eyes)
        assert apart >= least, (one, other)


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("among", [colours.TASK_TYPES, colours.MACHINE_TYPES])
def test_types_of_a_kind_are_told_apart(among: tuple[Colour, ...], mode: Mode, eyes: str) -> None:
    for one, other in itertools.combinations(among, 2):
        assert distance(getattr(one, mode), getattr(other, mode), eyes) >= 0.09, (one, other)


@pytest.mark.parametrize("mode", MODES)
def test_no_machine_type_has_the_colour_of_a_task_type(mode: Mode) -> None:
    for one, other in itertools.product(colours.TASK_TYPES, colours.MACHINE_TYPES):
        assert distance(getattr(one, mode), getattr(other, mode), "usual") >= 0.045


@pytest.mark.parametrize("mode", MODES)
def test_a_scale_goes_from_calm_to_strong(mode: Mode) -> None:
    steps = [ratio(colour, colours.PAPER, mode) for colour in colours.SCALE]
    assert steps == sorted(steps)
    assert steps[0] < 1.3, "idle is calm"
    assert steps[-1] >= 2 * MARK


def test_the_heaviest_lead_and_the_others_share_the_tail() -> None:
    found = leaders(np.array([1.0, 9.0, 3.0, 5.0, 2.0]), most=2)
    assert found.own == (1, 3)
    assert found.rank.tolist() == [2, 0, 2, 1, 2]
    assert (found.tail, found.others) == (2, 3)


def test_nobody_is_a_tail_alone() -> None:
    found = leaders(np.array([1.0, 2.0, 3.0]), most=2)
    assert (found.own, found.others) == ((2, 1, 0), 0)


def test_of_equals_the_first_leads() -> None:
    assert leaders(np.ones(5), most=2).own == (0, 1)


def test_task_types_lead_by_their_work_whatever_the_schedule() -> None:
    system = load_sample("nine")
    found = leading_task_types(system)
    work = system.task_counts * system.etc.min(axis=1)
    assert len(found.own) == 24
    assert work[list(found.own)].min() >= np.delete(work, found.own).max()


def test_task_types_of_a_study_have_its_colours_whatever_their_weight() -> None:
    system = load_sample("nine")
    lead, names = leading_task_types(system), system.task_names
    some = [*lead.own[5:2:-1], *np.flatnonzero(lead.rank == lead.tail).tolist()]
    ranks = colour_ranks([names[i] for i in some], np.arange(len(some)) + 1.0, system)
    assert ranks.tolist() == [5, 4, 3] + [NO_COLOUR] * lead.others


def test_types_of_no_study_have_colours_by_their_weight() -> None:
    weight = np.array([1.0, 3.0, 2.0])
    for names, study in ((["a", "b", "c"], None), (["a", "T1", "T2"], load_sample("nine"))):
        assert colour_ranks(names, weight, study).tolist() == [2, 0, 1]
    ranks = colour_ranks([f"t{k}" for k in range(25)], np.arange(25.0), None)
    assert sorted(ranks.tolist()) == [*range(25)], "a tail of one type has a colour, too"
    assert NO_COLOUR not in ranks
    ranks = colour_ranks([f"t{k}" for k in range(26)], np.arange(26.0), None)
    assert sorted(ranks.tolist()) == [*range(24), NO_COLOUR, NO_COLOUR]
