"""The jobs with the least loss that have enough units."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engines.replay.stopping.covering import cover, cover_in_order

pytestmark = pytest.mark.usefixtures("kernels_interpreted")


@given(
    st.lists(st.tuples(st.integers(1, 6), st.integers(0, 9)), min_size=1, max_size=8),
    st.integers(1, 20),
)
def test_the_least_loss_that_covers_is_exact(rows, missing):
    units, loss = (np.array(column) for column in zip(*rows, strict=True))
    taken = np.zeros(len(rows), bool)
    enough = cover(units, loss.astype(float), missing, taken)
    sets = np.array(list(np.ndindex(*[2] * len(rows))), bool)
    covering = sets[sets @ units >= missing]
    assert enough == (len(covering) > 0)
    if enough:
        assert units[taken].sum() >= missing
        assert loss[taken].sum() == (covering @ loss).min()
        spare = units[taken].sum() - missing
        assert (units[taken] > spare).all()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.engines.replay.stopping.covering._MOST_CELLS", 0)
        assert cover(units, loss.astype(float), missing, taken) == enough
    assert not enough or (units[taken] > units[taken].sum() - missing).all()
    assert cover_in_order(units, np.arange(len(rows)), missing, taken) == enough
    assert not enough or units[taken].sum() >= missing
