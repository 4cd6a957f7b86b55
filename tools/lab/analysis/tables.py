"""The tables of a run, in Markdown, and its answer in a sentence. A table without rows is empty."""

import csv
import math
import re
from typing import NamedTuple

import run as analysis
import stats
from run import Cell
from text import MISSING, fixed, number, percent, table

# Published names of the lab's kinds that have other names.
OPERATIONS = {
    "rating": "get_seller_rating",
    "search-items": "search_items",
    "display-items": "display_items_for_sale",
    "register-item": "register_item_for_sale",
}


class Published(NamedTuple):
    """A printed mean latency of another system on another machine; "about" if the report says so."""

    experiment: str
    placement: str
    clients: int
    operation: str
    about: str
    millis: float


def read_published(file):
    """The rows whose clients and value are numbers, without those of single iterations."""
    with open(file, encoding="utf-8", newline="") as text:
        return [
            Published(
                it["experiment"],
                it["placement"],
                int(it["clients"]),
                it["operation"],
                "about " if it["iteration"].startswith("about") else "",
                float(it["value"]) * (1000 if it["unit"] == "s" else 1),
            )
            for it in csv.DictReader(text)
            if it["metric"] == "mean latency"
            and not re.fullmatch("[0-9]+", it["iteration"])
            and re.fullmatch("[0-9]+", it["clients"])
            and re.fullmatch("[0-9.]+", it["value"])
        ]


def published_of(published, placement, kind):
    operation = OPERATIONS.get(kind, kind)
    return [it for it in published if (it.placement, it.operation) == (placement, operation)]


# Figures of a cell, of which a table has the mean with its interval, by the header of their column.
FIGURES = {
    "mean, ms": lambda it: it.mean_us / 1e3,
    "calls a second": analysis.calls_per_second,
    "hit rate, %": analysis.hit_percent,
    "failed, %": lambda it: 100 * it.errors / it.asked,
    "total time ÷ calls, ms": lambda it: it.seconds * 1e3 * it.clients / it.count,
    "clients ÷ mean, a second": lambda it: it.clients * 1e6 / it.mean_us,
    "load client's CPU, µs a call": lambda it: it.client_cpu_us / it.count,
}


def cpu(row):
    """CPU time by program, in µs."""
    client = {"load client": row.client_cpu_us} if row.client_cpu_us > 0 else {}
    return {**row.cpu_us, **client}


class Tables:
    """The tables of a run by their names.

    published: mean latencies of other systems in this experiment
    """

    def __init__(self, run, published):
        self.run = run
        self.published = published
        self.placements = list(dict.fromkeys(it.placement for it in published))

    def table(self, name):
        tables = {
            "contrasts": self._contrasts,
            "cells": self._cells,
            "failures": lambda: self._of_figures("failed, %", where=lambda it: it.errors > 0),
            "hits": lambda: self._of_figures(
                "hit rate, %", "mean, ms", where=lambda it: analysis.hit_percent(it) is not None
            ),
            "drift": self._drift,
            "open": self._open,
            "cold": self._cold,
            "first": self._first_responses,
            "cpu": lambda: self._cost("CPU, µs a request", cpu),
            "switches": lambda: self._cost("context switches a call", _switches),
            "syncs": lambda: self._cost("syncs a request", lambda it: it.syncs),
            "times": lambda: self._cost("time, µs a request", lambda it: it.times_us),
            "baseline": self._baseline,
            "published": self._published_ratios,
            "null": self._null_server,
        }
        if name not in tables:
            raise ValueError(f"unknown table {name}")
        return tables[name]()

    def _contrasts(self):
        run = self.run
        columns = [
            ("contrast", lambda it: it["name"]),
            (">ratio", lambda it: number(run.ratio(it))),
            ("verdict", lambda it: run.verdict(it).text),
        ]
        return table(columns, run.contrasts())

    def _by_cell(self, header="calls"):
        return [(header, lambda it: self.run.name(it.series())), (">clients", lambda it: it.clients)]

    def _figure(self, cell, figure, phase="closed"):
        found = self.run.figure(cell, figure, phase)
        return MISSING if found is None else number(found)

    def _figures(self, *headers, phase="closed"):
        return [(">" + it, lambda cell, it=it: self._figure(cell, FIGURES[it], phase)) for it in headers]

    def _where(self, wanted):
        """The cells of which one row is wanted."""
        return [cell for cell in self.run.cells() if any(map(wanted, self.run.measured("closed", cell)))]

    def _of_figures(self, *headers, where):
        return table(self._by_cell() + self._figures(*headers), self._where(where))

    def _cells(self):
        percentiles = [
            (f">p{it:g}, ms", lambda cell, it=it: _at(it, self.run.latencies(cell))) for it in (50, 90, 99, 99.9)
        ]
        columns = self._by_cell() + self._figures("mean, ms") + percentiles + self._figures("calls a second")
        return table(columns, self.run.cells())

    def _drift(self):
        run = self.run

        def since(cell, repetition):
            seconds = [it.since_ready_s for it in run.measured("closed", cell) if it.repetition == repetition]
            return f"{fixed(min(seconds), 0)} to {fixed(max(seconds), 0)}" if seconds else MISSING

        def last(cell):
            return max(it.repetition for it in run.measured("closed", cell))

        def drift(cell):
            return run.drift(cell.subject, cell.kind).text() if run.cells(cell.series())[0] == cell else ""

        columns = [
            (">first repetition, s since ready", lambda it: since(it, 1)),
            (">last, s", lambda it: since(it, last(it))),
            ("drift of all cells of this kind", drift),
        ]
        return table(self._by_cell() + columns, run.cells())

    def _open(self):
        def at(percent, point):
            if not point.used:
                return "void"
            return "overloaded" if point.is_overloaded() else _at(percent, point.latencies())

        def per_second(point, field):
            return number(point.per_second(field)) if point.used else MISSING

        columns = [
            ("calls", lambda it: self.run.name(it.series)),
            (">share of the highest rate", lambda it: percent(it.share)),
            (">asked a second", lambda it: per_second(it, "asked")),
            (">completed a second", lambda it: per_second(it, "completed")),
            *((f">p{percent}, ms", lambda it, percent=percent: at(percent, it)) for percent in (50, 90, 99)),
            (">windows: overloaded", lambda it: it.overloaded()),
            (">void", lambda it: len(it.windows) - len(it.used)),
            (">all", lambda it: len(it.windows)),
        ]
        return table(columns, [point for curve in self.run.open_curves() for point in curve])

    def _cold(self):
        plan = self.run.plan
        figures = self._figures(
            "mean, ms", "total time ÷ calls, ms", "calls a second", "clients ÷ mean, a second", phase="cold"
        )
        published = [
            (
                f">published, {placement}, ms",
                lambda it, placement=placement: self._published(placement, it.kind, it.clients),
            )
            for placement in self.placements
        ]
        cells = [
            Cell(subject, "", it["clients"], kind)
            for subject in plan["subjects"]
            for kind in plan["kinds"]
            for it in plan["coldPass"]
            if it["kind"] == kind
        ]
        measured = [it for it in dict.fromkeys(cells) if self.run.measured("cold", it, False)]
        return table(self._by_cell() + figures + published, measured)

    def _published(self, placement, kind, clients, unit=1):
        for it in published_of(self.published, placement, kind):
            if it.clients == clients:
                return it.about + number(it.millis / unit)
        return MISSING

    def _published_ratios(self):
        """Published means with the ratio of the plan's last kind to its first, in the same placement."""
        kinds = self.run.plan["kinds"]
        columns = [
            ("published, other machines", lambda it: it.placement),
            (">clients", lambda it: it.clients),
            *(
                (f">{kind}, ms", lambda it, kind=kind: self._published(it.placement, kind, it.clients))
                for kind in kinds
            ),
            (f">{kinds[-1]} ÷ {kinds[0]}", lambda it: self._published(it.placement, kinds[-1], it.clients, it.millis)),
        ]
        return table(
            columns, [it for placement in self.placements for it in published_of(self.published, placement, kinds[0])]
        )

    def _first_responses(self):
        """How long clients waited for their first response: means over blocks, which are too skewed for an
        interval."""

        def wait(divisor):
            return lambda row: row.first_response_us[(len(row.first_response_us) - 1) // divisor] / 1e3

        def figure(divisor):
            return lambda cell: number(self.run.figure(cell, wait(divisor)).value)

        columns = [(">median client, ms", figure(2)), (">slowest client, ms", figure(1))]
        without = self._where(lambda it: not it.first_response_us)
        cells = [it for it in self.run.cells() if it.clients > 1 and it not in without]
        return table(self._by_cell() + columns, cells)

    def _cost(self, what, cost):
        """A column for each service that has a cost."""
        run = self.run
        payers = sorted({payer for it in run.rows if it.phase == "closed" for payer in cost(it)})

        def figure(payer):
            def of_call(row):
                return cost(row).get(payer, 0) / row.count

            return lambda cell: MISSING if run.figure(cell, of_call).value == 0 else self._figure(cell, of_call)

        columns = [(">" + it, figure(it)) for it in payers]
        return table(self._by_cell(what + ": calls") + columns, run.cells()) if payers else ""

    def _baseline(self):
        run = self.run

        def deviation(component):
            def of(cell):
                fit = stats.variance_components(run.baseline_pairs(cell))
                return MISSING if fit is None else percent(math.expm1(math.sqrt(fit[component])))

            return of

        def variation(cell):
            latencies = run.latencies(cell)
            return percent(latencies.deviation() / latencies.mean()) if latencies.total else MISSING

        columns = [
            (">first start ÷ second", lambda it: number(run.baseline_ratio(it))),
            (">typical difference", lambda it: percent(run.typical_difference(it))),
            (">standard deviation: blocks", deviation(0)),
            (">starts", deviation(1)),
            (">repetitions", deviation(2)),
            (">calls", variation),
        ]
        return table(self._by_cell() + columns, [it for it in run.cells() if run.baseline_pairs(it)])

    def _null_server(self):
        figures = self._figures("mean, ms", "calls a second", "load client's CPU, µs a call", phase="null")
        cells = [Cell(self.run.baseline, "", it, "null") for it in self.run.plan["clients"]]
        columns = [(">clients", lambda it: it.clients)] + figures
        return table(columns, [it for it in cells if self.run.measured("null", it, False)])


def _at(percentile, latencies):
    return number(latencies.at(percentile) / 1e3) if stats.is_stated(latencies.total, percentile) else MISSING


def _switches(row):
    return {"machine": row.switches} if row.switches else {}


def answer(run):
    """The answer of a run in one sentence: that of its first contrast, or of the A/A comparison."""
    if not run.plan["contrasts"]:
        return noise(run)
    contrasts = run.contrasts()
    sentence = _of_contrast(run, contrasts[0]) if contrasts else "Not measured yet."
    return sentence[0].upper() + sentence[1:]


def _of_contrast(run, contrast):
    """Cells of different subjects are named by the contrast, because a subject's name is an id."""
    times = run.ratio(contrast).times_as_long()
    end = run.verdict(contrast).remark + "."
    a, b = Cell.parse(contrast["of"][0]), Cell.parse(contrast["to"][0])
    if len(contrast["of"]) > 1 or (a.subject, a.condition) != (b.subject, b.condition):
        return f"{contrast['name']}: {times}{end}"
    if a.clients == b.clients:
        return f"with {_clients(a)}, {_a(a)} takes {times} as {_a(b)}{end}"
    return f"{_a(a)} with {_clients(a)} takes {times} as {_a(b)} with {_clients(b)}{end}"


def _a(cell):
    return ("an " if cell.kind[0] in "aeiou" else "a ") + cell.kind


def _clients(cell):
    return "one client" if cell.clients == 1 else f"{cell.clients} clients"


def noise(run):
    compared = [it for it in run.cells() if run.baseline_pairs(it)]
    if not compared:
        return "Not measured yet."
    worst = max(compared, key=run.typical_difference)
    different = sum(not run.baseline_ratio(it).contains(1) for it in compared)
    return (
        f"Two starts of `{run.baseline}` differ by up to {percent(run.typical_difference(worst))} "
        f"(the typical difference of a {worst.kind} with {_clients(worst)}); "
        f"{different} of {len(compared)} A/A intervals exclude 1."
    )
