"""The figures of the experiment `failures`, in which processes are killed.

| placeholder | figure |
|---|---|
| `answer failures` | the answer in a sentence |
| `table failures N` | functions and failures with N pairs |
| `table failures outcome` | what failed, and what held afterwards |
| `list failures` | its conditions |
"""

import csv

import rows
from text import MISSING, fill, number, table, template

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
        situations = self._situations()
        return len(situations) == len(PAIRS) * len(TITLES) and all(len(_gaps(it)) >= REPETITIONS for it in situations)

    def write_page(self, folder):
        page = folder / "failures.md"
        page.write_text(fill(template("failures.md"), self.figure), encoding="utf-8")
        return page

    def figure(self, words):
        """words: of a placeholder"""
        if words[0] == "answer":
            return self._answer()
        if words[0] == "list":
            return "\n".join(f"- {name}: `{value}`" for name, value in sorted(self.about.items()))
        return self._outcomes() if words[-1] == "outcome" else self._functions(int(words[-1]))

    def _answer(self):
        if not self.rows:
            return "Not run yet."
        by_failure = {it: [row for row in self.rows if row["failure"] == it] for it in TITLES}
        gaps = ", ".join(f"{TITLES[it]} {_seconds(_gaps(rows))} s" for it, rows in by_failure.items() if rows)
        times, broken = len(_gaps(self.rows)), len(_gaps([it for it in self.rows if it["broken"]]))
        held = (
            f"After {broken} of {times} times, a promise was broken."
            if broken
            else f"After each of the {times} times, everything acknowledged was there, all invariants held, "
            "and no response was wrong."
        )
        return (
            "The longest time in which some function got no correct response, median by what was killed: "
            f"{gaps}. {held}"
        )

    def _functions(self, pairs):
        found = [it for it in self.rows if it["pairs"] == pairs]

        def medians(failure):
            def of(function):
                repetitions = [it for it in found if (it["failure"], it["function"]) == (failure, function)]
                values = [
                    _median(it[name] for it in repetitions)
                    for name in ("mean_micros", "p99_micros", "gap_millis")
                    if repetitions
                ]
                return " / ".join(number(it / 1e3) if it else MISSING for it in values) or MISSING

            return of

        columns = [("function", _function)] + [(">" + title, medians(it)) for it, title in TITLES.items()]
        return table(columns, FUNCTIONS if found else [])

    def _outcomes(self):
        def total(name):
            return lambda rows: f"{sum(it[name] for it in rows):,}"

        columns = [
            ("killed", lambda it: TITLES[it[0]["failure"]]),
            (">pairs", lambda it: it[0]["pairs"]),
            (">times", lambda it: len(_gaps(it))),
            (">longest gap, s: median", lambda it: _seconds(_gaps(it))),
            (">worst", lambda it: number(max(_gaps(it)) / 1e3)),
            (">correct responses", total("correct")),
            (">503", total("status503")),
            (">504", total("status504")),
            (">no response", total("no_response")),
            (">other failures", total("other_failures")),
            (">whole again, s", lambda it: _seconds(row["whole_millis"] for row in it)),
            ("broken promises", _broken),
        ]
        return table(columns, self._situations())

    def _situations(self):
        """The rows of each failure and number of pairs."""
        situations = {}
        for row in sorted(self.rows, key=lambda it: (list(TITLES).index(it["failure"]), it["pairs"])):
            situations.setdefault((row["failure"], row["pairs"]), []).append(row)
        return list(situations.values())


def _function(name):
    return name.lower().replace("_", " ")


def _gaps(rows):
    """The longest gap of any function, each time."""
    gaps = {}
    for it in rows:
        time = (it["repetition"], it["pairs"], it["failure"])
        gaps[time] = max(gaps.get(time, 0), it["gap_millis"])
    return list(gaps.values())


def _median(values):
    ascending = sorted(values)
    return (ascending[(len(ascending) - 1) // 2] + ascending[len(ascending) // 2]) / 2


def _seconds(millis):
    return number(_median(millis) / 1e3)


def _broken(rows):
    broken = dict.fromkeys(f"{_function(it['function'])}: {it['broken']}" for it in rows if it["broken"])
    return "<br>".join(broken) or "none"
