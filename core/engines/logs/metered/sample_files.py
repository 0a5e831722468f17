"""Files of power samples: CSV of any monitoring, answers of Prometheus, and `ipmitool dcmi`."""

import csv
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from core.engines.logs.metered.moments import moment_of, seconds_of
from core.engines.logs.metered.power_samples import PowerSamples, RawSamples, gathered
from core.engines.logs.metered.units import MeasuredUnit, quantity_of, unit_called
from core.engines.logs.reading.streams import LogStream, logs_at
from core.files.findings import Findings, Reading, Unreadable, shown, shown_list
from core.files.limits import MIB
from core.files.numbers import number_cell
from core.files.strict_json import is_document, parse_json
from core.files.text import decode
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:  # it takes long to import
    import pyarrow as pa

MOST_BYTES: Final = 2048 * MIB
"""The most bytes of a file of samples, inflated."""
MOST_SAMPLES: Final = 50_000_000
_HEAD: Final = 1 << 16
_WIDEST: Final = 20_000
_TIMES: Final = ("timestamp", "time", "datetime", "date", "_time", "ts", "epoch", "unixtime")
_NODES: Final = (
    *("hostname", "node", "nodename", "node_name", "nodelist", "host", "exported_instance"),
    *("instance", "server", "machine", "system"),
)
_PARTS: Final = (
    *("index", "gpu", "gpu_id", "gpu_index", "uuid", "gpu_uuid", "device", "pci.bus_id", "bus_id"),
    *("socket", "package", "domain", "zone", "outlet", "psu", "sensor", "name", "id", "chip"),
)
_UNITS: Final = ("unit", "units")
_WHOLE: Final = frozenset({"node", "total", "system", "sys", "dcmi", "input", "pdu"})
"""Words of the power of a whole node, which is better than that of a part."""
_LABEL: Final = re.compile(r'(?:hostname|node|nodename|host|instance)="([^"]+)"', re.IGNORECASE)
_BLANKS: Final = frozenset(
    ("", "-", "na", "n/a", "[n/a]", "nan", "null", "none", "[not supported]", "no reading", "ns")
)
_CELL: Final = re.compile(r"([-+]?[0-9][0-9.]*(?:[eE][-+]?[0-9]+)?)\s*([A-Za-zµμ]*)")
_IPMI: Final = re.compile(
    r"^(?:([\w.-]+):)?[ \t]*(Instantaneous power reading|IPMI timestamp)[ \t]*:[ \t]*(.*\S)", re.M
)
_PROMETHEUS: Final = re.compile(rb'"(?:resultType|metric)"\s*:')
WANTED: Final = (
    "give a table with a time, a node and watts (or joules), such as time,node,watts, or the JSON "
    "that Prometheus answers to query_range"
)


def read_power_samples(paths: Sequence[Path], findings: Findings) -> PowerSamples | None:
    """The samples of all files, which may be compressed; None if nothing was read. Faults are
    reported with file, row and column.
    """
    files: list[RawSamples] = []
    for path in paths:
        with findings.refusals(path.name):
            for stream in logs_at([path]):
                with findings.refusals(stream.name):
                    files += parse_power_samples(_content(stream), stream.name, findings)
    if findings.failed or not files:
        return None
    found = gathered(files)
    return replace(found, notes=(*findings.notes, *found.notes))


def require_power_samples(paths: Sequence[Path]) -> PowerSamples:
    """The samples of files. Raises `InvalidInput` with all problems."""
    findings = Findings()
    return Reading.found(read_power_samples(paths, findings), findings).require()


def _content(stream: LogStream) -> bytes:
    parts: list[bytes] = []
    size = 0
    with stream.blocks() as blocks:
        for block in blocks:
            parts.append(block)
            size += len(block)
            if size > MOST_BYTES:
                raise Unreadable(f"has more than {MOST_BYTES // MIB:,} MiB; give it in parts")
    return b"".join(parts)


def is_power_samples(data: bytes) -> bool:
    """Whether the content of a file begins as samples of power do. Only its first bytes are looked
    at.
    """
    head = data[:_HEAD]
    if is_document(data):
        return bool(_PROMETHEUS.search(head))
    text = head.decode("utf-8", "replace")
    if _IPMI.search(text):
        return True
    titles, _, rows = text.partition("\n")
    columns = _columns(titles)
    if columns is None or not rows.strip():
        return False
    cells = next(line for line in rows.splitlines() if line.strip()).split(columns.delimiter)
    first = cells[columns.time].strip(' "') if columns.time < len(cells) else ""
    return not math.isnan(moment_of(first).seconds)


def parse_power_samples(data: bytes, label: str, findings: Findings) -> Iterator[RawSamples]:
    """The samples of the content of a file. Raises `Unreadable`."""
    if not data.strip():
        raise Unreadable(f"is empty; {WANTED}")
    if not data.isascii() or b"\0" in data:
        data = decode(data, label, findings).encode()
    if is_document(data):
        yield from _of_prometheus(data, label, findings)
    elif _IPMI.search(data[:_HEAD].decode("utf-8", "replace")):
        yield _of_ipmi(data.decode(), label, findings)
    else:
        yield from _of_table(data, label, findings)


class _Columns(NamedTuple):
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


def _columns(line: str) -> _Columns | None:
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
    node, unit = _first(bare, _NODES), _first(plain, _UNITS)
    values = {
        place: found
        for place, title in enumerate(titles)
        if place not in (time, node, unit) and (found := quantity_of(title)) is not None
    }
    labelled = any(_LABEL.search(titles[place]) for place in values)
    if labelled or (node is None and not values):
        nodes = {k: _node_called(title) for k, title in enumerate(titles) if k != time and title}
        return _Columns(delimiter, titles, time, None, (), None, None, None, nodes)
    if not values:
        return None
    value = min(values, key=lambda k: (_WHOLE.isdisjoint(_words(plain[k])), not values[k].is_said))
    parts = [k for k, title in enumerate(bare) if title in _PARTS and k not in (node, value)]
    return _Columns(delimiter, titles, time, node, parts, value, values[value], unit, {})


def _words(title: str) -> list[str]:
    return re.split(r"[\W_]+", title)


def _first(titles: Sequence[str], wanted: Sequence[str]) -> int | None:
    return next((titles.index(word) for word in wanted if word in titles), None)


def _node_called(title: str) -> str:
    """The node that a title of a column names, as Grafana writes it."""
    found = _LABEL.search(title)
    return found[1] if found else re.split(r"\s*[\[({]", title)[0]


def _of_table(data: bytes, label: str, findings: Findings) -> Iterator[RawSamples]:
    line = data[:_HEAD].partition(b"\n")[0].decode("utf-8", "replace")
    columns = _columns(line)
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
                [""] * len(names),
                False,
                absolute,
                (note,),
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
    series, nodes, parts = table.series(columns)
    if columns.node is None:
        notes.append(f"{label}: no column names a node, so all is taken for node '{nodes[0]}'.")
    if columns.unit is not None:
        there = np.isfinite(values_of)
        times, values_of = times[there], values_of[there]
        kept, series = np.unique(series[there], return_inverse=True)
        nodes, parts = ([each[k] for k in kept.tolist()] for each in (nodes, parts))
    if not findings.failed:
        yield RawSamples(
            label,
            times,
            series,
            values_of,
            nodes,
            parts,
            quantity.is_energy,
            absolute,
            tuple(notes),
        )


class _Table:
    """The columns of a table that are needed, as Arrow reads them."""

    def __init__(
        self, table: "pa.Table", data: bytes, label: str, columns: _Columns, findings: Findings
    ) -> None:
        self.rows: int = table.num_rows
        self._table, self._data, self._label = table, data, label
        self._columns, self._findings = columns, findings

    @classmethod
    def of(cls, data: bytes, label: str, columns: _Columns, findings: Findings) -> "_Table | None":
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
        self._report(np.isnan(seconds), place, _NO_TIME)
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
        found = np.array([_value(text, quantity) for text in texts] or [np.nan])
        wrong = np.isinf(found)
        self._report(wrong[codes], place, _NO_VALUE)
        return np.asarray(found[codes])

    def scales(self, place: int) -> tuple[FloatArray, BoolArray]:
        """What the units in a column stand for, and which rows are not of power."""
        codes, texts = _coded(self._column(place))
        units = [unit_called(text) for text in texts]
        power = [unit if unit is not None and not unit.is_energy else None for unit in units]
        scale = np.array([1.0 if unit is None else unit.scale for unit in power])
        return scale[codes], np.array([unit is None for unit in power])[codes]

    def series(self, columns: _Columns) -> tuple[IntArray, list[str], list[str]]:
        """The series of each row, with their nodes and parts."""
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
        return codes, [one[0] for one in names], ["/".join(one[1:]) for one in names]

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


_MOST_SERIES: Final = 1_000_000
_NO_TIME: Final = (
    "is no time; write it as 2026-03-02T10:00:00+01:00, or as seconds or milliseconds since 1970"
)
_NO_VALUE: Final = "is no power; write a number, such as 352.5 or 352.5 W"


def _has_commas(data: bytes) -> bool:
    return b"," in data[:_HEAD].partition(b"\n")[2]


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


def _value(text: str, quantity: MeasuredUnit) -> float:
    """Watts or joules of a cell; NaN if it is blank, infinite if it is wrong."""
    plain = text.strip()
    if plain.casefold() in _BLANKS:
        return float("nan")
    match = _CELL.fullmatch(plain)
    if match is None:
        return float("inf")
    unit = unit_called(match[2]) if match[2] else quantity
    try:
        number = float(match[1])
    except ValueError:
        return float("inf")
    if unit is None or unit.is_energy != quantity.is_energy:
        return float("inf")
    return number * unit.scale


def _of_ipmi(text: str, label: str, findings: Findings) -> RawSamples:
    """Answers of `ipmitool dcmi power reading`, one below the other; a prefix names the node."""
    alone = Path(label).name.partition(".")[0]
    pending: dict[str, tuple[int, str]] = {}
    times: list[float] = []
    values: list[float] = []
    series: list[int] = []
    numbers: dict[str, int] = {}
    line, at = 1, 0
    for match in _IPMI.finditer(text):
        line, at = line + text.count("\n", at, match.start()), match.start()
        node = match[1] or alone
        if match[2].startswith("Inst"):
            pending[node] = line, match[3]
            continue
        if node not in pending:
            continue
        where, said = pending.pop(node)
        value, moment = _value(said, MeasuredUnit(1.0, is_energy=False)), moment_of(match[3])
        for wrong, row, cell, fault in (
            (np.isinf(value), where, said, _NO_VALUE),
            (np.isnan(moment.seconds), line, match[3], _NO_TIME),
        ):
            if wrong:
                findings.error(label, f"line {row}", match[2], f"'{shown(cell)}' {fault}")
        times.append(moment.seconds)
        values.append(value)
        series.append(numbers.setdefault(node, len(numbers)))
    if not times:
        raise Unreadable("has power readings of IPMI, but no 'IPMI timestamp' below them; keep it")
    names = list(numbers)
    return RawSamples(
        label,
        np.array(times),
        np.array(series, np.int64),
        np.array(values),
        names,
        [""] * len(names),
        False,
        False,
    )


def _of_prometheus(data: bytes, label: str, findings: Findings) -> Iterator[RawSamples]:
    """The series of an answer to `query_range`, or of an export with a series on each line."""
    text = data.decode()
    first, _, rest = text.lstrip("\ufeff").partition("\n")
    if ('"timestamps"' in first and rest.strip()) or (_is_alone(first) and rest.strip()):
        listed = _lines(text, label, findings)
    else:
        document = parse_json(text, label, findings)
        result = document.get("data", document)
        found = result.get("result", [document]) if isinstance(result, dict) else None
        if not isinstance(found, list):
            raise Unreadable(f'has no list "result" in "data"; {WANTED}')
        listed = ((f"series {k}", one) for k, one in enumerate(found, 1))
    kinds: dict[bool, list[_Read]] = {}
    for place, one in listed:
        read = _read_series(one, place, label, findings)
        if read is not None:
            kinds.setdefault(read.quantity.is_energy, []).append(read)
        if findings.full:
            break
    if not kinds:
        if not findings.failed:
            raise Unreadable(f"has no series with a node and values; {WANTED}")
        return
    energies = kinds.get(True, [])
    chosen = kinds.get(False) or energies
    notes = []
    if energies and chosen is not energies:
        notes.append(f"{label}: {len(energies):,} counters of joules beside watts are left out.")
    if not all(one.quantity.is_said for one in chosen):
        unit = "joules" if chosen is energies else "watts"
        notes.append(f"{label}: values without a unit are taken for {unit}.")
    yield RawSamples(
        label,
        np.concatenate([one.times for one in chosen]),
        np.repeat(np.arange(len(chosen)), [len(one.times) for one in chosen]),
        np.concatenate([one.values for one in chosen]),
        [one.node for one in chosen],
        [one.part for one in chosen],
        chosen is energies,
        True,
        tuple(notes),
    )


def _is_alone(line: str) -> bool:
    """Whether a line is a document."""
    return line.rstrip().endswith("}") and '"metric"' in line and '"values"' in line


def _lines(text: str, label: str, findings: Findings) -> Iterator[tuple[str, object]]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            yield f"line {number}", json.loads(line)
        except (json.JSONDecodeError, RecursionError):
            message = "is no JSON object; it may be cut off: export it again"
            findings.error(label, f"line {number}", "", message)


class _Read(NamedTuple):
    """A series of Prometheus."""

    node: str
    part: str
    quantity: MeasuredUnit
    times: FloatArray
    values: FloatArray


def _read_series(one: object, place: str, label: str, findings: Findings) -> _Read | None:
    def refuse(column: str, message: str) -> None:
        findings.error(label, place, column, message)

    metric = one.get("metric") if isinstance(one, dict) else None
    if not isinstance(one, dict) or not isinstance(metric, dict):
        refuse("metric", f"has no labels; {WANTED}")
        return None
    labels = {str(key).casefold(): str(value) for key, value in metric.items()}
    node = next((labels[word] for word in _NODES if word in labels), "")
    if not node:
        refuse("metric", f"names no node; let it have a label such as {shown_list(_NODES[:3])}")
        return None
    name = labels.get("__name__", "")
    quantity = quantity_of(name) if name else MeasuredUnit(1.0, is_energy=False, is_said=False)
    if quantity is None:
        refuse("__name__", f"'{shown(name)}' is neither power nor energy; leave it out")
        return None
    times, values = _pairs(one, refuse)
    seconds = seconds_of(times)
    if np.isnan(seconds).any():
        refuse("values", f"'{number_cell(float(times[np.isnan(seconds)][0]))}' {_NO_TIME}")
        return None
    part = "/".join(labels[word] for word in _PARTS if word in labels)
    return _Read(node, part, quantity, seconds, values * quantity.scale)


def _pairs(
    one: Mapping[str, Any], refuse: Callable[[str, str], None]
) -> tuple[FloatArray, FloatArray]:
    """Times and values of a series; none if they are no numbers."""
    values, times = one.get("values", []), one.get("timestamps")
    try:
        if times is None:
            flat = np.array([*chain.from_iterable(values)], np.float64).reshape(len(values), 2)
            return flat[:, 0].copy(), flat[:, 1].copy()
        stamps, numbers = np.array(times, np.float64), np.array(values, np.float64)
        if stamps.shape == numbers.shape and stamps.ndim == 1:
            return stamps, numbers
    except (TypeError, ValueError, OverflowError):
        pass
    refuse("values", "are not pairs of a time and a number; export the series again")
    return np.zeros(0), np.zeros(0)
