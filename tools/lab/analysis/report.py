"""The page of a run, the index of all runs, and the published results.

The page of a run is made of a template with placeholders such as `{{table drift}}`. A published page is its
own template: it has markers such as `<!--table query-vs-buy drift-->`, with the name of the run.

| figure | is |
|---|---|
| `answer` | the answer in a sentence |
| `table NAME` | a table, see tables.py |
| `chart NAME` | a chart, see charts.py |
| `contrast N` | its N-th planned contrast, from 1, as `3.17 [3.00, 3.36]` |
| `noise` | how far two starts of its baseline differ |
| `list facts` | its conditions |
| `title`, `question`, `size` | of the run |
"""

import shutil
from pathlib import Path

import charts
import rows
import stats
import tables
from failures import NAME as FAILURES
from failures import Failures
from run import Run
from text import fill, page, percent, quoted, regenerated, table, template

EXPERIMENTS = Path(__file__).resolve().parents[1] / "src/main/resources/toystore/lab/experiments"


def run_folders(folder):
    return sorted(it.parent for it in folder.glob("*/plan.json"))


class Report:
    """The figures of a stored run by their words.

    published: mean latencies of other systems, of all experiments
    """

    def __init__(self, folder, published=()):
        self.folder = folder
        self.run = Run(folder)
        self.published = [it for it in published if it.experiment == self.run.plan["published"]]

    def figure(self, words, picture):
        """picture: how a chart is shown"""
        name, last = words[0], words[-1]
        if name in ("title", "question"):
            return self.run.plan[name]
        if name == "answer":
            return tables.answer(self.run)
        if name == "size":
            return self._size()
        if name == "list":
            return self._facts()
        if name == "contrast":
            ratio = self.run.ratio(self.run.plan["contrasts"][int(last) - 1])
            return ratio.times_as_long().replace("times as long ", "")
        if name == "noise":
            return tables.noise(self.run)
        if name == "table":
            return tables.Tables(self.run, self.published).table(last)
        if name == "chart":
            chart = charts.chart(self.run, self.published, last)
            return picture(chart) if chart else ""
        raise ValueError(f"unknown placeholder {words}")

    def write_page(self):
        markdown = fill(template("experiment.md"), lambda words: self.figure(words, lambda chart: chart.html()))
        file = self.folder / "report.html"
        file.write_text(page(self.run.plan["title"], markdown), encoding="utf-8")
        return file

    def _size(self):
        run = self.run
        errors = sum(it.errors for it in run.rows)
        first = next((it.first_error for it in run.rows if it.first_error), None)
        return (
            ("" if run.is_complete() else "Incomplete: ")
            + f"{run.blocks()} of {run.plan['blocks']} blocks with {len({(it.block, it.start) for it in run.rows})} starts; "
            + f"{sum(it.count for it in run.rows) + errors:,} calls, of which {errors:,} failed."
            + (f" The first failure: {quoted(first)}." if first else "")
        )

    def _facts(self):
        plan = self.run.plan
        numbers = {name: it for name, it in plan.items() if isinstance(it, (int, float)) and not isinstance(it, bool)}
        facts = {**self.run.about, **{name: str(it) for name, it in numbers.items()}}
        steal = [it.steal_share for it in self.run.rows]
        if any(steal):
            mean, most = percent(stats.mean(steal)), percent(max(steal))
            facts["CPU time stolen by other virtual machines"] = f"{mean}, at most {most} in a cell"
        return "\n".join(f"- {name}: {quoted(it)}" for name, it in facts.items())


def write_index(folder):
    """Writes the question and the answer of each run of a folder, with its page."""
    columns = [
        ("experiment", lambda it: f"[{it.plan['title']}]({it.folder.name}/report.html)"),
        ("question", lambda it: it.plan["question"]),
        ("answer", tables.answer),
    ]
    runs = table(columns, [Run(it) for it in run_folders(folder)])
    file = folder / "index.html"
    file.write_text(page("Evaluation", fill(template("index.md"), lambda _: runs)), encoding="utf-8")
    return file


def published_texts(docs):
    """The published pages and pictures by their files: evaluation.md, and in the folder evaluation the other
    pages, and for each run its pictures beside its plan, its conditions and its table."""
    folder = docs / "evaluation"
    published = tables.read_published(folder / "published.csv")
    runs = {it.name: Report(it, published) for it in run_folders(folder)}
    runs[FAILURES] = Failures(folder / FAILURES)
    texts = {}

    def figure(words):
        kind, name = words[:2]
        if name not in runs:
            raise ValueError(f"{' '.join(words)}: no results of {name} are published")

        def picture(chart):
            file = f"evaluation/{name}/{chart.name}.svg"
            texts[docs / file] = chart.file()
            return f"![{chart.title}: {chart.description}]({file})"

        return runs[name].figure([kind, *words[2:]], picture)

    for file in (docs / "evaluation.md", folder / "claims.md", folder / "failures.md"):
        texts[file] = regenerated(file.read_text(encoding="utf-8"), figure)
    return texts


def publish(docs, results):
    """Replaces published runs by newer ones that are complete, and writes all texts.

    Returns the names of the published runs.
    """
    names = []
    for folder in run_folders(results):
        if (EXPERIMENTS / f"{folder.name}.json").exists():
            run = Run(folder)
            if run.is_complete():
                _publish(run, docs / "evaluation" / folder.name)
                names.append(folder.name)
    if Failures(results / FAILURES).is_complete():
        _copy(results / FAILURES, docs / "evaluation" / FAILURES, "about.json", "results.csv")
        names.append(FAILURES)
    for file, text in published_texts(docs).items():
        file.write_text(text, encoding="utf-8")
    return names


def _publish(run, target):
    shown = (target.parents[1] / "evaluation.md").read_text(encoding="utf-8")
    in_full = any(f"<!--{it} {target.name} " in shown for it in ("table", "chart"))
    shutil.rmtree(target, ignore_errors=True)
    _copy(run.folder, target, "plan.json", "about.json")
    rows.write_table(target / "results.csv", published_rows(run, in_full))


def _copy(source, target, *names):
    target.mkdir(parents=True, exist_ok=True)
    for name in names:
        shutil.copyfile(source / name, target / name)


def published_rows(run, in_full):
    """Those of the closed loop, of the course and of the published pass, without latencies of single calls.

    in_full: whether distributions, times and the open loop are shown: then one row of each cell has the
    latencies of all its rows
    """
    pooled = {}
    if in_full:
        cells = [run.measured("closed", it) for it in run.cells()]
        for used in cells + [point.used for curve in run.open_curves() for point in curve if point.used]:
            pooled[id(used[0])] = rows.Histogram(it.histogram for it in used).line()
    phases = ["closed", "cold", "course"] + (["open"] if in_full else [])
    return [_published(it, pooled.get(id(it), ""), in_full) for it in run.rows if it.count > 0 and it.phase in phases]


def _published(row, latencies, in_full):
    times = row.times_us if in_full and row.phase == "closed" else {}
    follows = {} if row.phase == "open" else {"asked": 0, "completed": 0}  # from the others
    cpu = {"all": sum(row.cpu_us.values())}
    return rows.Row(**{**vars(row), "cpu_us": cpu, "times_us": times, "histogram": latencies, **follows})
