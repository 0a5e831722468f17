"""Samples of power in a table, CSV of any monitoring: what its titles say, and its columns."""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from core.engines.logs.metered.power_samples import RawSamples
from core.engines.logs.metered.sample_words import (
    HEAD,
    NO_TIME,
    NO_VALUE,
    NODES,
    PARTS,
    WANTED,
    MeasuredUnit,
    moment_of,
    quantity_of,
    seconds_of,
    unit_called,
    value_of,
)
from core.files.findings import Findings, Unreadable, shown
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:  # it takes long to import
    import pyarrow as pa

MOST_SAMPLES: Final = 50_000_000
_MOST_SERIES: Final = 1_000_000
_WIDEST: Final = 20_000
_TIMES: Final = ("timestamp", "time", "datetime", "date", "_time", "ts", "epoch", "unixtime")
_UNITS: Final = ("unit", "units")
_WHOLE: Final = frozenset({"node", "total", "system", "sys", "dcmi", "input", "pdu"})
"""Words of the power of a whole node, which is better than that of a part."""
_LABEL: Final = re.compile(r'(?:hostname|node|nodename|host|instance)="([^"]+)"', re.IGNORECASE)


class SampleColumns(NamedTuple):
    """The places of the columns of a table, and what its values are. Without `node`, the table is
    of one node; where `nodes` has names, each of these columns is of a node.
    """

    delimiter: str
    titles: Sequence[str]
    time: int
    node: int | None
    parts: Sequence[int]
    value: int | None
    quantity: MeasuredUnit | None
    unit: int | None
    nodes: Mapping[int, str]

    @property
    def needed(self) -> list[int]:
        some = (self.time, self.node, self.value, self.unit, *self.parts, *self.nodes)
        return sorted({place for place in some if place is not None})


def columns_of(line: str) -> SampleColumns | None:
    """What the titles of a table say; None if it has no time, or nothing that may be power."""
    delimiter = max(",;\t|", key=line.count)
    try:
        cells = next(csv.reader([line.strip("\r\n\ufeff")], delimiter=delimiter), [])
    except csv.Error:  # lines that end in a carriage return alone, or a title without end
        return None
    titles = [title.strip() for title in cells]
    plain = [title.casefold().replace(" ", "_") for title in titles]
    bare = [re.split(r"[\[({]", title)[0].strip("_") for title in plain]
    time = _first(bare, _TIMES)
    if time is None or not 1 < len(titles) <= _WIDEST:
        return None
    node, unit = _first(bare, NODES), _first(plain, _UNITS)
    values = {
        place: found
        for place, title in enumerate(titles)
        if place not in (time, node, unit) and (found := quantity_of(title)) is not None
    }
    labelled = any(_LABEL.search(titles[place]) for place in values)
    if labelled or (node is None and not values):
        nodes = {k: _node_called(title) for k, title in enumerate(titles) if k != time and title}
        return SampleColumns(delimiter, titles, time, None, (), None, None, None, nodes)
    if not values:
        return None
    value = min(values, key=lambda k: (_WHOLE.isdisjoint(_words(plain[k])), not values[k].is_said))
    parts = [k for k, title in enumerate(bare) if title in PARTS and k not in (node, value)]
    return SampleColumns(delimiter, titles, time, node, parts, value, values[value], unit, {})


def _words(title: str) -> list[str]:
    return re.split(r"[\W_]+", title)


def _first(titles: Sequence[str], wanted: Sequence[str]) -> int | None:
    return next((titles.index(word) for word in wanted if word in titles), None)


def _node_called(title: str) -> str:
    """The node that a title of a column names, as Grafana writes it."""
    found = _LABEL.search(title)
    return found[1] if found else re.split(r"\s*[\[({]", title)[0]


def of_table(data: bytes, label: str, findings: Findings) -> Iterator[RawSamples]:
    line = data[:HEAD].partition(b"\n")[0].decode("utf-8", "replace")
    columns = columns_of(line)
    if columns is None:
        raise Unreadable(f"is not recognised as samples of power; {WANTED}")
    table = _Table.of(data, label, columns, findings)
    if table is None:
        return
    if not table.rows:
        raise Unreadable(f"has no samples below its titles; {WANTED}")
    times, absolute = table.times(columns.time)
    if columns.value is None:
        names = list(columns.nodes.values())
        values = [table.values(place, MeasuredUnit(1.0, False, False)) for place in columns.nodes]
        if not findings.failed:
            series = np.repeat(np.arange(len(names)), table.rows)
            note = f"{label}: each column is taken for a node, and its values for watts."
            yield RawSamples(
                label,
                np.tile(times, len(names)),
                series,
                np.concatenate(values),
                names,
                is_absolute=absolute,
                notes=(note,),
            )
        return
    quantity = columns.quantity or MeasuredUnit(1.0, False)
    values_of = table.values(columns.value, quantity)
    notes: list[str] = []
    if columns.unit is not None:
        scale, other = table.scales(columns.unit)
        values_of = np.where(other, np.nan, values_of * scale)
    elif not quantity.is_said:
        unit = "joules" if quantity.is_energy else "watts"
        notes.append(f"{label}: '{shown(columns.titles[columns.value])}' is taken for {unit}.")
    series, nodes = table.series(columns)
    if columns.node is None:
        notes.append(f"{label}: no column names a node, so all is taken for node '{nodes[0]}'.")
    if columns.unit is not None:
        there = np.isfinite(values_of)
        times, values_of = times[there], values_of[there]
        kept, series = np.unique(series[there], return_inverse=True)
        nodes = [nodes[k] for k in kept.tolist()]
    if not findings.failed:
        yield RawSamples(
            label,
            times,
            series,
            values_of,
            nodes,
            quantity.is_energy,
            absolute,
            tuple(notes),
        )


class _Table:
    """The columns of a table that are needed, as Arrow reads them."""

    def __init__(
        self, table: "pa.Table", data: bytes, label: str, columns: SampleColumns, findings: Findings
    ) -> None:
        self.rows: int = table.num_rows
        self._table, self._data, self._label = table, data, label
        self._columns, self._findings = columns, findings

    @classmethod
    def of(
        cls, data: bytes, label: str, columns: SampleColumns, findings: Findings
    ) -> "_Table | None":
        """The table; None if rows have too many or too few cells, which is reported."""
        import pyarrow as pa
        from pyarrow import csv as arrow

        ragged: list[tuple[int, int, int]] = []

        def skip(row: Any) -> str:
            ragged.append((row.number or 0, row.expected_columns, row.actual_columns))
            return "skip"

        names = [f"{place}" for place in range(len(columns.titles))]
        try:
            table = arrow.read_csv(
                pa.BufferReader(data),
                arrow.ReadOptions(use_threads=False, column_names=names, skip_rows=1),
                arrow.ParseOptions(
                    delimiter=columns.delimiter, quote_char='"', invalid_row_handler=skip
                ),
                arrow.ConvertOptions(
                    include_columns=[names[place] for place in columns.needed],
                    auto_dict_encode=True,
                    auto_dict_max_cardinality=1_000_000,
                    null_values=["", "NaN", "nan", "null", "N/A", "[N/A]", "NULL"],
                    strings_can_be_null=False,
                    decimal_point="," if columns.delimiter == ";" and _has_commas(data) else ".",
                ),
            )
        except (pa.ArrowInvalid, pa.ArrowKeyError, UnicodeDecodeError) as error:
            why = str(error).partition("\n")[0]
            raise Unreadable(f"cannot be read as a table ({shown(why, 120)}); {WANTED}") from error
        if table.num_rows > MOST_SAMPLES:
            raise Unreadable(f"has more than {MOST_SAMPLES:,} rows; give it in parts")
        lasts = data.count(b"\n") + (not data.endswith(b"\n"))
        if ragged and ragged[-1][0] >= lasts and not data.endswith(b"\n"):
            ragged.pop()
            findings.notes.append(f"{label}: line {lasts} is cut off and left out.")
        for number, expected, actual in findings.listed(ragged):
            message = f"has {actual} cells below {expected} titles; correct it"
            findings.error(label, f"line {number}", "", message)
        return None if findings.failed else cls(table, data, label, columns, findings)

    def times(self, place: int) -> tuple[FloatArray, bool]:
        """Seconds since 1970, and whether their zone is known. Wrong ones are reported."""
        import pyarrow as pa

        column = self._column(place)
        kind = column.type
        if pa.types.is_timestamp(kind):
            ticks = column.cast(pa.int64(), safe=False)
            per = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}[kind.unit]
            seconds, absolute = _floats(ticks) / per, kind.tz is not None
        elif pa.types.is_integer(kind) or pa.types.is_floating(kind):
            seconds, absolute = seconds_of(_floats(column)), True
        else:
            codes, texts = _coded(column)
            found = [moment_of(text) for text in texts]
            seconds = np.array([one.seconds for one in found] or [np.nan])[codes]
            absolute = any(one.is_absolute for one in found)
        self._report(np.isnan(seconds), place, NO_TIME)
        return seconds, absolute

    def values(self, place: int, quantity: MeasuredUnit) -> FloatArray:
        """Watts or joules; NaN for blank cells. Wrong ones are reported."""
        import pyarrow as pa

        column = self._column(place)
        if pa.types.is_null(column.type):
            return np.full(self.rows, np.nan)
        if pa.types.is_integer(column.type) or pa.types.is_floating(column.type):
            return _floats(column) * quantity.scale
        codes, texts = _coded(column)
        found = np.array([value_of(text, quantity) for text in texts] or [np.nan])
        wrong = np.isinf(found)
        self._report(wrong[codes], place, NO_VALUE)
        return np.asarray(found[codes])

    def scales(self, place: int) -> tuple[FloatArray, BoolArray]:
        """What the units in a column stand for, and which rows are not of power."""
        codes, texts = _coded(self._column(place))
        units = [unit_called(text) for text in texts]
        power = [unit if unit is not None and not unit.is_energy else None for unit in units]
        scale = np.array([1.0 if unit is None else unit.scale for unit in power])
        return scale[codes], np.array([unit is None for unit in power])[codes]

    def series(self, columns: SampleColumns) -> tuple[IntArray, list[str]]:
        """The series of each row, with their nodes; a series is of a node or of a part of one."""
        codes: IntArray = np.zeros(self.rows, np.int64)
        names: list[tuple[str, ...]] = [()]
        for place in ([] if columns.node is None else [columns.node]) + [*columns.parts]:
            new, texts = _coded(self._column(place))
            keys, codes = np.unique(codes * len(texts) + new, return_inverse=True)
            names = [(*names[k // len(texts)], texts[k % len(texts)]) for k in keys.tolist()]
            if len(names) > _MOST_SERIES:
                raise Unreadable(f"has more than {_MOST_SERIES:,} series; give it in parts")
        if columns.node is None:
            names = [(Path(self._label).name.partition(".")[0], *rest) for rest in names]
        else:
            blank = np.array([not one[0].strip() for one in names])
            self._report(blank[codes], columns.node, "is blank; give the name of a node")
        return codes, [one[0] for one in names]

    def _column(self, place: int) -> Any:
        return self._table.column(f"{place}")

    def _report(self, wrong: BoolArray, place: int, fault: str) -> None:
        rows = np.flatnonzero(wrong)
        if not len(rows):
            return
        cells = self._column(place)
        for row in self._findings.listed(rows.tolist()):
            cell = shown(str(cells[row].as_py() or ""))
            said = fault if fault.startswith("is blank") else f"'{cell}' {fault}"
            where = f"line {self._line(row)}"
            self._findings.error(self._label, where, self._columns.titles[place], said)

    def _line(self, row: int) -> int:
        """The line of a row; blank lines are no rows."""
        if b"\n\n" not in self._data and b"\n\r\n" not in self._data:
            return row + 2
        lines = enumerate(self._data.split(b"\n"), 1)
        filled = (number for number, line in lines if line.strip())
        return next(number for k, number in enumerate(filled) if k == row + 1)


def _has_commas(data: bytes) -> bool:
    return b"," in data[:HEAD].partition(b"\n")[2]


def _floats(column: Any) -> FloatArray:
    import pyarrow as pa

    numbers = column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    return np.asarray(numbers, np.float64)


def _coded(column: Any) -> tuple[IntArray, list[str]]:
    """The number of each cell's text, and the texts."""
    import pyarrow as pa

    if not pa.types.is_dictionary(column.type):
        column = column.cast(pa.string()).dictionary_encode()
    column = column.unify_dictionaries()
    texts = [] if not column.num_chunks else column.chunk(0).dictionary.to_pylist()
    parts = [
        part.indices.fill_null(len(texts)).to_numpy(zero_copy_only=False) for part in column.chunks
    ]
    codes = np.concatenate([np.zeros(0, np.int64), *parts]).astype(np.int64)
    return codes, [*map(str, texts), ""]
