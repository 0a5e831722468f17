"""What worker processes have loaded in tests: nothing but the tasks."""

import tasks  # noqa: F401


def prepare() -> None:
    pass
