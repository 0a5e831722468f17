"""The page What to buy, and how to read its charts."""

from typing import Final

from dashboard.pages import HowToRead

READINGS: Final = (
    HowToRead(
        "What each method buys",
        "Bars above the line are machines that are bought, bars below it are sold; each colour is "
        "a machine type. “Our advice” is the purchase that is best on average over all scenarios. "
        "“If all goes as expected” is best if everything were as expected. The others are rules of "
        "thumb: they spend the whole budget on one machine type.",
    ),
    HowToRead(
        "What that is worth",
        "A dot is the expected reward, with its 95 % interval, in scenarios that the purchase was "
        "not chosen for. A diamond is what the method believes: its reward in the mean future. The "
        "dashed line is the mean reward if each future were known before machines are bought.",
    ),
    HowToRead(
        "Better by how much",
        "In each scenario, the reward of our advice less that of the rival, as a share "
        "of the latter or as it is. Where a violin is wide, such a difference is frequent; the dot "
        "is the mean. Below the dashed line the rival was better: in some futures it is, but not "
        "on average.",
    ),
    HowToRead(
        "Expected reward over the budget, and over the spread",
        "A line for each method; the dashed orange line is the mean if each future were known. All "
        "else stays the same. A spread of 2 is twice that of the plan; 0 is a future that is "
        "known. The vertical line marks the plan.",
    ),
    HowToRead(
        "Two objectives",
        "Each point of the front is a purchase that no other beats in both means; hold the pointer "
        "over it, or click it, to see what is bought. They have no limits other than those of the "
        "plan. An ellipse has the true means with 95 % confidence. The shaded region is all that "
        "is possible, good or bad. The buttons below a point that was clicked find what to buy if "
        "one of its means is a limit.",
    ),
    HowToRead(
        "Why this, why not that",
        "For each machine type, what the best purchase loses that has one machine of it fewer or "
        "more than the advice, and the best one that buys no other type, as shares of what is "
        "expected. The other types are then bought and sold as is best.",
    ),
    HowToRead(
        "One more machine",
        "What the expected reward gains if one more machine of a type is there, in addition to "
        "what is bought, and what that is for each 1,000 of money.",
    ),
    HowToRead(
        "Kinds of operations",
        "If the number of kinds of operations is chosen by error: how far the times that they make "
        "are off on average with each number that was tried. The ring marks the one "
        "that is taken: the fewest below the dashed line, or else the one with the least mean "
        "error.",
    ),
    HowToRead(
        "Number of scenarios",
        "How far the mean of so many scenarios is from the true one, with 95 % confidence. Both "
        "axes are logarithmic. Where a line is lower, fewer scenarios say as much. Beside it is "
        "what so many scenarios cost: the time to find what to buy.",
    ),
    HowToRead(
        "Worst 5 %",
        "The mean reward in the worst 5 % of the scenarios (conditional value at risk), beside the "
        "mean in all, for each method and for the purchase that is best for the worst ones. In "
        "*Scenarios* you choose how much they count in what is bought.",
    ),
)
