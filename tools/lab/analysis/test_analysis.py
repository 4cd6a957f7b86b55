"""Statistics with known values, and whole runs with known figures.

What is published is checked by `evaluation --check`, which makes all texts and pictures again.
"""

import json
import math
import random
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path

import bench
import comparison
import report
import rows
import run
import scale
import stats
import tables
import text
from failures import FUNCTIONS, TITLES, Failures
from scale import Scale
from stats import Interval

DOCS = Path(__file__).resolve().parents[3] / "docs"
STEADY = stats.Drift(Interval(1, 0.98, 1.02))
DRIFTING = stats.Drift(Interval(0.71, 0.65, 0.78))


def around(mean, step, blocks):
    """Log ratios above and below a mean; of an odd number, the last is the mean."""
    return [mean if i == blocks - 1 and blocks % 2 else mean + (-step if i % 2 else step) for i in range(blocks)]


class StatisticsTest(unittest.TestCase):
    def test_quantiles_of_t(self):  # R: qt(p, df, lower.tail = FALSE)
        for tail, degrees, expected in (
            (0.025, 1, 12.7062),
            (0.025, 2, 4.302653),
            (0.025, 9, 2.262157),
            (0.05 / 12, 5, 4.219309),
            (0.005, 100, 2.625891),
        ):
            self.assertAlmostEqual(stats.t_quantile(tail, degrees), expected, delta=2e-5)

    def test_mean_has_students_interval(self):
        # Student, The probable error of a mean, Biometrika 6, 1908; R's t.test(sleep)
        sleep = stats.of_mean([1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4])
        self.assertEqual([round(it, 4) for it in sleep], [1.58, 0.7001, 2.4599])
        with self.assertRaisesRegex(ValueError, "at least one observation"):
            stats.of_mean([])

    def test_interval_of_ratios(self):
        # by hand: mean 0.05, standard error 0.1 ÷ √5, t = 2.5706 (95 %) or 4.2193 (six contrasts)
        for contrasts, t in ((1, 2.5706), (6, 4.2193)):
            interval = stats.contrast_interval(around(0.05, 0.1, 6), contrasts)
            self.assertAlmostEqual(math.log(interval.high), 0.05 + t * 0.1 / math.sqrt(5), 4)
        self.assertEqual(stats.of_log_ratios([0.0]).times_as_long(), "1.00 times as long [interval unknown]")
        self.assertEqual(Interval(1.02, 1.002, 1.04).times_as_long(), "1.0200 times as long [1.0020, 1.0400]")
        with self.assertRaisesRegex(ValueError, "expected 1 to 6 contrasts, found 7"):
            stats.contrast_interval([0.1, 0.2], 7)

    def test_verdicts(self):
        for log_ratios, expected in (
            (around(math.log(1.52), 0.1, 8), "takes 1.52 times as long [1.39, 1.66]"),
            (around(0, 0.05, 9), "no difference (within ±20 %)"),
            (around(0, 0.05, 10), "no difference (within ±10 %)"),
            (around(0.03, 0.2, 8), "cannot tell within ±24 %"),
            (around(0, 1, 8), "cannot tell within a factor of 2.4"),
            (around(1, 0.1, 5), "no verdict: expected at least 6 blocks, found 5"),
        ):
            self.assertEqual(stats.verdict(log_ratios, 1, [STEADY]).text, expected)
        self.assertEqual(stats.verdict(around(-0.5, 0.1, 8), 1, []).kind, "shorter")

    def test_verdict_that_drift_can_change_is_withheld(self):
        for ratio in (1.0, 1.6, 1 / 1.6):  # the drift allows a factor of 1 ÷ 0.65 = 1.54
            verdict = stats.verdict(around(math.log(ratio), 0.1, 8), 1, [STEADY, DRIFTING])
            self.assertEqual(verdict.kind, "none")
            self.assertIn("drifting: the last repetition takes 0.71 times as long [0.65, 0.78]", verdict.text)
        verdict = stats.verdict(around(math.log(1.75), 0.1, 8), 1, [DRIFTING])
        self.assertTrue(verdict.text.endswith(", of which drift explains at most a factor of 1.54"))

    def test_drift(self):
        self.assertEqual(stats.drift_of_start([[4.0, 3.0, 2.0], [8.0, 8.0, 8.0]]), math.log(0.5) / 2)
        for starts, expected in (
            ([-0.3, -0.31, -0.3], "drifting"),
            ([-0.055, -0.056, -0.055], "drifting"),
            ([-0.02, -0.021, -0.02], "steady"),
            ([-0.2, 0.2, -0.1, 0.1], "unresolved"),
            ([-0.5], "unresolved"),
        ):
            self.assertEqual(stats.Drift(stats.of_log_ratios(starts)).result(), expected)

    def test_stopping_rule(self):
        equal = [0.0] * 12
        for contrasts, width, elapsed, expected in (
            ([], 0.10, 0, "continue"),
            ([equal[:9]], 0.10, 60, "continue"),
            ([equal[:10]], 0.10, 60, "narrow enough"),
            ([equal[:5]], 0.20, 60, "continue"),
            ([equal[:6]], 0.20, 60, "narrow enough"),
            ([equal, around(0, 0.5, 12)], 0.10, 60, "continue"),
            ([equal[:4]], 0.10, 20 * 60, "continue"),
            ([equal[:4]], 0.10, 21 * 60, "time is over"),
        ):
            self.assertEqual(stats.decide(contrasts, width, 25 * 60, elapsed), expected)

    def test_false_alarms_and_power(self):
        draw = random.Random(5)

        def kinds(ratio, runs):
            blocks = [[draw.gauss(math.log(ratio), 0.05) for _ in range(10)] for _ in range(runs)]
            return [stats.verdict(it, 1, []).kind for it in blocks]

        # 5 % ± 3 standard errors of 0.5 %; a difference of 10 % is 6 standard errors away
        self.assertAlmostEqual(sum(it in ("longer", "shorter") for it in kinds(1, 2000)) / 2000, 0.05, delta=0.015)
        self.assertGreater(kinds(1.1, 500).count("longer"), 495)

    def test_variance_components(self):
        # Box, Hunter and Hunter, Statistics for Experimenters, chapter 9: moisture of pigment paste
        paste = """40 39 30 30 26 28 25 26 29 28 14 15 30 31 24 24 19 20 17 17 33 32 26 24 23 24 32 33 34 34 29 29
            27 27 31 31 13 16 27 24 25 23 25 27 29 29 31 32 19 20 29 30 23 24 25 25 39 37 26 28"""
        values = [math.exp(int(it)) for it in paste.split()]
        pairs = [(values[i : i + 2], values[i + 2 : i + 4]) for i in range(0, len(values), 4)]
        self.assertEqual([round(it, 4) for it in stats.variance_components(pairs)], [7.128, 28.5333, 0.9167])
        self.assertIsNone(stats.variance_components(pairs[:1]))
        self.assertEqual(stats.variance_components([([1.0, 2.0], [2.0, 1.0])] * 2)[:2], (0.0, 0.0))

    def test_percentile_needs_100_calls_beyond_it(self):
        self.assertTrue(stats.is_stated(100_000, 99.9))
        self.assertFalse(stats.is_stated(99_999, 99.9))


class TextTest(unittest.TestCase):
    def test_numbers_are_rounded_half_up_with_three_digits(self):
        self.assertEqual([text.fixed(0.125, 2), text.fixed(2.5, 0), text.fixed(1.005, 2)], ["0.13", "3", "1.01"])
        self.assertEqual([text.number(it) for it in (0, 0.3955, 1841.6, 1e-5)], ["0", "0.396", "1,842", "0.000010"])
        self.assertEqual(text.number(Interval(0.4, 0.3421, 0.45)), "0.400 [0.342, 0.450]")
        labels = [scale.label(it) for it in (0, 0.25, 1.5164, 1500, 12345.6, 999_999, 1e6, 1.5e9, 2e-5, -3)]
        self.assertEqual(labels, "0 0.25 1.52 1,500 12,346 999,999 1e6 1.5e9 2e-5 -3".split())

    def test_ticks_are_round_and_cover_the_scale(self):
        for axis, most, ticks in (
            (Scale(False, -7, 7), 4, [-5, 0, 5]),
            (Scale(False, 0, 0.3), 4, [0, 0.1, 0.2, 0.3]),
            (Scale(True, 0.4, 20), 8, [0.5, 1, 2, 5, 10, 20]),
            (Scale(True, 0.25, 15), 3, [1, 10]),
            (Scale(True, 0.85, 1.6), 6, [1, 1.2, 1.4, 1.6]),
            (Scale(True, 1e-9, 1e12), 6, [1e-8, 1e-4, 1, 1e4, 1e8, 1e12]),
        ):
            self.assertEqual(axis.ticks(most), ticks)

    def test_wide_interval_leaves_the_axis(self):
        wide = Interval(10, 0.001, 1e6)
        self.assertEqual(Scale.from_zero([wide]), Scale(False, 0, 15))
        self.assertEqual(Scale.from_zero([Interval(3), Interval(17)]), Scale(False, 0, 20))
        around = Scale.logarithmic_around([wide, Interval(20)])
        self.assertEqual([around.contains(it) for it in (4, 5, 40, 50)], [False, True, True, False])

    def test_html_of_awkward_names(self):
        name = 'Bär <b> & "Ćićak" | 熊'
        row = text.table([("name", lambda it: it), (">n", lambda _: 1)], [name])
        page = text.page(name, f"# {name}\n\n**{name}** `a<b`\n\n{row}\n\n- [x](y?a&b)\n")
        shown = "Bär &lt;b&gt; &amp; &quot;Ćićak&quot; | 熊"
        self.assertIn(f"<h1>{shown}</h1>\n<p><strong>{shown}</strong> <code>a&lt;b</code></p>", page)
        self.assertIn(f'<td>{shown}</td>\n<td align="right">1</td>', page)
        self.assertIn('<li><a href="y?a&amp;b">x</a></li>', page)

    def test_regions_are_replaced_in_place(self):
        page = "| a <!--table a 1-->old<!---->, <!--b--><!----> |\n<!--list c-->\n- 1\n- 2\n<!---->\nd"
        filled = "| a <!--table a 1-->table a 1<!---->, <!--b-->b<!----> |\n<!--list c-->\nlist c\n<!---->\nd"
        self.assertEqual(text.regenerated(page, " ".join), filled)
        self.assertEqual(text.regenerated(filled, " ".join), filled)
        with self.assertRaisesRegex(ValueError, "expected pairs of"):
            text.regenerated("<!--a-->1 <!--b-->2<!---->", " ".join)

    def test_section_without_figures_is_left_out(self):
        template = "# {{title}}\n\n## A\n\n{{table a}}\n\n## B\n\n{{table b}}\n\n{{table a}}\n\nb"
        figures = {"title": "T", "table a": "", "table b": "b"}
        self.assertEqual(text.fill(template, lambda words: figures[" ".join(words)]), "# T\n\n## B\n\nb\n\nb")


class FolderTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)


class RowsTest(FolderTest):
    TABLE = (
        "block,start,subject,phase,kind,clients,repetition,mean_us,count,seconds,errors,times_us\n"
        '1,1,old,closed,buy,5,1,1000.5,100,2,,"{""catalog"":7}"\n'
        "1,2,new,closed,buy,5,1,1200,100,2,3,\n"
        "1,3,old,closed,buy,5,1,1001,100,2,,\n"
    )

    def test_table_is_read_and_written_again(self):
        file = self.folder / "results.csv"
        file.write_text(self.TABLE)
        found = rows.read(self.folder)
        self.assertEqual([it.second for it in found], [False, False, True])
        self.assertEqual((found[1].completed, found[1].asked), (100, 103))
        for row in found:
            row.asked = row.completed = 0
        rows.write_table(file, found)
        self.assertEqual(file.read_text(), self.TABLE)
        file.write_text(self.TABLE.replace("1200", "much"))
        with self.assertRaisesRegex(ValueError, 'results.csv, line 3: mean_us: expected a number, got "much"'):
            rows.read(self.folder)

    def test_histograms_have_three_digits(self):
        histogram = rows.Histogram()
        histogram.counts.update({5: 3, 1024 + 1023: 1, 2048 + 7: 300})  # 5, 2,047 and from 2,062 µs
        again = rows.Histogram([histogram.line(), ""])
        self.assertEqual(again.counts, histogram.counts)
        self.assertEqual([again.at(it) for it in (0, 0.5, 1, 100)], [5, 5, 2047, 2063])
        self.assertEqual(rows.Histogram().at(50), 0)


def store(folder, plan, blocks, cells, about=None):
    """Writes a run: blocks of two starts of the first subject and one of the others."""
    folder.mkdir(parents=True)
    (folder / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    (folder / "about.json").write_text(json.dumps(about or {"cpu": "a | b"}), encoding="utf-8")
    draw = random.Random(7)
    for block in range(1, blocks + 1):
        lines = []
        for start, subject in enumerate(plan["subjects"] + plan["subjects"][:1], 1):
            noise = (1 + 0.1 * (block % 3)) * math.exp(draw.gauss(0, 0.01))
            for cell in cells(subject):
                histogram = rows.Histogram()
                histogram.counts.update({1000: 100, 3000: 20})
                cost = {"cpuMicros": {"frontend": 200_000}, "residentKb": {"frontend": 102_400}}
                cost.update({"timeMicros": {"catalog": 7}, "stealShare": 0.001})
                cell = {
                    "clients": 1,
                    "condition": "",
                    "repetition": 1,
                    "seconds": 2,
                    "count": 2000,
                    "errors": 0,
                    **cell,
                }
                cell.update({"asked": 2000, "completed": 2000, "cost": cost, "firstError": None})
                cell.update(
                    {"meanMicros": cell["meanMicros"] * noise, "histogram": histogram.line(), "sinceReadySeconds": 60}
                )
                row = {"block": block, "start": start, "subject": subject, "second": start > len(plan["subjects"])}
                lines.append(json.dumps({**row, "cell": cell}) + "\n")
        (folder / f"block-{block:02d}.jsonl").write_text("".join(lines), encoding="utf-8")
    return folder


def closed(kind, micros, clients=1, last_over_first=1):
    cell = {"phase": "closed", "kind": kind, "clients": clients}
    return [{**cell, "repetition": i + 1, "meanMicros": micros * it} for i, it in enumerate((1, last_over_first))]


class RunTest(FolderTest):
    PLAN = json.loads((report.EXPERIMENTS / "query-vs-buy.json").read_text(encoding="utf-8"))

    @staticmethod
    def _cells(buy_drift=1):
        def cells(_):
            opened = [
                {"phase": "open", "kind": "query", "clients": 0, "rate": rate, "meanMicros": 500, "window": window}
                for rate, window in ((10, "valid"), (90, "overloaded: by half"), (50, "void: late"))
            ]
            calls = [closed("query", 500, it) + closed("buy", 1500, it, buy_drift) for it in (1, 5)]
            return sum(calls, []) + opened

        return cells

    def test_planted_ratio_is_found_and_published(self):
        docs, results = self.folder / "docs", self.folder / "lab"
        (docs / "evaluation").mkdir(parents=True)
        (docs / "evaluation/published.csv").write_bytes((DOCS / "evaluation/published.csv").read_bytes())
        regions = "**<!--answer query-vs-buy--><!---->**\n<!--chart query-vs-buy ratios-->\n<!---->"
        (docs / "evaluation.md").write_text(regions)
        (docs / "evaluation/claims.md").write_text("buy: <!--contrast query-vs-buy 1-->7<!---->")
        (docs / "evaluation/failures.md").write_text("")
        folder = store(results / "query-vs-buy", self.PLAN, 6, self._cells())
        store(results / "query-vs-buy-quick", self.PLAN, 6, self._cells())
        store(results / "cache", {**self.PLAN, "name": "cache"}, 1, self._cells())
        self.assertEqual(report.publish(docs, results), ["query-vs-buy"])
        evaluation = (docs / "evaluation.md").read_text(encoding="utf-8")
        self.assertIn("-->With one client, a buy takes 3.00 times as long [3.00, 3.00] as a query.<!--", evaluation)
        self.assertIn("](evaluation/query-vs-buy/query-vs-buy-ratios.svg)\n<!---->", evaluation)
        claims = "buy: <!--contrast query-vs-buy 1-->3.00 [3.00, 3.00]<!---->"
        self.assertEqual(report.published_texts(docs)[docs / "evaluation/claims.md"], claims)
        measured, published = report.Report(folder), report.Report(docs / "evaluation/query-vs-buy")
        for name in ("contrasts", "cells", "drift", "open", "times"):
            of_table = published.figure(["table", name], None)
            self.assertIn("query", of_table)
            self.assertEqual(of_table, measured.figure(["table", name], None))
        self.assertIn("| 30.0 % | – | – | void |", of_table := measured.figure(["table", "open"], None))
        self.assertRegex(of_table, r"\| 50.0 % .* overloaded \| 12 \| 0 \| 12 \|")

    def test_page_has_a_section_for_what_was_measured(self):
        plan = {**self.PLAN, "title": "Bär <熊> & Co"}
        page = (
            report.Report(store(self.folder / "run", plan, 6, self._cells(0.8)))
            .write_page()
            .read_text(encoding="utf-8")
        )
        Nesting().feed(page)
        for shown in ("<h1>Bär &lt;熊&gt; &amp; Co</h1>", "takes 0.80 times as long", "<h2>Open loop</h2>", "a | b"):
            self.assertIn(shown, page)
        self.assertNotIn("<h2>Product cache</h2>", page)
        empty = (
            report.Report(store(self.folder / "empty", plan, 0, self._cells())).write_page().read_text(encoding="utf-8")
        )
        self.assertIn("Not measured yet.", empty)
        self.assertIn("Incomplete: 0 of 6 blocks", empty)

    def test_hit_rate_is_that_of_the_rows_that_asked_a_cache(self):
        asked = [rows.Row(block=1, cache_hits=3, cache_misses=1), rows.Row(block=1), rows.Row(block=2)]
        self.assertEqual(run.by_block(asked, run.hit_percent), {1: 75.0})

    def test_drift_withholds_the_verdict(self):
        found = tables.answer(run.Run(store(self.folder / "run", self.PLAN, 8, self._cells(0.3))))
        self.assertEqual(tables._a(run.Cell("store", "", 1, "order")), "an order")
        self.assertIn("; there is no verdict: drifting: the last repetition takes 0.30 times as long", found)

    def test_commits_are_compared(self):
        plan = json.loads((report.EXPERIMENTS / "ab.json").read_text(encoding="utf-8"))

        def cells(subject):
            of = [
                closed("query", 500, it, 0.7) + closed("buy", 1500 if subject == "before" else 2000, it)
                for it in (1, 4)
            ]
            return sum(of, [])

        ab = run.Run(store(self.folder / "ab", plan, 10, cells, {"before": "1a2b Old", "after": "3c4d New"}))
        self.assertEqual(comparison.decide(ab, 0.10, 1500, 300), "narrow enough")
        summary = comparison.markdown(ab, comparison.course(ab, "narrow enough", 300))
        self.assertTrue(summary.startswith("**Slower: buy, one client; buy, four clients.**"), summary)
        self.assertRegex(summary, r"\| buy, one client \| 1[56]\d\d \| 2[12]\d\d \| 1\.3\d \[1\.")
        for shown in ("before: 1a2b Old", "10 blocks in 5 minutes; ", "before query: drifting"):
            self.assertIn(shown, summary)

    def test_bench_compares_stores_with_floors(self):
        kinds = {"mvc": ["empty"], "store": ["query", "buy"], "before": ["buy"]}
        micros = {"empty": 100, "query": 100, "buy": 300}
        plan = {
            "name": "bench",
            "title": "",
            "question": "",
            "subjects": list(kinds),
            "kinds": list(micros),
            "clients": [1, 4],
        }
        plan.update({"blocks": 2, "contrasts": [{"name": "buy ÷ old", "of": ["store/1/buy"], "to": ["before/1/buy"]}]})

        def cells(subject):
            return [cell for kind in kinds[subject] for it in (1, 4) for cell in closed(kind, micros[kind], it)]

        found = bench.markdown(run.Run(store(self.folder / "bench", plan, 2, cells)))
        for shown in (
            "| mvc | 4 | 1000 [1000, 1000] | 1000 [1000, 1000] | 0.0 | frontend 100 |",
            "| ÷ | of | mvc | store | before |",
            "| query @1 | p50 | 1.00 [1.00, 1.00] | – | – |",
            "| buy, before @4 | rate | 1.00 [1.00, 1.00] | 1.00 [1.00, 1.00] | – |",
            "| buy ÷ old | mean | 1.0",
            "| store, frontend | 100 [100, 100] |",
        ):
            self.assertIn(shown, found)


class Nesting(HTMLParser):
    """Fails if an element is closed that is not the last open one."""

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, (tag, self.getpos())


class FailuresTest(FolderTest):
    def test_tables_have_medians_and_what_was_broken(self):
        lines = [
            f"{repetition},{pairs},{failure},{function},1500,9000,{50 * repetition},100,2,1,3,0,6000,"
            for repetition in (1, 2, 3)
            for pairs in (1, 10, 100)
            for failure in TITLES
            for function in FUNCTIONS
        ]
        header = "repetition,pairs,failure,function,mean_micros,p99_micros,gap_millis,correct,status503,status504,"
        header += "no_response,other_failures,whole_millis,broken"
        file = self.folder / "results.csv"
        file.write_text("\n".join([header, *lines, ""]))
        complete = Failures(self.folder)
        self.assertTrue(complete.is_complete())
        self.assertIn("After each of the 72 times, everything", complete.figure(["answer"]))
        self.assertIn("| buy | 0.100 | 0.100 |", complete.figure(["table", "10"]))
        outcome = "| active catalog | 0.100 | 0.100 | 0.100 | 0.150 | 144 | 72 | 216 | 0 | 6.00 | none |"
        self.assertIn(outcome, complete.figure(["table", "outcome"]))
        file.write_text("\n".join([header, "1,10,CATALOG,BUY,0,0,3000,1,0,0,0,0,6000,5 acknowledged"]))
        broken = Failures(self.folder)
        self.assertFalse(broken.is_complete())
        file.write_text("**<!--answer failures--><!---->**")
        self.assertEqual(broken.page(file), "**<!--answer failures-->After 1 of 1 times, a promise was broken.<!---->**")
        self.assertIn("| buy | – | – | – | 3.00 |", broken.figure(["table", "10"]))
        self.assertIn("| active catalog | – | 3.00 | – | 3.00 |", broken.figure(["table", "outcome"]))
        self.assertIn("buy: 5 acknowledged |", broken.figure(["table", "outcome"]))


if __name__ == "__main__":
    unittest.main()
