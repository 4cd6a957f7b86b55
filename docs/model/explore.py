"""Explores a model breadth first, without a bug and with each planted mistake, and prints a table.

A model has `start()`, `steps(state)` with (step, detail, state after it), and `broken(state)` with the
name of an invariant that does not hold, or None.
"""

import argparse
import subprocess
import time
from collections import deque
from typing import NamedTuple, Optional

LIMIT = 1_000_000


class Found(NamedTuple):
    states: int
    seconds: float  # of the processor
    broken: Optional[str]  # an invariant, or that there were too many states
    trace: tuple
    taken: frozenset  # the steps


def search(model):
    """Breadth first, so that the first broken invariant is broken in as few steps as can be."""
    began = time.process_time()
    start = model.start()
    came = {start: None}
    waiting = deque([start])
    taken = set()
    while waiting:
        state = waiting.popleft()
        for step, detail, after in model.steps(state):
            taken.add(step)
            if after in came:
                continue
            came[after] = (state, step, detail)
            broken = f"more than {LIMIT:,} states" if len(came) > LIMIT else model.broken(after)
            if broken:
                seconds = time.process_time() - began
                return Found(len(came), seconds, broken, trace(came, after), frozenset(taken))
            waiting.append(after)
    return Found(len(came), time.process_time() - began, None, (), frozenset(taken))


def trace(came, end):
    steps = []
    while came[end]:
        end, step, detail = came[end]
        steps.append(f"{step} ({detail})" if detail else step)
    return tuple(reversed(steps))


# ---------------------------------------------------------------------------- output


class Report:
    """Runs searches, prints one line per search, and collects failures."""

    def __init__(self, model, traces):
        self.model = model
        self.traces = traces
        self.states = 0
        self.taken = set()
        self.caught = {}
        self.wrong = []

    def design(self, scenario):
        found = search(self.model(scenario))
        self.states += found.states
        self.taken |= found.taken
        verdict = f"BREAKS {found.broken}" if found.broken else "every invariant holds"
        self.line(scenario.name, found, verdict, show=found.broken)
        if found.broken:
            self.wrong.append(f"without a bug, {scenario.name}: {found.broken}")

    def mistake(self, mistake, scenario):
        found = search(self.model(scenario, mistake.name))
        wanted = mistake.invariant.__name__
        if found.broken == wanted:
            self.caught[mistake.name] = wanted
            self.line(mistake.name, found, f"caught by {wanted}", show=self.traces)
        else:
            self.line(mistake.name, found, f"NOT CAUGHT by {wanted}: {found.broken}", show=True)
            self.wrong.append(f"{mistake.name}: {found.broken or 'not caught'}, not {wanted}")

    def line(self, what, found, verdict, show):
        print(f"{what:48}{found.states:9,}{found.seconds:7.1f} s  {verdict}", flush=True)
        if show:
            for number, step in enumerate(found.trace, 1):
                print(f"    {number:2}. {step}")

    def complete(self, steps, invariants):
        """Fails on a step that is never taken and on an invariant that no mistake breaks."""
        for step in steps:
            if step.__name__ not in self.taken:
                self.wrong.append(f"the step {step.__name__} is never taken")
        for invariant in invariants:
            if invariant.__name__ not in self.caught.values():
                self.wrong.append(f"no mistake breaks the invariant {invariant.__name__}")

    def write(self, file, command, check):
        lines = [f"check={check}", f"command={command}", f"tried={self.states}", "unit=states"]
        lines.append(f"test={command}")
        commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
        lines.append(f"commit={commit.stdout.strip()}")
        lines.append(f"mistakes={len(self.caught)}")
        lines += [f"mistake.{slug(name)}={invariant}" for name, invariant in self.caught.items()]
        with open(file, "w", encoding="utf-8") as out:
            out.write("\n".join(lines) + "\n")


def slug(words):
    return words.replace(" ", "-")


def run(model, steps, invariants, scenarios, mistakes, about, command, check):
    """Explores everything that the command line asks for; returns the exit code."""
    arguments = argparse.ArgumentParser(description=about.split("\n", maxsplit=1)[0])
    arguments.add_argument("--trace", action="store_true", help="show the way to each mistake")
    arguments.add_argument("--only", metavar="NAME", help="one scenario or one mistake")
    arguments.add_argument("--results", metavar="FILE", help="write the counts to a file")
    asked = arguments.parse_args()
    report = Report(model, asked.trace or asked.only)
    print(f"{'without a bug':48}{'states':>9}{'seconds':>9}")
    for scenario in scenarios:
        if asked.only in (None, scenario.name):
            report.design(scenario)
    print("\nwith a planted mistake")
    for mistake in mistakes:
        if asked.only in (None, mistake.name):
            report.mistake(mistake, next(it for it in scenarios if it.name == mistake.scenario))
    if not asked.only:
        report.complete(steps, invariants)
        print(f"\n{report.states:,} states, {len(report.caught)} of {len(mistakes)} mistakes caught")
        if asked.results:
            report.write(asked.results, command, check)
    for wrong in report.wrong:
        print("FAILED:", wrong)
    return 1 if report.wrong else 0
