"""A front and the schedules along it, as data: points are [joules, seconds] by rising energy."""

from dataclasses import asdict

from core.engines.front.study import Study
from core.engines.relaxed import Front
from core.vocabulary.plane.points import exchange_rates, knee, largest_gap, nadir
from core.vocabulary.problems import Problem


def front_as_data(front: Front) -> dict[str, object]:
    """The front of the bound, which no schedule can beat."""
    return {
        "vertices": front.points.tolist(),
        "exact": bool(front.exact),
        "utopia": front.utopia.tolist(),
        "nadir": nadir(front.points).tolist(),
        "exchange_rates": exchange_rates(front.points).tolist(),
        "slower": front.slower.tolist(),
    }


def study_as_data(study: Study) -> dict[str, object]:
    """The front of the bound, the schedules on the Pareto front, and the area between."""
    front, achieved = study.front, study.achieved
    chain = achieved if len(achieved) else front.points
    bend, gap = knee(chain), largest_gap(achieved)
    return {
        "method": study.method,
        **front_as_data(front),
        "schedules": achieved.tolist(),
        "gaps": study.gaps,
        "nadir": study.nadir.tolist(),
        "area": asdict(study.areas()),
        "knee": None if bend is None else chain[bend].tolist(),
        "largest_gap": None if gap is None else asdict(gap),
    }


def unverified(name: str) -> Problem:
    """The problem of a study that the independent check disagrees with."""
    fault = "an independent check disagrees with a schedule of the study; do not use it"
    return Problem(name, "", "", fault)
