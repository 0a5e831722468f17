"""What a person types of requests is what each task of the type asks for; the rest stays."""

from core.vocabulary.requests import NOTHING_REQUESTED, LogRequests, Request

LOG = LogRequests(
    {"a": Request(1, 0, 512.0), "b": Request(2)},
    {"a": Request(8, 1, 2048.0, 60.0, 1), "b": Request(4)},
    {"x": Request(8)},
    {"x": "cpu"},
)


def test_what_is_typed_is_the_least_and_the_most() -> None:
    after = LOG.with_typed({"a": {"gpus": 2.0, "memory": 1024.0}})
    assert after.least == {"a": Request(1, 2, 1024.0), "b": Request(2)}
    assert after.most == {"a": Request(8, 2, 1024.0, 60.0, 1), "b": Request(4)}
    assert isinstance(after.most["a"].gpus, int)
    assert (after.nodes, after.partitions) == (LOG.nodes, LOG.partitions)


def test_a_type_of_which_nothing_is_known_can_be_typed() -> None:
    after = NOTHING_REQUESTED.with_typed({"new": {"cores": 3.0}})
    assert after.least == after.most == {"new": Request(3)}
    assert not NOTHING_REQUESTED.most
