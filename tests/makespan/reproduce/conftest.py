"""Small measurements that these tests share."""

from small_measurements import (
    small_bags,
    small_figures,
    small_scaling,
    small_systems,
)

__all__ = ["small_bags", "small_figures", "small_scaling", "small_systems"]
