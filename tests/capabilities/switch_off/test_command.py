"""`wattfront switch-off` says what the library finds."""

from core import switch_off


def test_the_sample_log_brings_its_nodes_and_their_idle_watts(wattfront):
    found = wattfront("switch-off", "university", "--json").data
    assert {one["name"]: one["nodes"] for one in found["machine_types"]} == {
        **{"compute": 14, "old compute": 16, "big memory": 2},
        **{"V100": 4, "A100": 4},
    }
    advice = switch_off(["university"])
    assert not advice.powers.idle_assumed.any()
    assert found["judged"]["saved_joules"] == advice.judged.saved
