"""The charts of a run. A chart has at most eight series, because it has as many colours."""

import itertools
import json
import math
from collections import defaultdict

import run as analysis
import stats
import tables
from drawing import Axis, Chart, Contrast, Point, Series
from run import Cell, by_block, mean_us
from stats import Interval
from text import template

PLACEMENT = "local"  # of the published values that are drawn


def chart(run, published, name):
    """None if there is nothing to draw.

    published: mean latencies of other systems in this experiment
    """
    texts = json.loads(template("charts.json"))
    if name not in texts:
        raise ValueError(f"unknown chart {name}")
    text = texts[name]
    x, y = Axis(**text["x"]), Axis(**text.get("y", {"label": ""}))
    kind, margin = "starts" if name == "starts" else "curve", 1.0
    if name == "ratios":
        kind, margin = "forest", 1 + stats.margin(run.blocks())
        series = [_ratio(run, it) for it in run.contrasts()]
    else:
        series = list(itertools.islice((it for it in _series(run, published, name) if it.points), 8))
    if not series:
        return None
    lines = text.get("lines", False)
    return Chart(kind, f"{run.plan['name']}-{name}", text["title"], text["description"], x, y, lines, series, margin)


def _series(run, published, name):
    if name == "hits":
        return map(_hits, itertools.repeat(run), run.plan["subjects"])
    if name == "probability":
        return _probabilities(run)
    if name == "open":
        return [_open(run, curve, percent) for curve in run.open_curves() for percent in (50, 99)]
    if name == "distributions":
        return [
            _distribution(run, cell)
            for it in run.series()
            for cell in dict.fromkeys(run.cells(it)[:1] + run.cells(it)[-1:])
        ]
    if name == "starts":
        return [_starts(run, it, published) for it in run.series()]
    return [{"throughput": _throughput, "drift": _repetitions}[name](run, it) for it in run.series()]


def _ratio(run, contrast):
    drifting = any(run.is_drifting(it.subject, it.kind) for it in map(Cell.parse, contrast["of"] + contrast["to"]))
    verdict = run.verdict(contrast)
    word = verdict.kind if verdict.kind in ("longer", "shorter") else verdict.text
    if verdict.kind == "none":
        word = "no verdict: drifting" if drifting else "no verdict"
    return Contrast(contrast["name"], run.ratio(contrast), drifting, word)


def _mark(run, series):
    return "drifting" if run.is_drifting(series.subject, series.kind) else "measured"


def _millis(micros):
    return micros.map(lambda it: it / 1e3)


def _throughput(run, series):
    mark = _mark(run, series)
    points = [Point(it.clients, run.figure(it, analysis.calls_per_second), mark) for it in run.cells(series)]
    return Series(run.name(series), points)


def _starts(run, series, published):
    """The mean of each start, the mean of all with its interval, and the published values."""
    points = []
    for cell in run.cells(series):
        starts = [it for second in (False, True) for it in run.means(cell, second).values()]
        points += [Point(cell.clients, Interval(it / 1e3), "start") for it in starts]
        points.append(Point(cell.clients, _millis(run.figure(cell, mean_us)), _mark(run, series)))
    for it in tables.published_of(published, PLACEMENT, series.kind):
        if it.clients in run.plan["clients"]:
            points.append(Point(it.clients, Interval(it.millis), "published"))
    return Series(run.name(series), points)


def _distribution(run, cell):
    """Three points between each two labelled percentiles."""
    latencies, points, slowness = run.latencies(cell), [], 1
    while slowness < 200_000:
        share = 1 - 1 / slowness
        if stats.is_stated(latencies.total, 100 * share):
            points.append(Point(share, Interval(latencies.at(100 * share) / 1e3)))
        slowness *= math.sqrt(math.sqrt(10))
    clients = "1 client" if cell.clients == 1 else f"{cell.clients} clients"
    return Series(f"{run.name(cell.series())}, {clients}", points)


def _repetitions(run, series):
    rows = [row for it in run.cells(series) for row in run.measured("closed", it)]
    starts = defaultdict(list)
    for row in rows:
        starts[row.block, row.start, row.clients].append(row.mean_us)
    means = {start: stats.mean(values) for start, values in starts.items()}
    mark = _mark(run, series)
    points = [
        Point(it.since_ready_s, Interval(it.mean_us / means[it.block, it.start, it.clients]), mark) for it in rows
    ]
    return Series(run.name(series), points)


def _hits(run, subject):
    """The hit rate of the product cache in the intervals of the plan's course."""
    intervals = defaultdict(list)
    for row in run.rows:
        if (row.subject, row.phase, row.second) == (subject, "course", False) and analysis.hit_percent(row) is not None:
            intervals[row.repetition].append(row)
    points = []
    for interval, rows in sorted(intervals.items()):
        rates = by_block(rows, analysis.hit_percent).values()
        points.append(Point(interval * (run.plan["course"]["millis"] / 1e3), stats.of_mean(rates)))
    return Series(subject, points)


def _probabilities(run):
    """The mean latency of a kind by the probability of a follow-up."""
    by_name = defaultdict(list)
    for cell in run.cells() if run.plan["followUp"] else []:
        found = analysis.FOLLOW_UP.search(cell.condition)
        percent = 100 * (int(found.group(1)) / 100) if found else 0.0
        series = cell.series()
        name = run.name(series._replace(condition=analysis.FOLLOW_UP.sub("", cell.condition)))
        by_name[name].append(Point(percent, _millis(run.figure(cell, mean_us)), _mark(run, series)))
    return [Series(name, points) for name, points in by_name.items()]


def _open(run, curve, percent):
    """An overloaded point is at the height of the point before it, since it has no latency."""
    points = []
    for point in curve:
        latencies = point.latencies()
        if point.is_overloaded():
            points += [Point(100 * point.share, points[-1].y, "overloaded")] if points else []
        elif stats.is_stated(latencies.total, percent):
            points.append(Point(100 * point.share, Interval(latencies.at(percent) / 1e3)))
    return Series(f"{run.name(curve[0].series)}, p{percent}", points)
