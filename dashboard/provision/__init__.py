"""The page Provision, and how to read its charts."""

from typing import Final

from dashboard.pages import HowToRead

READINGS: Final = (
    HowToRead(
        "What each method buys",
        "Bars above the line are machines that are bought, bars below it are sold; each colour is "
        "a machine type. “Two-stage” is the purchase that is best on average over all scenarios. "
        "“Mean future” is best if everything were as expected. The others are rules of thumb: "
        "they spend the whole budget on one machine type.",
    ),
    HowToRead(
        "What that is worth",
        "A dot is the mean reward over all scenarios, with its 95 % interval. A diamond is what "
        "the method believes: its reward in the mean future. The dashed line is the mean reward "
        "if each future were known before machines are bought; nothing is to the right of it.",
    ),
)
