"""The tables of `./toystore bench`: every path, its ratio to the floors and to other versions of the store,
the planned contrasts, and the memory of each process.

The unit of all intervals is the block, with a start of each subject.
"""

import math
from collections import defaultdict

import stats
import tables
from run import by_block, calls_per_second, percentile
from text import MISSING, fixed, table, whole

STORES = ("store", "marketplace")  # the same store in a start of its own


def markdown(run):
    parts = [_paths(run), _ratios(run), _contrasts(run), _memory(run)]
    return "\n\n".join(it for it in parts if it) + "\n"


def _is_floor(cell):
    return cell.kind == "empty"


def _name(cell):
    if _is_floor(cell):
        return cell.subject
    return cell.kind if cell.subject in STORES else f"{cell.kind}, {cell.subject}"


_median_micros = percentile(50)


def _paths(run):
    def cpu(cell):
        used = sorted({it for row in run.rows if row.subject == cell.subject for it in tables.cpu(row)})
        micros = {it: run.figure(cell, lambda row, it=it: tables.cpu(row).get(it, 0) / row.count).value for it in used}
        return ", ".join(f"{name} {whole(it)}" for name, it in micros.items() if it >= 0.5)

    columns = [
        ("path", _name),
        (">clients", lambda it: it.clients),
        (">requests/s", lambda it: run.figure(it, calls_per_second).text(0)),
        (">p50, µs", lambda it: run.figure(it, _median_micros).text(0)),
        (">errors, %", lambda it: fixed(run.figure(it, lambda row: 100 * row.errors / row.asked).value, 1)),
        ("CPU a request, µs", cpu),
    ]
    return table(columns, run.cells())


def _ratios(run):
    """The cells of all stores ÷ those of each floor and of the other stores, with as many clients: of one
    client the median latencies, else the rates."""
    cells = run.cells()
    stores = [it for it in cells if not _is_floor(it)]
    subjects = {it.subject for it in stores}
    columns = [
        ("÷", lambda it: f"{_name(it)} @{it.clients}"),
        ("of", lambda it: "p50" if it.clients == 1 else "rate"),
    ]
    for floor in dict.fromkeys(it.subject for it in cells if _is_floor(it)):
        columns.append((">" + floor, lambda it, floor=floor: _ratio(run, it, it._replace(subject=floor, kind="empty"))))
    for other in ("store", "before", "jpa"):
        if len(subjects) > 1 and other in subjects:
            columns.append((">" + other, lambda it, other=other: _ratio(run, it, it._replace(subject=other))))
    return table(columns, stores)


def _ratio(run, cell, to):
    figure = _median_micros if cell.clients == 1 else calls_per_second
    above, below = (by_block(run.measured("closed", it._replace(condition="")), figure) for it in (cell, to))
    log_ratios = [math.log(above[it] / below[it]) for it in above if above[it] and below.get(it)]
    return stats.of_log_ratios(log_ratios).text(2) if log_ratios and cell != to else MISSING


def _contrasts(run):
    columns = [
        ("latency", lambda it: it["name"]),
        ("of", lambda it: f"p{it['percentile']}" if it.get("percentile") else "mean"),
        (">ratio", lambda it: stats.of_log_ratios(run.log_ratios(it)).text(2)),
    ]
    return table(columns, run.contrasts())


def _memory(run):
    """The most of each start, at the end of a cell."""
    most = defaultdict(lambda: defaultdict(float))  # MiB by process, by block
    for row in run.rows:
        for process, kb in row.resident_kb.items():
            of_process = most[f"{row.subject}, {process}"]
            of_process[row.block] = max(of_process[row.block], kb / 1024)
    columns = [
        ("process", lambda it: it[0]),
        (">resident memory under load, MiB", lambda it: stats.of_mean(it[1].values()).text(0)),
    ]
    return table(columns, sorted(most.items()))
