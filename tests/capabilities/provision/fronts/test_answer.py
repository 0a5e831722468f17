"""`provision --front` answers with the purchases that no other beats."""

import numpy as np
import pytest
from capabilities.provision.plan_files import POWERED, answered, folder_with


@pytest.mark.thorough
def test_the_front_of_two_has_every_vertex(wattfront):
    data = answered(wattfront, "e1", "--scenarios", 8, "--front", "reward,cost")
    assert data["objectives"] == ["reward", "cost"]
    assert data["every_vertex"] is True
    assert data["gap"] <= 1e-6
    assert data["scenarios"] == 8
    points = data["points"]
    assert len(points) == 17
    chain = np.array([[point["reward"], point["cost"]] for point in points])
    assert chain[0] == pytest.approx([0, 0], abs=1e-6)
    slopes = np.diff(chain[:, 1]) / np.diff(chain[:, 0])
    assert (np.diff(slopes) > 0).all()
    assert sum(points[-1]["buy"].values()) == pytest.approx(points[-1]["cost"])
    last = points[-1]
    assert last["power"] is None
    assert last["estimates"] == 8
    assert np.array(last["covariance"]).shape == (2, 2)
    assert last["covariance"][0][0] > 0
    assert np.abs(last["region95"]).max() > 0


def test_fewer_points_leave_a_gap(wattfront):
    asked = ("e1", "--scenarios", 8, "--front", "reward,cost", "--front-points", 5)
    data = answered(wattfront, *asked)
    assert len(data["points"]) == 5
    assert data["every_vertex"] is False
    assert 1e-3 < data["gap"] < 0.2
    said = wattfront("provision", *asked).out
    assert "Front of reward and cost: 5 points.\n" in said
    assert ": nothing is further beyond than " in said


def test_three_objectives_have_points_and_a_gap(wattfront, tmp_path):
    plan = folder_with(tmp_path, **POWERED)
    asked = (plan, "--scenarios", 1, "--front", "power, reward, failures", "--front-points", 16)
    data = answered(wattfront, *asked)
    assert data["objectives"] == ["power", "reward", "failures"]
    assert data["every_vertex"] is None
    assert 0 < data["gap"] < 0.5
    assert 3 <= len(data["points"]) <= 16
    assert data["points"][0]["covariance"] is None
    assert data["points"][0]["region95"] is None
    said = wattfront("provision", *asked).out
    assert "Front of power, reward and failures: " in said
    assert " failures a second" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--front", "reward"], "a front has two or three objectives"),
        (["--front", "reward,cost,failures,power"], "a front has two or three objectives"),
        (["--front", "reward,speed"], "'reward,speed' are no different objectives; there are "),
        (["--front", "cost,cost"], "'cost,cost' are no different objectives"),
        (["--front", "reward,power"], "power needs the watts of tasks"),
        (["--front-points", 9], "--front-points belongs to --front"),
        (["--front", "reward,cost", "--front-points", 4], "4 is out of range; give 5 to 1000"),
        (["--front", "reward,cost", "--objective", "cost"], "--objective does not go with --front"),
        (["--front", "reward,cost", "--at-most", "power=1"], "--at-most does not go with --front"),
        (["--front", "reward,cost", "--integer"], "--integer does not go with --front"),
        (["--front", "reward,cost", "--risk", 0.5], "--risk does not go with --front"),
        (["--front", "reward,cost", "--method", "rp"], "--method rp does not go with --front"),
    ],
)
def test_what_cannot_be_done_is_said(wattfront, words, said):
    outcome = wattfront("provision", "e1", "--scenarios", 8, *words)
    assert outcome.status == 2
    assert said in outcome.err
