"""A method has a name, and of the parameters that it is given those of its own."""

import pytest

from core.front.methods import (
    METHODS,
    BoundOnly,
    Lp,
    Method,
    Nsga2,
    Paper,
    SeededNsga2,
    method_named,
)
from core.front.study import study
from core.front.wish import Deadline
from core.samples.named import load_sample


def test_their_names_are_those_of_files_and_commands() -> None:
    assert list(METHODS) == ["lp", "bound", "paper", "nsga2", "nsga2-seeded"]
    assert all(method_named(name).name == name for name in METHODS)


@pytest.mark.parametrize(
    ("name", "method"),
    [
        ("lp", Lp(0.2, Deadline(5.0))),
        ("bound", BoundOnly()),
        ("paper", Paper(0.2)),
        ("nsga2", Nsga2(7)),
        ("nsga2-seeded", SeededNsga2(7, 0.2)),
    ],
)
def test_it_takes_the_parameters_of_its_own(name: str, method: Method) -> None:
    given = method_named(name, spacing=0.2, generations=7, wish=Deadline(5.0))
    assert given == method


def test_what_is_not_given_is_as_published() -> None:
    assert method_named("nsga2", generations=None) == Nsga2(1_000_000)
    assert method_named("nsga2-seeded", spacing=None) == SeededNsga2(1000, 0.01)
    assert method_named("lp") == Lp(0.01, None)


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(ValueError, match="no method 'magic'; there are lp, bound, paper, nsga2"):
        method_named("magic")
    with pytest.raises(ValueError, match="no method 'magic'"):
        study(load_sample("two-by-two"), "magic")


def test_a_name_is_as_good_as_the_method() -> None:
    system = load_sample("two-by-two")
    named, made = (study(system, method, seconds=0) for method in ("paper", Paper()))
    assert named.method == made.method == "paper"
    assert named.points.tolist() == made.points.tolist()


def test_work_is_counted_for_local_search_alone() -> None:
    for name, kind in METHODS.items():
        if kind is not Lp:
            with pytest.raises(ValueError, match=f"work is not counted for '{name}'"):
                study(load_sample("two-by-two"), name, work=1.0)
