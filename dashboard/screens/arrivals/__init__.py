"""The page Policies, and how to read its charts."""

from typing import Final

from dashboard.pages import HowToRead

READINGS: Final = (
    HowToRead(
        "Worth by policy",
        "A bar for each policy: what the jobs earned, as a share of what is possible at most (the "
        "dashed line). No policy can reach beyond it, not even one that knows all that comes. "
        "Until that is proven, shares are of what the jobs would be worth if each began when it "
        "arrived. With more than one day, the bar is the mean, and the line at its end is the 95 % "
        "interval.",
    ),
    HowToRead(
        "Sizes",
        "Where jobs may run in several sizes of cores and memory: how many ran in each, under each "
        "policy.",
    ),
    HowToRead(
        "What cores and memory are worth by hour",
        "A line for each resource. With 1 more core, or GB, in that hour, nobody can earn more "
        "than the bound and so much. Where a line is at 0, more of it earns nothing.",
    ),
    HowToRead(
        "Over the day",
        "The first day under one policy. Energy: the solid line is what jobs have drawn since the "
        "day began; the dashed line would spend the budget at a constant rate. A policy that "
        "compares the two has a strip below the lines, in the colour of the measure by which it "
        "decides. A policy by prices has a diamond where it sets them anew. Queue: jobs that wait. "
        "Pools: the mean share of the units that work, for each pool. Worth: what jobs have "
        "earned; a job earns evenly while it runs.",
    ),
    HowToRead(
        "Unit by unit",
        "Each row is one unit of a pool (a node), each bar a job in the colour of its type. A "
        "dotted line joins the parts of a job that was stopped. Of a large pool, some units are "
        "shown, evenly far from each other. Grey bars are types without a colour of their own, or "
        "several short jobs one after the other.",
    ),
    HowToRead(
        "Event by event",
        "A mapping event is a moment at which the policy decides. The bars are busy and free units "
        "before its decisions. The upper table has the jobs that waited, in the order of the "
        "decisions. The lower table has the three best ways to run one of them, as they were at "
        "its turn, with their measures. The policy takes the highest measure that is possible. "
        "Under a policy that stops jobs, the table has those that were stopped, and for which.",
    ),
    HowToRead(
        "Other budgets",
        "A line for each policy: its mean worth over the energy budget, on the same days, with "
        "95 % intervals. It is a share of the worth without waiting, which is the same at all "
        "budgets: what jobs would be worth if each began when it arrived, on its fastest option. "
        "A budget of 100 % is what jobs take under *Most worth per core-second* without one. The "
        "vertical line marks the budget of the answer.",
    ),
    HowToRead(
        "Two policies",
        "What became of each job under two policies. The jobs whose worth differs most come first.",
    ),
    HowToRead(
        "Stopping",
        "Left: a mark for each way to stop jobs on the first day. The farther right, the more work "
        "is lost; the lower, the shorter urgent jobs wait (or the higher, the more all jobs are "
        "worth). Grey squares are policies that stop none. Right: the same jobs, if many of one "
        "type came at once. The more do, the more there is to gain: all cores may be busy until "
        "one of them ends.",
    ),
)
