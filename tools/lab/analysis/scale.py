"""Scales of axes with round ticks, and the labels of their values."""

import math
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import NamedTuple

from stats import Interval

ROUNDING = 1e-9  # a tick whose distance from the end is rounding error lies on the axis


class Scale(NamedTuple):
    """A range of values on an axis."""

    logarithmic: bool
    low: float
    high: float

    @staticmethod
    def from_zero(bars):
        """Linear, up to a round number."""
        values = [it.value for it in bars]
        highest = max(values)
        bound = max((it.high for it in bars if math.isfinite(it.high)), default=highest)
        # a very wide interval leaves the axis, because it would compress everything else
        high = max(highest, min(bound, 1.5 * highest))
        begin = min(0, min(values))
        end = high if high > begin else begin + 1
        step = _step(end - begin, 5)
        return Scale(False, math.floor(begin / step) * step, math.ceil(end / step - ROUNDING) * step)

    @staticmethod
    def logarithmic_around(bars):
        """All values. An interval may widen it on either side by the values' own range, and by a factor
        of 2."""
        values = [it.value for it in bars]
        lowest, highest = min(values), max(values)
        if lowest <= 0:
            raise ValueError(f"expected values above 0 on a logarithmic axis, got {lowest}")
        allowed = max(2, highest / lowest)
        low = min((it.low for it in bars if it.low > 0), default=lowest)
        high = max((it.high for it in bars if math.isfinite(it.high)), default=highest)
        low = max(min(low, lowest), lowest / allowed)
        high = min(max(high, highest), highest * allowed)
        margin = max((high / low) ** 0.05, 1.2 if high / low < 1.02 else 1.01)
        return Scale(True, low / margin, high * margin)

    @staticmethod
    def over(logarithmic, values):
        """For x: exactly the range of the values."""
        low, high = min(values), max(values)
        if low < high:
            return Scale(logarithmic, low, high)
        return Scale(True, low / 2, high * 2) if logarithmic else Scale(False, low - 1, high + 1)

    def share(self, value):
        """Where a value lies: 0 at the low end, 1 at the high end, beyond them outside."""
        return (self._scaled(value) - self._scaled(self.low)) / (self._scaled(self.high) - self._scaled(self.low))

    def _scaled(self, value):
        if not self.logarithmic:
            return value
        return math.log(value) if value > 0 else -math.inf

    def contains(self, value):
        return -ROUNDING <= self.share(value) <= 1 + ROUNDING

    def ticks(self, most):
        """Round values within the scale, about as many as given. A logarithmic scale has 1, 2, 5 or powers
        of ten, but equal steps if it is too short for them."""
        if not self.logarithmic or len(self._powers((1, 2, 3, 5, 7))) < 3:
            return self._steps(most)
        few = len(self._powers((1, 2, 5))) < 3
        for digits in ((1, 2, 3, 5, 7), (1, 2, 5)) if few else ((1, 2, 5), (1, 3), (1,)):
            if len(ticks := self._powers(digits)) <= most:
                return ticks
        return self._powers((1,), -(-len(self._powers((1,))) // most))

    def _powers(self, digits, every=1):
        powers = range(math.floor(math.log10(self.low)), math.floor(math.log10(self.high) + ROUNDING) + 1)
        ticks = [float(f"{digit}e{power}") for power in powers if power % every == 0 for digit in digits]
        return [it for it in ticks if self.contains(it)]

    def _steps(self, most):
        step = _step(self.high - self.low, most)
        ticks, i = [], math.ceil(self.low / step - ROUNDING)
        while self.contains(i * step):
            ticks.append(float(_digits(i * step, 12)) + 0.0)
            i += 1
        return ticks


def _step(size, most):
    """1, 2 or 5 times a power of ten, so that at most this many steps fit."""
    power = 10.0 ** math.floor(math.log10(size / most))
    digit = size / most / power - ROUNDING
    return power * next((it for it in (1, 2, 5) if digit <= it), 10)


def _digits(value, digits):
    return Context(prec=digits, rounding=ROUND_HALF_UP).create_decimal(Decimal(value))


def label(value):
    """At most three digits, or whole: as `0.25`, `1,500`, `1e9`; of an interval, `1.52 [1.4, 1.66]`."""
    if isinstance(value, Interval):
        bounds = f" [{label(value.low)}, {label(value.high)}]" if value.is_bounded() else ""
        return label(value.value) + bounds
    size = abs(value)
    if size != 0 and (size < 1e-4 or size >= 1e6):
        rounded = _digits(value, 3).normalize()
        return f"{rounded.scaleb(-rounded.adjusted()):f}e{rounded.adjusted()}"
    rounded = (_digits(value, 3) if size < 1000 else Decimal(round(value))).normalize()
    return f"{rounded:,.{max(0, -rounded.as_tuple().exponent)}f}"


def percent(share):
    return f"{_digits(100 * share, 7).normalize():f} %"
