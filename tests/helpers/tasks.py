"""What worker processes and engines are given to do in tests: they find it here by its name."""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path


def prepare() -> None:
    """What workers have loaded in tests: nothing but this module."""


def echo(value: object) -> object:
    return value


def pair(first: object, second: object) -> tuple[object, object]:
    return first, second


def fail(message: str) -> None:
    raise ZeroDivisionError(message)


class Unkept(Exception):
    """An error that cannot be made again from what Python keeps of it."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


def fail_oddly() -> None:
    raise Unkept(1, 2)


def die(number: int = signal.SIGKILL) -> None:
    os.kill(os.getpid(), number)


def hang() -> None:
    """As what is compiled would, and never looks up."""
    while True:
        time.sleep(60)


def count_until_stopped(should_stop: Callable[[], bool]) -> int:
    """Has something to give, however early it is asked to stop."""
    count = 1
    while not should_stop():
        time.sleep(0.01)
        count += 1
    return count


def never_stops(should_stop: Callable[[], bool]) -> None:
    hang()


def number() -> int:
    return os.getpid()


def tell(last: int, report: Callable[[int], None]) -> str:
    for news in range(last + 1):
        report(news)
        time.sleep(0.02)
    return "told"


def niceness() -> int:
    return os.getpriority(os.PRIO_PROCESS, 0)


def threads() -> int:
    """Those of the process that this one was forked from."""
    status = Path(f"/proc/{os.getppid()}/status").read_text(encoding="ascii")
    return int(status.split("Threads:")[1].split()[0])


def die_of_anything(*_given: object, **_named: object) -> None:
    die()


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
