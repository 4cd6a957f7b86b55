"""The figures of the experiment `failures`, in which processes are killed.

| figure | is |
|---|---|
| `answer` | what held afterwards, in a sentence |
| `table N` | the longest gap of each function by what was killed, with N pairs; medians, in s |
| `table outcome` | by what was killed: the longest gap of any function, what failed, and what held afterwards |
| `list` | its conditions |
"""

import csv
import itertools
import statistics

import rows
from text import MISSING, number, regenerated, table

NAME = "failures"
TITLES = {
    "NOTHING": "nothing fails",
    "FRONTEND": "one of two frontends",
    "STANDBY": "standby of the catalog",
    "CATALOG": "active catalog",
    "ORDER": "active order service",
    "ACCOUNT": "active account service",
    "EXCHANGE": "active exchange",
    "PRIMARY": "primary of PostgreSQL",
}
FUNCTIONS = ["SEARCH", "RATING", "REGISTER_ITEM", "CART", "PURCHASE", "QUERY", "BUY", "EXCHANGE_ORDER"]
PAIRS, REPETITIONS = (1, 10, 100), 3  # of a complete run
_TEXTS = {"failure", "function", "broken"}


class Failures:
    """rows: what the clients of a function saw in a cell, by column of results.csv; none: it has not run"""

    def __init__(self, folder):
        table_, about = folder / "results.csv", folder / "about.json"
        self.rows = []
        if table_.exists():
            with open(table_, encoding="utf-8", newline="") as text:
                for line in csv.DictReader(text):
                    self.rows.append({name: value if name in _TEXTS else int(value) for name, value in line.items()})
        self.about = rows.read_json(about) if about.exists() else {}

    def is_complete(self):
        wanted = itertools.product(range(1, REPETITIONS + 1), PAIRS, TITLES)
        return set(wanted) <= {(it["repetition"], it["pairs"], it["failure"]) for it in self.rows}

    def page(self, published):
        """The published page with the figures of this run."""
        return regenerated(published.read_text(encoding="utf-8"), lambda words: self.figure(words[:1] + words[2:]))

    def figure(self, words, picture=None):
        if words[0] == "answer":
            return self._answer()
        if words[0] == "list":
            return "\n".join(f"- {name}: `{value}`" for name, value in sorted(self.about.items()))
        return self._outcomes() if words[-1] == "outcome" else self._gaps_of_functions(int(words[-1]))

    def _answer(self):
        times, broken = len(_gaps(self.rows)), len(_gaps([it for it in self.rows if it["broken"]]))
        if broken:
            return f"After {broken} of {times} times, a promise was broken."
        held = "everything acknowledged was there, all invariants held, and no response was wrong"
        return f"After each of the {times} times, {held}."

    def _gaps_of_functions(self, pairs):
        def median(failure):
            found = [it for it in self.rows if (it["pairs"], it["failure"]) == (pairs, failure)]
            return lambda function: _seconds([it["gap_millis"] for it in found if it["function"] == function])

        return table([("function", _function)] + [(">" + title, median(it)) for it, title in TITLES.items()], FUNCTIONS)

    def _outcomes(self):
        def gap(pairs):
            return lambda rows: _seconds(_gaps([it for it in rows if it["pairs"] == pairs]))

        def total(name):
            return lambda rows: f"{sum(it[name] for it in rows):,}"

        columns = [
            ("killed", lambda it: TITLES[it[0]["failure"]]),
            *((f">pairs: {it}", gap(it)) for it in PAIRS),
            (">worst", lambda it: number(max(_gaps(it)) / 1e3)),
            (">503", total("status503")),
            (">504", total("status504")),
            (">no response", total("no_response")),
            (">other failures", total("other_failures")),
            (">whole again", lambda it: _seconds([row["whole_millis"] for row in it])),
            ("broken promises", _broken),
        ]
        by_failure = [[it for it in self.rows if it["failure"] == failure] for failure in TITLES]
        return table(columns, [it for it in by_failure if it])


def _function(name):
    return name.lower().replace("_", " ")


def _gaps(rows):
    """The longest gap of any function, each time."""
    gaps = {}
    for it in rows:
        time = (it["repetition"], it["pairs"], it["failure"])
        gaps[time] = max(gaps.get(time, 0), it["gap_millis"])
    return list(gaps.values())


def _seconds(millis):
    """Their median."""
    return number(statistics.median(millis) / 1e3) if millis else MISSING


def _broken(rows):
    broken = dict.fromkeys(f"{_function(it['function'])}: {it['broken']}" for it in rows if it["broken"])
    return "<br>".join(broken) or "none"
