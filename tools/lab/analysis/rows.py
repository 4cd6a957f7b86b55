"""The measured values of a run as they are stored.

```
plan.json      what was to be measured, and the contrasts
about.json     machine, versions, commit, file system; blocks that were run again
block-N.jsonl  the rows of a complete block, a line of JSON each
results.csv    instead of blocks, in a published run: a line for each repetition of a cell
```
"""

import base64
import csv
import functools
import json
import math
import re
import struct
import zlib
from collections import Counter
from decimal import ROUND_HALF_UP, Context
from types import SimpleNamespace

# The columns of a table in the order of the file, with what an empty field means. CPU times and context switches are
# those of all calls of a row. In a table, one row of a cell (in the open loop, of a share of the highest rate) has the
# latencies of all its rows.
COLUMNS = {
    **dict(
        block=0, start=0, subject="", phase="", condition="", kind="", clients=0, repetition=0, mean_us=0.0, count=0
    ),
    **dict(seconds=0.0, since_ready_s=0.0, errors=0, cpu_us={}, times_us={}, client_cpu_us=0, switches=0, cache_hits=0),
    **dict(cache_misses=0, rate=0.0, asked=0, completed=0, window="", histogram=""),
}
OF_BLOCKS = dict(second=False, syncs={}, resident_kb={}, steal_share=0.0, first_error="", first_response_us=[])


class Row(SimpleNamespace):
    """A measured cell with its place in the run.

    phase: null, cold, warm-up, closed, course, own or open
    rate: asked requests per second; 0 in a closed loop
    times_us: sums of the times that the services measured, by part
    window: of an open loop: valid, or overloaded or void with the reason
    histogram: latencies, as a line of HdrHistogram's log
    second: whether this is the second start of the baseline in its block
    first_response_us: how long each client waited for its first response, ascending
    """

    def __init__(self, **values):
        super().__init__(**{**COLUMNS, **OF_BLOCKS, **values})


def read_json(file):
    return json.loads(file.read_text(encoding="utf-8"))


def read(folder):
    """The rows of a run: of its table, or of all its complete blocks."""
    table = folder / "results.csv"
    if table.exists():
        return read_table(table)
    rows, block = [], 1
    while (file := folder / f"block-{block:02d}.jsonl").exists():
        rows += [_row(json.loads(line)) for line in file.read_text(encoding="utf-8").split("\n") if line]
        block += 1
    return rows


def _row(stored):
    cell = stored.pop("cell")
    values = {**stored, **(cell.pop("cost", None) or {}), **cell}
    return Row(**{_column(name): value for name, value in values.items() if value is not None})


@functools.cache
def _column(name):
    """As `meanMicros` is stored in a column `mean_us`."""
    snake = re.sub("[A-Z]", lambda it: "_" + it.group().lower(), name).replace("_micros", "_us")
    others = {"since_ready_seconds": "since_ready_s", "time_us": "times_us", "context_switches": "switches"}
    return others.get(snake, snake)


def read_table(file):
    rows, first_starts = [], {}
    with open(file, encoding="utf-8", newline="") as text:
        lines = csv.DictReader(text)
        for line in lines:
            place = f"{file}, line {lines.line_num}"
            row = Row(**{name: _value(value, name, place) for name, value in line.items() if value})
            if row.phase != "open":  # follow from the others
                row.asked, row.completed = row.count + row.errors, row.count
            row.second = first_starts.setdefault((row.block, row.subject), row.start) != row.start
            rows.append(row)
    return rows


def _value(text, column, place):
    if column not in COLUMNS:
        raise ValueError(f"{place}: unknown column {column}; expected some of {', '.join(COLUMNS)}")
    kind = type(COLUMNS[column])
    try:
        if kind is dict:
            return json.loads(text) if text.startswith("{") else {"all": int(text)}
        return kind(text)
    except ValueError:
        raise ValueError(f'{place}: {column}: expected a number, got "{text}"') from None


def write_table(file, rows):
    """With five significant digits, without the columns that are always empty."""
    lines = [[_text(getattr(row, name)) for name in COLUMNS] for row in rows]
    used = [i for i in range(len(COLUMNS)) if any(line[i] for line in lines)]
    with open(file, "w", encoding="utf-8", newline="") as text:
        out = csv.writer(text, lineterminator="\n")
        out.writerows([line[i] for i in used] for line in [list(COLUMNS)] + lines)


def _text(value):
    """Empty for zero, and for empty texts and lists."""
    if not value:
        return ""
    if isinstance(value, dict):
        only = value.get("all") if len(value) == 1 else None
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if only is None else _text(only)
    if isinstance(value, float):
        digits = Context(prec=5, rounding=ROUND_HALF_UP).create_decimal(repr(value)).normalize()
        return format(digits, "f")
    return str(value)


class Histogram:
    """Latencies in µs with three significant digits, as in HdrHistogram, whose log lines it reads and writes.

    A line is base64 of a compressed envelope around a header and the counts: a zigzag LEB128 number
    each, a negative one for as many zeros.
    """

    _COOKIES = (0x1C849313, 0x1C849314)  # of the counts and of the compressed envelope
    _HEADER = ">iiiiqqd"

    def __init__(self, lines=()):
        self.counts = Counter()
        for line in lines:
            if line:
                self.counts.update(dict(_counts(line)))
        self.total = sum(self.counts.values())

    def at(self, percentile):
        """The highest value that is equivalent to the percentile."""
        needed = max(1, math.ceil(math.nextafter(percentile, -math.inf) * self.total / 100))
        for index in sorted(self.counts):
            needed -= self.counts[index]
            if needed <= 0:
                value, width = _values(index)
                return value if percentile == 0 else value + width - 1
        return 0

    def mean(self):
        return sum(_middle(index) * count for index, count in self.counts.items()) / self.total

    def deviation(self):
        mean = self.mean()
        return math.sqrt(math.fsum((_middle(it) - mean) ** 2 * count for it, count in self.counts.items()) / self.total)

    def line(self):
        longest = sum(_values(max(self.counts))) - 1 if self.counts else 0
        body, zeros = bytearray(), 0
        for index in range(max(self.counts, default=-1) + 1):
            if self.counts[index]:
                body += (_leb128(-zeros) if zeros else b"") + _leb128(self.counts[index])
                zeros = 0
            else:
                zeros += 1
        plain = struct.pack(self._HEADER, self._COOKIES[0], len(body), 0, 3, 1, max(longest, 2), 1.0) + body
        packed = zlib.compress(plain)
        text = base64.b64encode(struct.pack(">ii", self._COOKIES[1], len(packed)) + packed).decode()
        return f"0.000,0.000,{longest / 1e6:.3f},{text}"


@functools.cache
def _counts(line):
    data = zlib.decompress(base64.b64decode(line.rsplit(",", 1)[-1])[8:])
    _, length, *_ = struct.unpack_from(Histogram._HEADER, data)
    counts, index, number, shift = [], 0, 0, 0
    for byte in data[struct.calcsize(Histogram._HEADER) :][:length]:
        last = shift == 56  # the ninth byte has eight bits
        number |= (byte if last else byte & 0x7F) << shift
        shift += 7
        if last or byte < 0x80:
            count = (number >> 1) ^ -(number & 1)
            if count > 0:
                counts.append((index, count))
            index += 1 if count >= 0 else -count
            number, shift = 0, 0
    return counts


def _leb128(count):
    number, out = (count << 1) ^ (count >> 63), bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def _values(index):
    """The lowest of the values that a count is of, and their number."""
    bucket = max((index >> 10) - 1, 0)
    return (index - (bucket << 10)) << bucket, 1 << bucket


def _middle(index):
    value, width = _values(index)
    return value + (width >> 1)
