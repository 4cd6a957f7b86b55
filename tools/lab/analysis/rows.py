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
from dataclasses import dataclass, field, fields
from decimal import ROUND_HALF_UP, Context


@dataclass(eq=False)
class Row:
    """A measured cell with its place in the run. Fields whose names have a unit are in this unit.

    second: whether this is the second start of the baseline in its block
    phase: null, cold, warm-up, closed, course, own, open or start
    rate: asked requests per second; 0 in a closed loop
    window: of an open loop: valid, or overloaded or void with the reason
    first_response_micros: how long each client waited for its first response, ascending
    time_micros: sums of the times that the services measured, by part
    histogram: all latencies, as a line of HdrHistogram's log
    """

    block: int = 0
    start: int = 0
    subject: str = ""
    second: bool = False
    phase: str = ""
    condition: str = ""
    kind: str = ""
    clients: int = 0
    repetition: int = 0
    mean_micros: float = 0.0
    count: int = 0
    seconds: float = 0.0
    since_ready_seconds: float = 0.0
    errors: int = 0
    cpu_micros: dict = field(default_factory=dict)
    time_micros: dict = field(default_factory=dict)
    syncs: dict = field(default_factory=dict)
    resident_kb: dict = field(default_factory=dict)
    client_cpu_micros: int = 0
    context_switches: int = 0
    cache_hits: int = 0
    cache_misses: int = 0
    steal_share: float = 0.0
    rate: float = 0.0
    asked: int = 0
    completed: int = 0
    window: str = ""
    histogram: str = ""
    first_error: str = ""
    first_response_micros: list = field(default_factory=list)


# The columns of a table in the order of the file, and the fields of a row. CPU times and context
# switches are those of all calls of a line. Latencies are in one line of a cell (in the open loop, of
# a share of the highest rate), for all its lines.
COLUMNS = {
    **{name: name for name in "block start subject phase condition kind clients repetition".split()},
    "mean_us": "mean_micros",
    "count": "count",
    "seconds": "seconds",
    "since_ready_s": "since_ready_seconds",
    "errors": "errors",
    "cpu_us": "cpu_micros",
    "times_us": "time_micros",
    "client_cpu_us": "client_cpu_micros",
    "switches": "context_switches",
    **{name: name for name in "cache_hits cache_misses rate asked completed window histogram".split()},
}
_READ = {
    "int": int,
    "float": float,
    "str": str,
    "dict": lambda text: json.loads(text) if text.startswith("{") else {"all": int(text)},
}
_TYPES = {it.name: it.type if isinstance(it.type, str) else it.type.__name__ for it in fields(Row)}


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
    named = {re.sub("[A-Z]", lambda it: "_" + it.group().lower(), name): value for name, value in values.items()}
    return Row(**{name: value for name, value in named.items() if value is not None})


def read_table(file):
    rows, first_starts = [], {}
    with open(file, encoding="utf-8", newline="") as text:
        lines = csv.DictReader(text)
        for line in lines:
            row = Row()
            for column, name in COLUMNS.items():
                if line.get(column):
                    try:
                        setattr(row, name, _READ[_TYPES[name]](line[column]))
                    except ValueError:
                        raise ValueError(
                            f'{file}, line {lines.line_num}: {column}: expected a number, got "{line[column]}"'
                        ) from None
            if row.phase != "open":  # follow from the others
                row.asked, row.completed = row.count + row.errors, row.count
            row.second = first_starts.setdefault((row.block, row.subject), row.start) != row.start
            rows.append(row)
    return rows


def write_table(file, rows):
    """With five significant digits, without the columns that are always empty."""
    lines = [[_text(getattr(row, name)) for name in COLUMNS.values()] for row in rows]
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
