"""Calls are warmed up, then take turns; nothing of the warm-up is reported."""

from benchmarks.timing import in_turns, timed


def test_calls_take_turns_after_one_each_to_warm_up():
    calls = []

    def record(name):
        calls.append(name)
        return len(calls)

    results = in_turns({"a": lambda: record("a"), "b": lambda: record("b")}, repetitions=3)
    assert calls == ["a", "b"] * 4
    assert results == {"a": [3, 5, 7], "b": [4, 6, 8]}


def test_a_timed_call_gives_its_result_and_what_it_took(monkeypatch):
    moments = iter([10.0, 12.5])
    monkeypatch.setattr("time.perf_counter", lambda: next(moments))
    assert timed(lambda: "done") == (2.5, "done")
