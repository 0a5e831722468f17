"""Settings that were written as TOML read back as they were."""

import tomllib

from hypothesis import example, given
from hypothesis import strategies as st

from core.files.beside import Additions
from core.files.samples.named import load_sample
from core.files.system_file import system_tables

plain = st.one_of(
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(),
)
settings = st.dictionaries(
    st.text(),
    st.recursive(
        plain,
        lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner)),
        max_leaves=8,
    ),
)


@given(settings)
@example({"two words": 1, "a.b": {"c.d": {"": 2.5}}, "q\"'\\": "\x7f\x00\n\u2028"})
@example({"empty": {}, "above": {"empty": {}}, "list": [[], [{}], [{"a b": [{"c": "\x7f"}]}, 1]]})
def test_what_is_written_as_toml_reads_back(settings: dict[str, object]) -> None:
    """Issue 33, point 23: keys with spaces or dots, DEL, and lists of tables, too."""
    beside = Additions({"plan": settings}, {}, {}, (1, 1))
    written = system_tables(load_sample("two-by-two"), beside).files()["plan.toml"]
    assert tomllib.loads("".join(written)) == settings
