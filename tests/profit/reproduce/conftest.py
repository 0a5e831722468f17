"""Small measurements that these tests share."""

from small_measurements import (
    idle_answers,
    larger_nine,
    larger_nine_idle,
    small_losses,
    thrifty_answers,
)

__all__ = ["idle_answers", "larger_nine", "larger_nine_idle", "small_losses", "thrifty_answers"]
