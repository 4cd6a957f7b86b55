"""The answer of `lab ab`: how long the calls of the subject `after` take, relative to those of `before`.

Starts are short, so calls still become faster while they are measured. This is no reason to give no verdict
here, because both commits are measured at the same ages; the answer holds for these ages.
"""

import stats
from run import Cell, mean_us
from text import fixed, table, whole


def decide(run, width, limit_seconds, elapsed_seconds):
    """Whether the run needs another block, see stats.decide."""
    contrasts = [run.log_ratios(it) for it in run.plan["contrasts"]]
    return stats.decide(contrasts, width, limit_seconds, elapsed_seconds)


def slower(run):
    """The contrasts in which the second commit is slower."""
    return _names(run, "longer")


def _names(run, kind):
    return [it["name"] for it in run.plan["contrasts"] if _verdict(run, it).kind == kind]


def _verdict(run, contrast):
    return stats.verdict(run.log_ratios(contrast), len(run.plan["contrasts"]), [])


def markdown(run, course):
    """course: how the run went, a sentence"""
    faster = _names(run, "shorter")
    headline = "Slower: " + "; ".join(slower(run)) if slower(run) else "No contrast is slower"

    def mean(cell):
        return whole(run.figure(Cell.parse(cell), mean_us).value)

    columns = [
        ("mean latency, µs", lambda it: it["name"]),
        (">before", lambda it: mean(it["to"][0])),
        (">after", lambda it: mean(it["of"][0])),
        (">after ÷ before", lambda it: run.ratio(it).text(2)),
        ("verdict", lambda it: _verdict(run, it).text),
    ]
    # a start is too short for a store to become steady, so drift is stated, and not a fault
    drifts = [
        f" {subject} {kind}: {run.drift(subject, kind).text()}."
        for kind in run.plan["kinds"]
        for subject in run.plan["subjects"]
        if run.is_drifting(subject, kind)
    ]
    return "\n\n".join(
        [
            f"**{headline}{'; faster: ' + '; '.join(faster) if faster else ''}.**",
            f"before: {run.about['before']}  \nafter: {run.about['after']}",
            table(columns, run.plan["contrasts"]),
            f"{course} The intervals hold together with 95 %; their unit is the block, a start of each commit."
            + "".join(drifts)
            + "\n",
        ]
    )


def course(run, decision, elapsed_seconds):
    end = "the intervals are as narrow as asked" if decision == "narrow enough" else "the time is over"
    return f"{run.blocks()} blocks in {fixed(elapsed_seconds / 60, 0)} minutes; {end}."
