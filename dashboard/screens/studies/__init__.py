"""The page Studies: what is open, and where it is kept. It has no charts."""

from typing import Final

from dashboard.pages import HowToRead

READINGS: Final = (
    HowToRead(
        "What a study is",
        "A study is the cluster, its work, the site with its prices, and what was asked of them: "
        "goals, plans, sweeps. *Save in this browser* keeps it here until you delete it, also when "
        "the server ends; other people do not see it. A link opens the same view for everybody "
        "who has it, as long as the server knows the study: that of a sample always, that of an "
        "upload while the server runs. A study file opens on any server.",
    ),
)
