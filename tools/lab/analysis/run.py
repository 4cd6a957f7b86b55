"""The figures of a run, complete or not.

The unit of all intervals is the block. Latencies are means in µs of the closed loop, unless stated
otherwise.
"""

import functools
import math
import re
from collections import defaultdict
from typing import NamedTuple

import rows
import stats

# What a plan says if it omits a field.
DEFAULTS = {
    "published": "",
    "followUp": [],
    "kindsOf": {},
    "moreCells": [],
    "conditions": [""],
    "course": {},
}
DEFAULTS.update({"coldPass": [], "contrasts": [], "openShares": []})
FOLLOW_UP = re.compile(r"(?:, |^)(\d+) % [a-z-]+$")


class Series(NamedTuple):
    """Calls of a kind: the points of a curve over the number of clients."""

    subject: str
    condition: str
    kind: str


class Cell(NamedTuple):
    """A cell of an experiment; its condition is what was switched at run time, or empty."""

    subject: str
    condition: str
    clients: int
    kind: str

    @staticmethod
    def parse(text):
        """Reads `SUBJECT/CLIENTS/KIND` or `SUBJECT/CONDITION/CLIENTS/KIND`."""
        subject, *condition, clients, kind = text.split("/")
        return Cell(subject, "".join(condition), int(clients), kind)

    def series(self):
        return Series(self.subject, self.condition, self.kind)


class OpenPoint(NamedTuple):
    """All windows of a kind at one rate, which is a share of the closed loop's highest in the same start.

    used: those in which the load client was not late; the others are in no figure
    """

    series: Series
    share: float
    windows: list
    used: list

    def overloaded(self):
        """The number of windows in which the store did not keep pace."""
        return sum(it.window.startswith("overloaded") for it in self.used)

    def is_overloaded(self):
        """Most windows are. A single window may be called overloaded by chance."""
        return 2 * self.overloaded() > len(self.used)

    def per_second(self, field):
        return stats.mean(getattr(it, field) / it.seconds for it in self.used)

    def latencies(self):
        return rows.Histogram(it.histogram for it in self.used)


def calls_per_second(row):
    return row.count / row.seconds


def hit_percent(row):
    """The share of queries that the product caches answered; None if none was asked."""
    asked = row.cache_hits + row.cache_misses
    return 100 * row.cache_hits / asked if asked else None


def percentile(percent):
    return lambda row: rows.Histogram([row.histogram]).at(percent)


def mean_us(row):
    return row.mean_us


def by_block(measured, figure):
    """The means of a figure, which is None for rows that do not have it."""
    blocks = defaultdict(list)
    for row in measured:
        value = figure(row)
        if value is not None:
            blocks[row.block].append(value)
    return {block: stats.mean(values) for block, values in sorted(blocks.items())}


class Run:
    """A stored run with its plan, and with what can be calculated of its rows."""

    def __init__(self, folder):
        self.folder = folder
        self.plan = {**DEFAULTS, **{k: v for k, v in rows.read_json(folder / "plan.json").items() if v is not None}}
        self.plan["conditions"] = self.plan["conditions"] or [""]
        about = folder / "about.json"
        self.about = dict(sorted(rows.read_json(about).items())) if about.exists() else {}
        self.rows = rows.read(folder)
        self._measured = defaultdict(list)
        for row in self.rows:
            if row.count > 0:
                self._measured[row.phase, row.subject, row.condition, row.clients, row.kind].append(row)

    @property
    def baseline(self):
        return self.plan["subjects"][0]

    def blocks(self):
        return max((it.block for it in self.rows), default=0)

    def is_complete(self):
        return self.blocks() >= self.plan["blocks"]

    def measured(self, phase, cell, second=None):
        """The rows of a cell with correct responses; in all starts, or in the second or the other ones."""
        found = self._measured.get((phase, *cell), [])
        return [it for it in found if second is None or it.second == second]

    def planned_cells(self, subject):
        plan = self.plan
        kinds = plan["kindsOf"].get(subject, plan["kinds"])
        cells = [
            Cell(subject, it, clients, kind)
            for it in plan["conditions"]
            for kind in kinds
            for clients in plan["clients"]
        ]
        return cells + [it for it in map(Cell.parse, plan["moreCells"]) if it.subject == subject]

    def series(self):
        return list(dict.fromkeys(it.series() for it in self.cells()))

    @functools.cache
    def cells(self, series=None):
        """All measured cells, in the order of the plan; those of a series by ascending number of clients."""
        if series is not None:
            found = [it for it in self.planned_cells(series.subject) if it.series() == series and self.means(it, False)]
            return sorted(found, key=lambda it: it.clients)
        planned = [it.series() for subject in self.plan["subjects"] for it in self.planned_cells(subject)]
        return [cell for it in dict.fromkeys(planned) for cell in self.cells(it)]

    def name(self, series):
        """As `buy` or `buy on together, 28 ms`, with what distinguishes it from other series."""
        subject = f" on {series.subject}" if len(self.plan["subjects"]) > 1 else ""
        return series.kind + subject + (f", {series.condition}" if series.condition else "")

    def contrasts(self):
        """The planned contrasts whose cells were measured together in at least one block."""
        return [it for it in self.plan["contrasts"] if self.log_ratios(it)]

    def log_ratios(self, contrast):
        """One value a block that has all cells: the sum of the logarithms of the cells above minus that
        of those below."""
        percent = contrast.get("percentile") or 0
        figure = percentile(percent) if percent else mean_us
        above = self._values(contrast["of"], figure)
        below = self._values(contrast["to"], figure)
        return [
            math.fsum(math.log(it[block]) for it in above) - math.fsum(math.log(it[block]) for it in below)
            for block in range(1, self.blocks() + 1)
            if all(it.get(block) for it in above + below)
        ]

    def _values(self, cells, figure):
        return [by_block(self.measured("closed", Cell.parse(it), False), figure) for it in cells]

    def ratio(self, contrast):
        return stats.contrast_interval(self.log_ratios(contrast), len(self.plan["contrasts"]))

    def verdict(self, contrast):
        series = dict.fromkeys((it.subject, it.kind) for it in map(Cell.parse, contrast["of"] + contrast["to"]))
        drifts = dict.fromkeys(self.drift(*it) for it in series)
        return stats.verdict(self.log_ratios(contrast), len(self.plan["contrasts"]), drifts)

    def means(self, cell, second):
        """The mean latency of a cell by block: the mean of its repetitions."""
        return by_block(self.measured("closed", cell, second), mean_us)

    def _repetitions(self, cell, second):
        """The mean latencies of a cell's repetitions, in the order of time, by block."""
        blocks = defaultdict(list)
        for row in sorted(self.measured("closed", cell, second), key=lambda it: it.repetition):
            blocks[row.block].append(row.mean_us)
        return dict(sorted(blocks.items()))

    @functools.cache
    def drift(self, subject, kind):
        starts = defaultdict(list)
        for second in (False, True):
            for cell in self.planned_cells(subject):
                if cell.kind == kind:
                    for block, repetitions in self._repetitions(cell, second).items():
                        starts[second, block].append(repetitions)
        return stats.Drift(stats.of_log_ratios(map(stats.drift_of_start, starts.values())))

    def is_drifting(self, subject, kind):
        return self.drift(subject, kind).result() == "drifting"

    def baseline_pairs(self, cell):
        """The repetitions of the two starts of the baseline, a pair a block: what differs is noise.

        None for other subjects, and for conditions other than the first.
        """
        if cell.subject != self.baseline or cell.condition != self.plan["conditions"][0]:
            return []
        second = self._repetitions(cell, True)
        pairs = [(it, second.get(block, [])) for block, it in self._repetitions(cell, False).items()]
        return [it for it in pairs if len(it[0]) == len(it[1])]

    def _baseline_log_ratios(self, cell):
        return [math.log(stats.mean(first) / stats.mean(second)) for first, second in self.baseline_pairs(cell)]

    def baseline_ratio(self, cell):
        """The ratio of the baseline's two starts. A run whose interval excludes 1 in more cells than
        chance explains has a fault."""
        return stats.of_log_ratios(self._baseline_log_ratios(cell))

    def typical_difference(self, cell):
        """The root mean square of the log ratios of two starts, as a share: 0.04 for 4 %."""
        return math.expm1(math.sqrt(stats.mean(it**2 for it in self._baseline_log_ratios(cell))))

    @functools.cache
    def latencies(self, cell):
        return rows.Histogram(it.histogram for it in self.measured("closed", cell))

    def figure(self, cell, figure, phase="closed"):
        """A figure of a cell with its interval over blocks; None if it was not measured."""
        blocks = by_block(self.measured(phase, cell, False), figure)
        return stats.of_mean(blocks.values()) if blocks else None

    @functools.cache
    def open_curves(self):
        """The points of the open loop by ascending rate, of each series that has some."""
        series = [Series(subject, "", kind) for subject in self.plan["subjects"] for kind in self.plan["kinds"]]
        return [curve for curve in map(self._open_curve, series) if curve]

    def _open_curve(self, series):
        starts, windows = defaultdict(list), defaultdict(list)
        for row in sorted(self.rows, key=lambda it: it.rate):
            if (row.phase, row.subject, row.kind) == ("open", series.subject, series.kind):
                starts[row.block, row.start].append(row)
        for _, start in sorted(starts.items()):  # its rates are shares in the same order
            for share, row in zip(sorted(self.plan["openShares"]), start):
                windows[share].append(row)
        return [
            OpenPoint(series, share, all_of, [it for it in all_of if not it.window.startswith("void")])
            for share, all_of in sorted(windows.items())
        ]
