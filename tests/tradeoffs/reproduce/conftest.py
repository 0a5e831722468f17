"""Small measurements that these tests share."""

from small_measurements import (
    small_environments,
    small_front_figures,
    small_front_scaling,
)

__all__ = ["small_environments", "small_front_figures", "small_front_scaling"]
