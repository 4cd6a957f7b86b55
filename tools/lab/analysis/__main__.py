"""The analysis of the lab's results: tables, charts and pages, from files of runs (see rows.py).

It needs Python 3.9 or newer, and nothing else; `./toystore lab` calls it.

```
report                 the page of a run, the index of all runs, the published texts
 ├─ tables             tables in Markdown, the answer in a sentence
 ├─ charts             which points a chart has
 │   └─ drawing        charts as SVG, on axes of a scale
 ├─ failures           the experiment `failures`
 └─ text               numbers, templates, Markdown to HTML
bench, comparison      the tables of `./toystore bench` and `lab ab`
run                    the figures of a run, by the statistics of stats, from its stored rows
```
"""

import argparse
import sys
from pathlib import Path

sys.dont_write_bytecode = True

import bench  # noqa: E402
import comparison  # noqa: E402
import report  # noqa: E402
import tables  # noqa: E402
from failures import Failures  # noqa: E402
from run import Run  # noqa: E402

HOME = Path(__file__).resolve().parents[3]
DOCS = HOME / "docs"
SLOWER, ANOTHER_BLOCK = 3, 4


def main():
    parser = argparse.ArgumentParser(prog="analysis", description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    command = commands.add_parser("report", help="write the page of each run, and an index of all results")
    command.add_argument("folders", nargs="*", type=Path, help="of runs, complete or not; default: all results")
    command.add_argument("--results", type=Path, default=HOME / "target/lab")
    command.set_defaults(run=write_reports)

    command = commands.add_parser("evaluation", help="publish complete results in docs/evaluation")
    command.add_argument("--results", type=Path, default=HOME / "target/lab")
    command.add_argument("--check", action="store_true", help="only compare the texts with the published tables")
    command.set_defaults(run=write_evaluation)

    command = commands.add_parser(
        "ab",
        help=f"write the summary of a comparison; exit code {SLOWER}: the second commit is slower,"
        f" {ANOTHER_BLOCK}: it needs another block",
    )
    command.add_argument("folder", type=Path)
    command.add_argument("--width", type=float, required=True, help="asked for, of intervals, as a share of the ratio")
    command.add_argument("--minutes", type=float, required=True, help="time limit")
    command.add_argument("--elapsed", type=float, required=True, metavar="SECONDS")
    command.set_defaults(run=compare)

    arguments = parser.parse_args()
    try:
        return arguments.run(arguments)
    except FileNotFoundError as e:
        return f"no such file: {e.filename}"
    except ValueError as e:
        return str(e)


def write_reports(arguments):
    if not arguments.folders and not arguments.results.exists():
        return f"no results in {arguments.results}; run ./toystore lab run"
    published = tables.read_published(DOCS / "evaluation/published.csv")
    for folder in arguments.folders or report.run_folders(arguments.results):
        is_table = (folder / "results.csv").exists()
        if is_table and not (folder / "plan.json").exists():
            page = folder / "failures.md"
            page.write_text(Failures(folder).page(DOCS / "evaluation/failures.md"), encoding="utf-8")
            print(page.resolve())
            continue
        of_run = report.Report(folder, published)
        if of_run.run.plan["name"] == "bench":
            print_text(folder / "bench.md", bench.markdown(of_run.run))
        print(of_run.write_page().resolve())
        if is_table:
            print("  of results.csv, so without what needs blocks: distributions, costs of each service")
    if not arguments.folders:
        print(report.write_index(arguments.results).resolve())
    return 0


def write_evaluation(arguments):
    if not arguments.check:
        print("published:", ", ".join(report.publish(DOCS, arguments.results)) or "no new results")
        return 0
    texts = report.published_texts(DOCS).items()
    different = [str(file) for file, text in texts if not file.exists() or file.read_bytes() != text.encode()]
    return (
        "not as in the published tables; ./toystore lab evaluation writes " + ", ".join(different) if different else 0
    )


def compare(arguments):
    run = Run(arguments.folder)
    decision = comparison.decide(run, arguments.width, arguments.minutes * 60, arguments.elapsed)
    if decision == "continue":
        return ANOTHER_BLOCK
    course = comparison.course(run, decision, arguments.elapsed)
    print_text(arguments.folder / "summary.md", comparison.markdown(run, course))
    return SLOWER if comparison.slower(run) else 0


def print_text(file, markdown):
    file.write_text(markdown, encoding="utf-8")
    print(f"\n{markdown}\n{file.resolve()}")


if __name__ == "__main__":
    sys.exit(main())
