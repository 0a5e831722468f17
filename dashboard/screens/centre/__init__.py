"""The page Centre, and how to read its charts."""

from typing import Final

from dashboard.pages import HowToRead

READINGS: Final = (
    HowToRead(
        "Several days",
        "A small chart for each date: what the centre draws, in bands, and the thick line, the "
        "target. What is above it is red. A click opens the date below.",
    ),
    HowToRead(
        "A day of the centre",
        "All panels have one time, by the clock of the centre. Power: the bands add up to what the "
        "centre draws. Above the thick line, the target, power is striped: that is the excess. "
        "Green power stands behind the bands; what it does not cover, the dotted line, comes from "
        "the grid. Below are price, carbon intensity and outside temperature, dashed as they were "
        "forecast, and the inside temperature with its limit; the strip says what cools: the fan, "
        "or the compressor. At the foot each kind of servers has a panel, a row for each server: a "
        "block is a job, or several equal ones; a striped block ends after it is due. Grey is a "
        "server that is awake without a job, and where there is nothing, it sleeps.",
    ),
    HowToRead(
        "Other lateness and excess",
        "Each line is for plans that are late by at most so much: to the right they exceed the "
        "target by more, and below the line no plan is, which is proven. Marks are plans that were "
        "found; a click on one asks for no more lateness and excess than it has. The star in the "
        "ring is our plan, a cross another method.",
    ),
    HowToRead(
        "Plan against actual",
        "Each curve that was forecast, dashed as it was known when the day began, and as it came. "
        "The last panel is what our plan has cost more so far than that of one who knew all: "
        "where the line rises, something was done that would have been left; where it falls, the "
        "other plan does later what ours has done.",
    ),
)
