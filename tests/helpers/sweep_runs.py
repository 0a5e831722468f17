"""What engines compute in tests."""

import os
import signal
import time
from pathlib import Path


def square(number: int) -> int:
    return number * number


def slow_square(number: int) -> int:
    time.sleep(0.01)
    return number * number


def square_or_fail(number: int) -> int:
    if number == 3:
        raise ValueError("three")
    return number * number


def square_or_die(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def square_or_die_once(folder: str, number: int) -> int:
    """Ends its process when 7 is there for the first time."""
    mark = Path(folder, "died")
    if number == 7 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    with Path(folder, "computed").open("a") as log:
        log.write(f"{number}\n")
    return number * number


def logged_square(log: str, number: int) -> int:
    time.sleep(0.02)
    with Path(log).open("a") as stream:
        stream.write(f"{number}\n")
    return number * number
