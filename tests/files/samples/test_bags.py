"""The sample bags can be read without a problem."""

import pytest

from core.capabilities.fair_shares.bags_reader import inspect_bags
from core.files import inspect_system
from core.files.samples.folders import BAGS, bags_folder
from core.files.samples.named import sample_data


@pytest.mark.parametrize("name", BAGS)
def test_they_have_releases_and_a_network(name: str) -> None:
    reading = inspect_system(bags_folder(name))
    found = inspect_bags(bags_folder(name), reading.require())
    bags = found.require()
    assert (*reading.problems, *found.problems) == ()
    assert len(set(bags.release.tolist())) > 1
    assert bags.network.bandwidth < 1e9


def test_all_of_them_are_listed() -> None:
    assert {folder.name for folder in (sample_data() / "bags").iterdir()} == set(BAGS)
    with pytest.raises(ValueError, match="did you mean morning"):
        bags_folder("mornings")
