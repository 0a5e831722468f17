"""What the numbers of the dashboard mean, as data: definitions, and how certain each is."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Definition:
    """A term, its meaning in Markdown, and its formula in LaTeX, if it has one."""

    term: str
    meaning: str
    formula: str = ""


DEFINITIONS: Final = (
    Definition(
        "ETC and APC",
        "Seconds that one task of type $i$ takes on one machine of type $j$, and the average watts "
        "of the machine meanwhile. There are $T_i$ tasks and $M_j$ machines; an idle one draws "
        "$P_j$ watts.",
        r"ETC_{ij},\quad APC_{ij},\quad T_i,\quad M_j,\quad P_j",
    ),
    Definition(
        "Idle power",
        "A share of the mean power at work: of the plain mean over the task types that can run on "
        "the machine type. 0 % means that a machine without work is off.",
        r"P_j = \text{share} \cdot \operatorname{mean}_i\, APC_{ij}",
    ),
    Definition(
        "Makespan",
        "When the last task ends. Machine $m$ runs $n_{im}$ tasks of type $i$ and is of type "
        "$j(m)$.",
        r"MS = \max_m \sum_i n_{im}\, ETC_{i\,j(m)}",
    ),
    Definition(
        "Energy",
        "Every machine is on until the last task ends, at work or idle. So waiting costs energy, "
        "too, and a schedule that ends sooner saves idle power everywhere.",
        r"\begin{aligned} E ={}& \sum_{m,i} n_{im}\, ETC_{i\,j(m)}"
        r" \left(APC_{i\,j(m)} - P_{j(m)}\right) \\ & + MS \sum_j M_j P_j \end{aligned}",
    ),
    Definition(
        "Average and peak power",
        "The average is what the energy would be as a constant load; the peak is the largest sum "
        "over all machines at any moment $t$.",
        r"\bar P = E / MS, \qquad \hat P = \max_t \sum_m P_m(t)",
    ),
    Definition(
        "Busy",
        "The share of all machine time until the makespan that is spent on tasks.",
        r"\frac{\sum_{m,i} n_{im}\, ETC_{i\,j(m)}}{MS \sum_j M_j}",
    ),
    Definition(
        "Divisible tasks",
        "If tasks could be split at will, $\\mu_{ij}$ of type $i$ going to machine type $j$, the "
        "least makespan would be a small linear program, whatever the number of tasks and "
        "machines. No schedule of whole tasks does better.",
        r"\begin{gathered} \min MS \;\text{ with }\; \sum_j \mu_{ij} = T_i, \\"
        r" \sum_i \mu_{ij}\, ETC_{ij} \le M_j\, MS, \quad \mu \ge 0 \end{gathered}",
    ),
    Definition(
        "Proven bound",
        "Prices $\\lambda_j \\ge 0$ of a machine-second that together cost no more than a second "
        "of makespan prove that nothing ends sooner; the duals of the program are the best prices.",
        r"\sum_j M_j \lambda_j \le 1 \;\Rightarrow\; MS \ge \sum_i T_i \min_j \lambda_j\, ETC_{ij}",
    ),
    Definition(
        "Gap",
        "What could still be saved at the very most, as a share of the bound. Part of it is the "
        "schedule's, part the bound's: whole tasks cannot always reach it.",
        r"\text{gap} = \frac{\text{value}}{\text{bound}} - 1",
    ),
    Definition(
        "Front",
        "Where energy cannot become less without more time, nor time without more energy. Each "
        "point minimises energy plus a price a second; that price is its **exchange rate**: the "
        "joules that the next second saved costs.",
        r"\min\; E + w\, MS \quad \text{for some } w \ge 0",
    ),
    Definition(
        "What a deadline proves",
        "Every edge of the front is a line that no schedule passes. With a deadline $D$ the lines "
        "give the least energy; energy budgets and caps on average power work likewise.",
        r"E + w_k\, MS \ge v_k \;\Rightarrow\; E \ge \max_k\,(v_k - w_k D)",
    ),
    Definition(
        "Whole tasks on single machines",
        "The lines know a machine type as one pool of time. Give each task of type $i$ any price "
        "$\\pi_i$ in joules: within a time $T$ one machine earns no more than $K_j$, the prices of "
        "its best pack of whole tasks less their energy above idle. So no schedule of makespan "
        "$T$ or less takes less energy than this.",
        r"E \ge \sum_i \pi_i T_i - \sum_j M_j K_j(\pi, T) + MS \sum_j M_j P_j",
    ),
    Definition(
        "Utopia and nadir",
        "Utopia is the least energy together with the least time, which no one schedule need "
        "reach. The nadir is the largest of either along the front; it closes the regions, so that "
        "areas are only compared under a common nadir.",
    ),
    Definition(
        "Knee",
        "The point that lies furthest below the straight line between both ends of the front, "
        "energy and time each scaled to 1. A suggestion, no more; a front that is nearly straight "
        "has none.",
        r"\arg\max\; 1 - \frac{E - E_{\min}}{E_{\max} - E_{\min}}"
        r" - \frac{MS - MS_{\min}}{MS_{\max} - MS_{\min}}",
    ),
    Definition(
        "Profit",
        "A batch is all tasks of the system, run once; batch follows batch. One brings a price $p$ "
        "and costs an overhead $o$, electricity at $c$ a joule (carbon included) times the PUE, "
        "and wear $W$ for its busy seconds; depreciation is $a$ a second. A schedule is worth what "
        "it earns a second. Where a power cap has machines wait between batches, $MS$ is the "
        "longer time from batch to batch.",
        r"\frac{p - o - c \cdot \text{PUE} \cdot E - W}{MS} - a",
    ),
    Definition(
        "Profit ratio",
        "The price of a batch over what the electricity for it costs at the very least, PUE left "
        "out. At 1 the price just pays for the thriftiest schedule if nothing else costs.",
        r"\frac{p}{c\,E_{\min}}",
    ),
)

CERTAINTIES: Final = [
    {"What": what, "How certain": certain, "Because": because}
    for what, certain, because in (
        (
            "Bounds on makespan and energy",
            "Proven",
            "Any admissible prices give a bound, and rounding errors count against it.",
        ),
        (
            "The region called impossible",
            "Proven",
            "Each of its edges is such a bound, or what whole tasks on single machines need; the "
            "front is called exact where the edges also touch its corners to one part in 10⁹.",
        ),
        (
            "“Impossible” as the answer to a wish",
            "Proven",
            "No schedule can be outside the region, and the wish is.",
        ),
        (
            "Tasks, times and energy of a schedule",
            "Checked",
            "A checker that shares no code with the solvers recomputes all of it from the tables.",
        ),
        (
            "Average and peak power",
            "Exact",
            "They follow from the schedule; the curve's area is its energy.",
        ),
        (
            "The schedules themselves",
            "Heuristic",
            "Rounded from the divisible optimum, shared among machines longest first, then "
            "improved by annealing for as long as you allow. Another may be better, by the gap "
            "at most.",
        ),
        (
            "The most that can be earned",
            "Proven",
            "Admissible prices of machine time and of power again; wear, power cap and idle power "
            "are in it.",
        ),
        (
            "“Not met by any schedule found”",
            "Open",
            "Between what is proven and what was found; more seconds of polish may decide it.",
        ),
        (
            "The knee, and other suggestions",
            "Convention",
            "Good places to begin to look; your prices and deadlines know better.",
        ),
        (
            "ETC and APC",
            "As given",
            "Averages that you measured: a real run varies about them, and so do its end and its "
            "energy.",
        ),
    )
]
