"""Statistics of experiments, without input or output.

The unit of observation is the block: calls of a repetition, repetitions of a start and starts of a
block share causes, so they are averaged before anything here sees them. Ratios are averaged on
logarithms; parts, which add up, on milliseconds.

At most six contrasts are planned before a run. Their intervals have the level 1 − 0.05 ÷ contrasts
(Bonferroni), so all of them hold together in at least 95 % of runs. All other intervals are 95 %
each and get no verdict.
"""

import functools
import math
from typing import NamedTuple

from text import fixed

LEVEL = 0.95
MOST_CONTRASTS = 6
FEWEST_BLOCKS = 6  # with fewer there is no verdict
BLOCKS_FOR_SMALL_MARGIN = 10
STEADY_WITHIN = 0.05
CALLS_BEYOND = 100


@functools.cache
def t_quantile(tail, degrees):
    """What Student's t of whole degrees of freedom exceeds with the probability `tail`, below 0.5."""
    low, high = 0.0, 1.0
    while _beyond(high, degrees) > tail:
        low, high = high, 2 * high
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if _beyond(middle, degrees) > tail else (low, middle)
    return high


def _beyond(t, degrees):
    """Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4."""
    angle = math.atan(t / math.sqrt(degrees))
    odd = degrees % 2
    term = math.cos(angle) if odd else 1.0
    total = 0.0
    for k in range(odd, degrees - 1, 2):
        total += term
        term *= (k + 1) / (k + 2) * math.cos(angle) ** 2
    inside = math.sin(angle) * total
    return (1 - (2 / math.pi * (angle + inside) if odd else inside)) / 2


def mean(values):
    values = list(values)
    if not values:
        raise ValueError("expected at least one observation, found none")
    return math.fsum(values) / len(values)


def _squares(values):
    middle = mean(values)
    return math.fsum((it - middle) ** 2 for it in values)


def _exp(value):
    return math.inf if value > 709 else math.exp(value)


class Interval(NamedTuple):
    """A figure with its confidence interval. From fewer than two observations it is unbounded."""

    value: float
    low: float = -math.inf
    high: float = math.inf

    def is_bounded(self):
        return math.isfinite(self.low) and math.isfinite(self.high)

    def contains(self, value):
        return self.low <= value <= self.high

    def farthest(self):
        """Of a ratio: the bound that is farther from 1, as a factor of at least 1."""
        return max(self.high, 1 / self.low if self.low > 0 else math.inf)

    def map(self, rising):
        return Interval(*(rising(it) for it in self))

    def text(self, digits):
        """As `1.52 [1.40, 1.66]`, without an interval that is unbounded or wider than a factor of 100."""
        shown = self.is_bounded() and self.low >= self.value / 100 and self.high <= self.value * 100
        return fixed(self.value, digits) + (self._bounds(digits) if shown else "")

    def times_as_long(self):
        """Of a ratio of durations: `1.52 times as long [1.40, 1.66]`.

        It has four decimals if two would print a bound as 1.00 that is not 1.
        """
        if not self.is_bounded():
            return fixed(self.value, 2) + " times as long [interval unknown]"
        nearest = 1 if self.contains(1) else min(abs(self.low - 1), abs(self.high - 1))
        digits = 4 if nearest < 0.005 else 2
        return fixed(self.value, digits) + " times as long" + self._bounds(digits)

    def _bounds(self, digits):
        return f" [{fixed(self.low, digits)}, {fixed(self.high, digits)}]"


def of_mean(observations, level=LEVEL):
    """The mean of independent observations, one a block, with Student's t interval."""
    observations = list(observations)
    value, count = mean(observations), len(observations)
    if count < 2:
        return Interval(value)
    error = math.sqrt(_squares(observations) / (count - 1) / count)
    reach = error * t_quantile((1 - level) / 2, count - 1)
    return Interval(value, value - reach, value + reach)


def of_log_ratios(log_ratios, level=LEVEL):
    """The geometric mean of ratios, with Student's t interval on their logarithms, one a block."""
    return of_mean(log_ratios, level).map(_exp)


def contrast_interval(log_ratios, contrasts):
    """The ratio of a planned contrast with its Bonferroni interval.

    contrasts: number of contrasts in the plan
    """
    if not 1 <= contrasts <= MOST_CONTRASTS:
        raise ValueError(f"expected 1 to {MOST_CONTRASTS} contrasts, found {contrasts}")
    return of_log_ratios(log_ratios, 1 - (1 - LEVEL) / contrasts)


class Drift(NamedTuple):
    """Whether calls of a kind became faster or slower while their starts were measured.

    Steady: the interval lies within ±5 %, even if it excludes 1, as so small a drift changes no
    answer. Drifting: the interval excludes 1. Unresolved: the starts differ too much to tell.
    """

    last_over_first: Interval

    def result(self):
        if self.last_over_first.farthest() <= 1 + STEADY_WITHIN:
            return "steady"
        return "unresolved" if self.last_over_first.contains(1) else "drifting"

    def text(self):
        return f"{self.result()}: the last repetition takes {self.last_over_first.times_as_long()} as the first"


def drift_of_start(cells):
    """log(last ÷ first repetition), averaged over the cells of a kind.

    cells: the mean latencies of each cell's repetitions, in the order of time
    """
    return mean(math.log(repetitions[-1] / repetitions[0]) for repetitions in cells)


class Verdict(NamedTuple):
    """The answer to a planned contrast: which of two cells takes longer.

    kind: longer, shorter, equivalent, cannot tell, none
    text: the rest of a sentence whose subject is the first cell
    remark: what follows the ratio in a sentence
    """

    kind: str
    text: str
    remark: str


def margin(blocks):
    """The ratio, as a share beyond 1, within which cells are equivalent."""
    return 0.20 if blocks < BLOCKS_FOR_SMALL_MARGIN else 0.10


def verdict(log_ratios, contrasts, drifts):
    """The verdict on log(A ÷ B), one a block.

    If cells drift, there is a verdict only if it holds for the interval widened by the largest drift
    that the data allow. Equivalence needs a narrower interval than the two one-sided tests of D. J.
    Schuirmann (1987) do, so this errs on the side of no answer.

    drifts: those of the kinds of A and of B, in their subjects
    """
    blocks = len(log_ratios)
    if blocks < FEWEST_BLOCKS:
        return _no_verdict(f"expected at least {FEWEST_BLOCKS} blocks, found {blocks}")
    drifting = [it for it in drifts if it.result() == "drifting"]
    factor = math.prod(it.last_over_first.farthest() for it in drifting)
    ratio = contrast_interval(log_ratios, contrasts)
    widened = Interval(ratio.value, ratio.low / factor, ratio.high * factor)
    if not widened.contains(1):
        remark = f", of which drift explains at most a factor of {fixed(factor, 2)}" if factor != 1 else ""
        kind = "longer" if ratio.low > 1 else "shorter"
        return Verdict(kind, f"takes {ratio.times_as_long()}{remark}", remark)
    if widened.farthest() <= 1 + margin(blocks):
        return _unclear("equivalent", f"no difference (within ±{fixed(margin(blocks) * 100, 0)} %)")
    if drifting:
        return _no_verdict(drifting[0].text())
    width = widened.farthest() - 1
    if width > 1:
        return _unclear("cannot tell", f"cannot tell within a factor of {fixed(width + 1, 1)}")
    return _unclear("cannot tell", f"cannot tell within ±{math.ceil(width * 100 - 1e-9)} %")


def _unclear(kind, text):
    return Verdict(kind, text, ": " + text)


def _no_verdict(reason):
    return Verdict("none", "no verdict: " + reason, "; there is no verdict: " + reason)


def decide(contrasts, width, limit_seconds, elapsed_seconds):
    """Whether `lab ab` needs another block: `continue`, `narrow enough` or `time is over`.

    Why stopping by width is sound: the width of an interval depends on the spread of the blocks and
    not on their mean; for normal observations the two are independent. So a run does not end because
    its ratio happens to be far from 1. What remains is that runs whose spread happens to be small end
    early (Y. S. Chow and H. Robbins, Annals of Mathematical Statistics 36, 1965). In 20,000 simulated
    runs of equal commits at the worst spread, the interval excludes 1 in 6.5 % of runs instead of 5 %
    if ±10 % was asked for, and in 7.5 % from ±20 %, which allows fewer blocks; of six contrasts, one
    does in at most 8 % and 10 %. Ending as soon as the interval excludes 1 would find a difference in
    20 % of runs of 10 to 40 blocks, and in all of them without a limit.

    contrasts: log ratios by contrast, then one a block; all have the same blocks
    width: asked for, as a share: 0.10 asks for an interval within ±10 % of its ratio
    """
    blocks = min(map(len, contrasts), default=0)
    if blocks == 0:
        return "continue"
    fewest = BLOCKS_FOR_SMALL_MARGIN if width < 0.20 else FEWEST_BLOCKS  # as the margin of this width needs
    ratios = [contrast_interval(it, len(contrasts)) for it in contrasts]
    if blocks >= fewest and all(it.high <= it.value * (1 + width) for it in ratios):
        return "narrow enough"
    return "time is over" if elapsed_seconds * (1 + 1 / blocks) > limit_seconds else "continue"


def variance_components(pairs):
    """Where the noise of a cell comes from: variances of log latency between blocks, between starts of a block and
    between repetitions of a start. Blocks cancel in a ratio; the other two do not.

    Balanced nested analysis of variance by the method of moments (Box, Hunter and Hunter, Statistics for Experimenters,
    chapter 9). A negative component is 0. None if there are fewer than two blocks or repetitions, or if blocks differ in
    their number.

    pairs: the repetitions of the two starts of each block
    """
    sizes = {len(first) for first, _ in pairs}
    if len(pairs) < 2 or len(sizes) != 1 or sizes == {1}:
        return None
    (repetitions,) = sizes
    logs = [[[math.log(it) for it in start] for start in pair] for pair in pairs]
    starts = [[mean(start) for start in pair] for pair in logs]
    blocks = [mean(pair) for pair in starts]
    # mean squares: each is the variance of its level and of all levels below
    of_repetitions = math.fsum(_squares(it) for pair in logs for it in pair) / (2 * len(pairs) * (repetitions - 1))
    of_starts = repetitions * math.fsum(map(_squares, starts)) / len(pairs)
    of_blocks = 2 * repetitions * _squares(blocks) / (len(pairs) - 1)
    between_starts = max(0.0, (of_starts - of_repetitions) / repetitions)
    return max(0.0, (of_blocks - of_starts) / (2 * repetitions)), between_starts, of_repetitions


def is_stated(calls, percentile):
    """Whether a number of calls supports a percentile.

    It needs 100 calls beyond it: their number varies by √100 from run to run, so the share beyond is
    known within ±20 % (two standard errors). The 50th needs 200 calls, the 99.9th 100,000.
    """
    rounding = 1e-6  # 100 − 99.9 is not exactly 0.1
    return calls * (100 - percentile) / 100 >= CALLS_BEYOND - rounding
