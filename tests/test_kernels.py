"""Who has loaded the kernels spends nobody's seconds on compiling, whatever is polished."""

import subprocess
import sys

import pytest

POLISH = """
import sys
from core.vocabulary.budget import Budget, Stopwatch
from core.engines.compute.compiled import Kernel
from core.engines.front.proven import Proven
from core.engines.recover.along import recover_along
from core.engines.front.tighten import tighten
from core.engines.kernels import load_kernels
from core.engines.recover import assign, polish, round_rows
from core.engines.recover.settling import settle
from core.engines.relaxed import ENERGY, MAKESPAN, lower_bound, trace_front
from core.files.samples.named import load_sample

def loaded():
    modules = [module for name, module in sys.modules.items() if name.startswith("core.")]
    kernels = {
        kernel for module in modules for kernel in vars(module).values()
        if isinstance(kernel, Kernel)
    }
    return {(kernel.function.__qualname__, str(types)) for kernel in kernels
            for types in kernel.dispatcher.signatures}

system = load_sample("nine").with_idle_fraction(0.1)
front = trace_front(system)
schedules = recover_along(system, front.points, front.placements, 0.1)[0]
bounds = [lower_bound(system, objective) for objective in (MAKESPAN, ENERGY)]
begun = [assign(system, round_rows(bound.placed, system.task_counts)) for bound in bounds]
load_kernels()
before = loaded()
for bound, schedule in zip(bounds, begun):
    polish(schedule, bound, Budget.of_work(0.1))
assert settle(load_sample("two-by-two")).rounding == 0
clock = Stopwatch()
tighten(Proven.of(front), schedules, Budget.of_work(1.0), clock)
assert list(clock.seconds) == ["patterns", "polish"]
assert before
print(*sorted(loaded() - before), sep="\\n")
"""


@pytest.mark.thorough
def test_after_loading_nothing_is_compiled_by_polish_or_proof() -> None:
    ran = subprocess.run([sys.executable, "-c", POLISH], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == ""
