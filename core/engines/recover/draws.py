"""Random numbers for kernels (xorshift): a seed gives the same numbers on every computer."""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

import numpy as np
from numpy.typing import NDArray

from core.engines.compute.compiled import Kernel


def random_state(seed: int) -> NDArray[np.uint64]:
    """The state of a generator, from a seed: odd, because it must not be 0, and well mixed."""
    return np.array([(seed * 2 + 1) * 0x9E3779B97F4A7C15 % 2**64], np.uint64)


@Kernel
def random_bits(state):
    """64 random bits."""
    bits = state[0]
    bits ^= bits << np.uint64(13)
    bits ^= bits >> np.uint64(7)
    bits ^= bits << np.uint64(17)
    state[0] = bits
    return bits


@Kernel
def random_below(state, limit):
    """A random whole number from 0 to limit - 1, which is below 2^32."""
    return np.int64(((random_bits(state) >> np.uint64(32)) * np.uint64(limit)) >> np.uint64(32))


@Kernel
def random_unit(state):
    """A random number from 0 to before 1."""
    return (random_bits(state) >> np.uint64(11)) * (1.0 / 9007199254740992.0)
