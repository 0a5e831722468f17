"""Small measurements that these tests share."""

from small_measurements import (
    idle_answers,
    larger_nine,
    larger_nine_idle,
    small_bags,
    small_environments,
    small_figures,
    small_front_figures,
    small_front_scaling,
    small_losses,
    small_scaling,
    small_systems,
    thrifty_answers,
)

__all__ = [
    "idle_answers",
    "larger_nine",
    "larger_nine_idle",
    "small_bags",
    "small_environments",
    "small_figures",
    "small_front_figures",
    "small_front_scaling",
    "small_losses",
    "small_scaling",
    "small_systems",
    "thrifty_answers",
]
