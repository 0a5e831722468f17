"""What the slides print of their simulations: least, mean, standard deviation, most, and percent of
scenarios in which a policy is the best. The worst stretch is over the least possible one, the
others are over the best of each scenario.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple


class PublishedRow(NamedTuple):
    """The printed results of a policy, over all scenarios; `best` in percent."""

    least: float
    mean: float
    deviation: float
    most: float
    best: float


_MAX_STRETCH: Final = {
    "fifo-rr": PublishedRow(4.55, 16.689, 7.897, 62.6, 0.0),
    "fifo-mct": PublishedRow(1.857, 6.912, 2.404, 17.9, 0.0),
    "fifo-dd": PublishedRow(4.55, 16.689, 7.897, 62.6, 0.0),
    "spt-rr": PublishedRow(1.348, 4.274, 1.771, 13.8, 0.0),
    "spt-mct": PublishedRow(1.007, 1.928, 0.61, 5.99, 1.3),
    "spt-dd": PublishedRow(1.348, 4.274, 1.771, 13.8, 0.0),
    "srpt-rr": PublishedRow(1.348, 4.121, 1.737, 13.8, 0.0),
    "srpt-mct": PublishedRow(1.007, 1.861, 0.601, 6.87, 2.2),
    "srpt-dd": PublishedRow(1.348, 4.121, 1.737, 13.8, 0.0),
    "swrpt-rr": PublishedRow(1.344, 4.119, 1.739, 13.8, 0.0),
    "swrpt-mct": PublishedRow(1.007, 1.857, 0.601, 6.87, 1.9),
    "swrpt-dd": PublishedRow(1.344, 4.119, 1.739, 13.8, 0.0),
    "mwma-nbt": PublishedRow(1.477, 3.433, 1.044, 8.49, 0.0),
    "mwma-ms": PublishedRow(2.435, 8.619, 2.42, 20.4, 0.0),
    "cbs3m-fifo-online": PublishedRow(1.003, 1.322, 0.208, 2.83, 6.9),
    "cbs3m-edf-online": PublishedRow(1.003, 1.163, 0.118, 1.93, 64.0),
    "cbs3m-fifo-offline": PublishedRow(1.022, 1.379, 0.276, 3.74, 3.8),
    "cbs3m-edf-offline": PublishedRow(1.011, 1.213, 0.125, 2.06, 26.2),
}
_SUM_STRETCH: Final = {
    "fifo-rr": PublishedRow(2.064, 6.783, 3.21, 30.7, 0.0),
    "fifo-mct": PublishedRow(1.322, 2.754, 0.67, 6.45, 0.0),
    "fifo-dd": PublishedRow(2.064, 6.783, 3.21, 30.7, 0.0),
    "spt-rr": PublishedRow(1.019, 2.942, 1.221, 10.1, 0.0),
    "spt-mct": PublishedRow(1.0, 1.182, 0.183, 2.53, 2.4),
    "spt-dd": PublishedRow(1.019, 2.942, 1.221, 10.1, 0.0),
    "srpt-rr": PublishedRow(1.007, 2.607, 1.071, 8.93, 0.0),
    "srpt-mct": PublishedRow(1.0, 1.045, 0.098, 1.92, 25.5),
    "srpt-dd": PublishedRow(1.007, 2.607, 1.071, 8.93, 0.0),
    "swrpt-rr": PublishedRow(1.0, 2.596, 1.068, 8.96, 0.1),
    "swrpt-mct": PublishedRow(1.0, 1.038, 0.098, 1.92, 60.1),
    "swrpt-dd": PublishedRow(1.0, 2.596, 1.068, 8.96, 0.1),
    "mwma-nbt": PublishedRow(1.051, 2.013, 0.644, 5.41, 0.0),
    "mwma-ms": PublishedRow(1.663, 4.183, 1.269, 11.5, 0.0),
    "cbs3m-fifo-online": PublishedRow(1.0, 1.294, 0.208, 2.16, 0.4),
    "cbs3m-edf-online": PublishedRow(1.0, 1.201, 0.19, 2.08, 20.2),
    "cbs3m-fifo-offline": PublishedRow(1.0, 1.332, 0.227, 2.57, 0.1),
    "cbs3m-edf-offline": PublishedRow(1.0, 1.272, 0.214, 2.49, 3.8),
}
_MAKESPAN: Final = {
    "fifo-rr": PublishedRow(1.343, 2.716, 0.684, 5.31, 0.0),
    "fifo-mct": PublishedRow(1.0, 1.329, 0.202, 2.11, 0.1),
    "fifo-dd": PublishedRow(1.343, 2.716, 0.684, 5.31, 0.0),
    "spt-rr": PublishedRow(1.325, 2.714, 0.685, 5.33, 0.0),
    "spt-mct": PublishedRow(1.0, 1.329, 0.202, 2.1, 0.0),
    "spt-dd": PublishedRow(1.325, 2.714, 0.685, 5.33, 0.0),
    "srpt-rr": PublishedRow(1.325, 2.714, 0.686, 5.32, 0.0),
    "srpt-mct": PublishedRow(1.0, 1.328, 0.202, 2.1, 0.0),
    "srpt-dd": PublishedRow(1.325, 2.714, 0.686, 5.32, 0.0),
    "swrpt-rr": PublishedRow(1.322, 2.715, 0.686, 5.32, 0.0),
    "swrpt-mct": PublishedRow(1.0, 1.328, 0.202, 2.1, 0.0),
    "swrpt-dd": PublishedRow(1.322, 2.715, 0.686, 5.32, 0.0),
    "mwma-nbt": PublishedRow(1.0, 1.079, 0.07, 1.45, 4.6),
    "mwma-ms": PublishedRow(1.0, 1.078, 0.067, 1.42, 2.1),
    "cbs3m-fifo-online": PublishedRow(1.0, 1.029, 0.029, 1.17, 7.5),
    "cbs3m-edf-online": PublishedRow(1.0, 1.004, 0.006, 1.05, 35.0),
    "cbs3m-fifo-offline": PublishedRow(1.0, 1.018, 0.023, 1.22, 17.6),
    "cbs3m-edf-offline": PublishedRow(1.0, 1.003, 0.006, 1.07, 53.0),
}
_MAX_FLOW: Final = {
    "fifo-rr": PublishedRow(1.146, 3.097, 1.135, 10.2, 0.0),
    "fifo-mct": PublishedRow(1.0, 1.281, 0.258, 2.83, 14.4),
    "fifo-dd": PublishedRow(1.146, 3.097, 1.135, 10.2, 0.0),
    "spt-rr": PublishedRow(1.386, 3.282, 1.222, 10.9, 0.0),
    "spt-mct": PublishedRow(1.002, 1.46, 0.287, 3.09, 0.0),
    "spt-dd": PublishedRow(1.386, 3.282, 1.222, 10.9, 0.0),
    "srpt-rr": PublishedRow(1.386, 3.289, 1.225, 10.9, 0.0),
    "srpt-mct": PublishedRow(1.003, 1.473, 0.306, 4.28, 0.0),
    "srpt-dd": PublishedRow(1.386, 3.289, 1.225, 10.9, 0.0),
    "swrpt-rr": PublishedRow(1.382, 3.291, 1.225, 10.9, 0.0),
    "swrpt-mct": PublishedRow(1.0, 1.477, 0.309, 4.28, 0.1),
    "swrpt-dd": PublishedRow(1.382, 3.291, 1.225, 10.9, 0.0),
    "mwma-nbt": PublishedRow(1.0, 1.181, 0.153, 1.99, 7.0),
    "mwma-ms": PublishedRow(1.0, 1.261, 0.189, 2.32, 1.1),
    "cbs3m-fifo-online": PublishedRow(1.0, 1.054, 0.061, 1.52, 5.8),
    "cbs3m-edf-online": PublishedRow(1.0, 1.031, 0.057, 1.48, 23.2),
    "cbs3m-fifo-offline": PublishedRow(1.0, 1.037, 0.058, 1.48, 21.6),
    "cbs3m-edf-offline": PublishedRow(1.0, 1.023, 0.055, 1.48, 48.7),
}
_SUM_FLOW: Final = {
    "fifo-rr": PublishedRow(1.644, 4.02, 1.567, 16.3, 0.0),
    "fifo-mct": PublishedRow(1.134, 1.652, 0.264, 3.33, 0.0),
    "fifo-dd": PublishedRow(1.644, 4.02, 1.567, 16.3, 0.0),
    "spt-rr": PublishedRow(1.196, 2.811, 1.081, 9.21, 0.0),
    "spt-mct": PublishedRow(1.0, 1.149, 0.171, 2.32, 3.5),
    "spt-dd": PublishedRow(1.196, 2.811, 1.081, 9.21, 0.0),
    "srpt-rr": PublishedRow(1.079, 2.704, 1.048, 9.03, 0.0),
    "srpt-mct": PublishedRow(1.0, 1.105, 0.151, 2.23, 32.1),
    "srpt-dd": PublishedRow(1.079, 2.704, 1.048, 9.03, 0.0),
    "swrpt-rr": PublishedRow(1.079, 2.706, 1.049, 9.03, 0.0),
    "swrpt-mct": PublishedRow(1.0, 1.108, 0.152, 2.23, 15.4),
    "swrpt-dd": PublishedRow(1.079, 2.706, 1.049, 9.03, 0.0),
    "mwma-nbt": PublishedRow(1.0, 1.404, 0.217, 2.29, 0.1),
    "mwma-ms": PublishedRow(1.359, 2.333, 0.355, 3.7, 0.0),
    "cbs3m-fifo-online": PublishedRow(1.0, 1.122, 0.101, 1.62, 1.4),
    "cbs3m-edf-online": PublishedRow(1.0, 1.065, 0.09, 1.53, 35.6),
    "cbs3m-fifo-offline": PublishedRow(1.0, 1.12, 0.103, 1.67, 0.3),
    "cbs3m-edf-offline": PublishedRow(1.0, 1.087, 0.101, 1.66, 18.7),
}
SIMULATED: Final[Mapping[str, Mapping[str, PublishedRow]]] = {
    "max_stretch": _MAX_STRETCH,
    "sum_stretch": _SUM_STRETCH,
    "makespan": _MAKESPAN,
    "max_flow": _MAX_FLOW,
    "sum_flow": _SUM_FLOW,
}
"""By score and policy."""

MEASURED: Final[Mapping[str, float]] = {
    "cbs3m-edf-offline": 1.28,
    "cbs3m-edf-online": 1.31,
    "cbs3m-fifo-offline": 1.35,
    "cbs3m-fifo-online": 1.38,
    "fifo-mct": 1.95,
    "fifo-rr": 4.26,
    "mwma-ms": 2.24,
    "mwma-nbt": 1.48,
    "spt-dd": 4.76,
    "spt-mct": 1.97,
    "srpt-mct": 2.0,
    "swrpt-mct": 2.03,
}
"""The mean of the worst stretch over the least possible one, of ten experiments on a cluster."""
