"""What the library's face has of a day of a centre."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from core.capabilities.centre.answer import CentreAnswer, answered
from core.capabilities.centre.files.centre_file import CentreFile, CurvesOf
from core.capabilities.centre.given import inspect_given
from core.capabilities.centre.objectives import DayAim
from core.capabilities.centre.settings import DAY_METHODS, DayMethod, DaySettings
from core.vocabulary.budget import never
from core.vocabulary.problems import refuse
from core.vocabulary.setting import lone, strange, strange_settings

_USUAL: Final = DaySettings()


def plan_day(
    centre: str | Path | CentreFile,
    *,
    minimise: DayAim = _USUAL.minimise,
    most_late: float | None = _USUAL.most_late,
    most_cost: float | None = None,
    most_carbon: float | None = None,
    most_energy: float | None = None,
    most_excess: float | None = None,
    most_peak: float | None = None,
    methods: Sequence[DayMethod] = ("plan",),
    forecast: bool = False,
    step: float | None = None,
    seconds: float = _USUAL.seconds,
    seed: int = _USUAL.seed,
    replan: float = _USUAL.replan,
    unannounced: bool = _USUAL.unannounced,
    front: bool = _USUAL.front,
    should_stop: Callable[[], bool] = never,
) -> CentreAnswer:
    """When what runs in a centre, which servers are awake and how it is cooled, over a day.

    Parameters
    ----------
    centre : str, Path or CentreFile
        A folder or archive with ``centre.toml``, ``servers.csv``, ``jobs.csv`` and ``signals/``,
        a study file with a centre, or a sample ("london", "parasol").
    minimise : {"cost", "carbon", "energy", "excess", "lateness"}
        What is made small.
    most_late : float, optional
        The most lateness, as a fraction of the time that all jobs run.
    most_cost, most_carbon, most_energy, most_excess, most_peak : float, optional
        The most of each: money, kg of CO2, kWh, kWh above the target, and kW of grid power.
    methods : sequence of {"plan", "as-usual", "edd", "bfh", "nsga2", "ev-moga"}
        What finds plans. "as-usual" is computed in any case.
    forecast : bool
        Whether plans are made for curves as they were forecast. They are measured by what came.
    step : float, optional
        Seconds of a step, in place of what the centre says.
    seconds : float
        How long each method looks for plans at most.
    seed : int
        Of what is drawn.
    replan : float
        Every so many seconds, the rest of the day is planned anew with what is known by then: what
        came, and what was forecast of the rest. 0 plans once. What came of that has a price, which
        ``not_knowing`` says.
    unannounced : bool
        Whether nothing is known of a job before it is released. The rest of the day is planned anew
        when some come.
    front : bool
        Whether ``slices`` say what other lateness and excess would cost.
    should_stop : callable
        Asked now and then.

    Returns
    -------
    CentreAnswer
        Its ``bound`` is proven; ``plans`` has a plan and a verdict a method.

    Raises
    ------
    InvalidInput
        If the files cannot be used, or no plan keeps what is asked.
    NoScheduleFound
        If it was stopped, or there is no room for all jobs.

    Examples
    --------
    >>> found: CentreAnswer = plan_day("parasol", seconds=0.1)
    >>> found.ours.keeps, found.ours.found.value >= found.least
    (True, True)
    """
    asked = DaySettings(
        minimise,
        most_late,
        most_cost,
        most_carbon,
        most_energy,
        most_excess,
        most_peak,
        seconds,
        seed,
        replan,
        unannounced,
        front,
    )
    refuse(lone(methods=methods))
    strangers = (fault for each in methods for fault in strange(methods=(each, DAY_METHODS)))
    refuse((*strange_settings(asked), *strangers))
    file = centre if isinstance(centre, CentreFile) else inspect_given(Path(centre)).require()
    if step is not None:
        file = file.with_step(step)
    curves: CurvesOf = "forecast" if forecast or replan else "came"
    return answered(file, asked, methods, curves, should_stop)
