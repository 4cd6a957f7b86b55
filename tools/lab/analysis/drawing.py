"""Charts as SVG: curves, starts and forest plots.

A chart is drawn in two layouts, because a wide chart on a phone has unreadable text: in a page, CSS
shows the one that fits. Nothing is drawn outside the view box, and an interval that leaves an axis ends
in an arrow. Colours and dashes are in chart.css. The browser that shows a chart has its own fonts, which
is why text widths are estimates that are rather too large.
"""

import math
import re
from dataclasses import dataclass
from typing import NamedTuple

from scale import Scale, label, percent
from stats import Interval
from text import escaped, fixed, template

FONT, LINE_HEIGHT, PADDING = 13, 18, 12
SAMPLE = 28  # width of a sample in the legend
GAP, STRIP = 12, 26  # of a forest plot: the height of the part of the plot that an interval needs
MOST_LINES = 4
MOST_MARKS = 24  # a line with more points has marks on some of them only
MARKS = {  # labels of special points, in the order of the legend
    "start": "one start",
    "drifting": "drifting",
    "overloaded": "overloaded",
    "published": "published",
}
SHAPES = [  # of the points of each series, around 0,0
    "M4,0 A4,4,0,1,1,-4,0 A4,4,0,1,1,4,0Z",
    "M-4,-4 L4,-4 L4,4 L-4,4Z",
    "M0,-5 L5,4 L-5,4Z",
    "M0,-5.5 L5.5,0 L0,5.5 L-5.5,0Z",
    "M0,5 L5,-4 L-5,-4Z",
    "M0,-5 L4.8,-1.5 L2.9,4 L-2.9,4 L-4.8,-1.5Z",
    "M-5,0 L4,-5 L4,5Z",
    "M5,0 L-4,-5 L-4,5Z",
]
CROSS = "M-4,-4 L4,4 M-4,4 L4,-4"
STAR = "M0,-6.4 L1.7,-2.3 L6.1,-2 L2.7,0.9 L3.8,5.2 L0,2.8 L-3.8,5.2 L-2.7,0.9 L-6.1,-2 L-1.7,-2.3Z"


class Point(NamedTuple):
    """mark: measured, or one of MARKS"""

    x: float
    y: Interval
    mark: str = "measured"


class Series:
    """Named points in ascending order of x."""

    def __init__(self, name, points):
        self.name = name
        self.points = sorted(points, key=lambda it: it.x)


class Axis(NamedTuple):
    """label: its title with the unit; spacing: linear, logarithmic or percentile"""

    label: str
    spacing: str = "linear"

    def place(self, value):
        """Of a share of calls: 1 ÷ the share of slower calls, so that 90 %, 99 % and 99.9 % have equal
        distances on a logarithmic scale, as in an HdrHistogram plot."""
        return 1 / (1 - value) if self.spacing == "percentile" else value

    def describe(self, value):
        return percent(value) if self.spacing == "percentile" else f"{self.label} {label(value)}"

    def ticks(self, scale, most):
        if self.spacing != "percentile":
            return [(it, label(it)) for it in scale.ticks(most)]
        shares = (0.0, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999)
        return [(self.place(it), percent(it)) for it in shares if scale.contains(self.place(it))]


class Contrast(NamedTuple):
    """A row of a forest plot."""

    label: str
    ratio: Interval
    drifting: bool
    verdict: str


@dataclass
class Chart:
    """kind: curve, starts or forest

    name: prefix of its ids, unique in a page
    description: what it shows, in a sentence, for readers who cannot see it
    lines: whether points are joined; without lines, the plot is less high
    series: at most eight, or the contrasts of a forest plot
    margin: the end of a forest plot's band above 1, as 1.1; it begins at 1 ÷ margin
    """

    kind: str
    name: str
    title: str
    description: str
    x: Axis
    y: Axis
    lines: bool
    series: list
    margin: float

    def file(self):
        """A file with its own background, for `<img>`."""
        return self._svg("wide", "chart file", "<style>\n" + template("chart.css") + "</style>\n")

    def html(self):
        """Both layouts, for a page that has chart.css; without empty lines, which would end it."""
        svg = self._svg("wide", "chart wide", "") + self._svg("narrow", "chart narrow", "")
        return re.sub(r"\n\s*\n", "\n", f'<div class="charts">\n{svg}</div>')

    def _svg(self, layout, css_class, style):
        drawing = _Drawing(layout == "narrow")
        drawing.title(self.title)
        {"curve": _curve, "starts": _starts, "forest": _forest}[self.kind](self, drawing)
        id_ = f"{self.name}-{layout}"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{css_class}" viewBox="0 0 {drawing.right + PADDING}'
            f' {math.ceil(drawing.cursor + PADDING)}" role="img" aria-labelledby="{id_}-title {id_}-desc">\n'
            f'<title id="{id_}-title">{_plain(self.title)}</title>\n'
            f'<desc id="{id_}-desc">{_plain(self.description)}</desc>\n'
            f"{style}{''.join(drawing.elements)}</svg>\n"
        )


def _curve(chart, drawing):
    """Points with intervals over x, as throughput over the number of clients or latency over the percentile."""
    bars = [point.y for it in chart.series for point in it.points]
    x_scale = Scale.over(chart.x.spacing != "linear", [chart.x.place(it) for it in _places(chart.series)])
    y_scale = Scale.from_zero(bars) if chart.y.spacing == "linear" else Scale.logarithmic_around(bars)
    height = (1 if chart.lines else 0.7) * drawing.plot_height
    plot = _Plot(
        drawing, chart.x.label, chart.y.label, x_scale, y_scale, chart.x.ticks(x_scale, drawing.most_ticks), height
    )
    for i, series in enumerate(chart.series):
        plot.series(i, series, chart)
    drawing.legend(chart.series, chart.lines)


def _starts(chart, drawing):
    """Every start as a small point, with the mean and its interval beside it, by number of clients.

    The narrow layout has a plot a series, all on the same axis.
    """
    if drawing.narrow and len(chart.series) > 1:
        for i, series in enumerate(chart.series):
            _starts_plot(chart, drawing, f"{series.name}: {chart.y.label}", 0.6, i, 1)
            drawing.cursor += 8
    else:
        _starts_plot(chart, drawing, chart.y.label, 1, 0, len(chart.series))
    drawing.legend(chart.series, False)


def _starts_plot(chart, drawing, y_label, height, first, count):
    columns = _places(chart.series)
    x_scale = Scale(False, -0.5, max(1, len(columns)) - 0.5)
    y_scale = Scale.logarithmic_around([point.y for it in chart.series for point in it.points])
    ticks = [(i, label(it)) for i, it in enumerate(columns)]
    plot = _Plot(drawing, chart.x.label, y_label, x_scale, y_scale, ticks, height * drawing.plot_height)
    for i in range(1, len(columns)):
        drawing.line("grid", plot.x.at(i - 0.5), plot.y.begin, plot.x.at(i - 0.5), plot.y.end)
    # a series has a lane in each column: starts left of its middle, mean and published value right
    aside = min(7, (plot.x.at(1.0 / count) - plot.x.at(0)) / 4)
    for i in range(count):
        series = chart.series[first + i]
        for point in series.points:
            at = plot.x.at(columns.index(point.x) - 0.5 + 0.05 + 0.9 * ((i + 0.5) / count))
            at += -aside if point.mark == "start" else aside
            plot.point(first + i, point, at, f"{series.name}, {chart.x.label} {label(point.x)}")


def _forest(chart, drawing):
    """Ratios with intervals on a logarithmic axis, a line at 1, and a band of ratios that count as no
    difference. The verdict stands at the right of its row, or above it in the narrow layout."""

    def column(texts):
        return GAP + (0 if drawing.narrow else max(min(_width(it), 0.3 * drawing.width) for it in texts))

    labels = column([it.label for it in chart.series])
    verdicts = column([it.verdict for it in chart.series])
    ratios = [it.ratio for it in chart.series]
    scale = Scale.logarithmic_around(ratios + [Interval(it) for it in (1 / chart.margin, 1.0, chart.margin)])
    axis = _AxisLine(scale, PADDING + labels, drawing.right - verdicts)
    for row in chart.series:
        height = STRIP
        if drawing.narrow:
            _text_above(drawing, row)
        else:
            texts = [(row.label, PADDING, labels - GAP), (row.verdict, axis.end + GAP, verdicts - GAP)]
            lines = max(len(_wrapped(text, FONT, width)) for text, _, width in texts)
            height = max(STRIP, LINE_HEIGHT * lines + 8)
            for text, x, width in texts:
                wrapped = _wrapped(text, FONT, width)
                top = drawing.cursor + (height - LINE_HEIGHT * len(wrapped)) / 2 + 13
                for i, line in enumerate(wrapped):
                    drawing.text(x, top + i * LINE_HEIGHT, "start", line, width)
        _strip(chart, drawing, row, axis, height)
    drawing.line("axis", axis.begin, drawing.cursor, axis.end, drawing.cursor)
    drawing.cursor += 4
    drawing.ticks([(it, label(it)) for it in scale.ticks(drawing.most_ticks)], axis)
    drawing.paragraph(chart.x.label, axis.middle(), "middle", axis.length())


def _text_above(drawing, row):
    """Label and verdict side by side if they fit."""
    verdict = _width(row.verdict)
    drawing.cursor += 8
    start = drawing.cursor
    drawing.paragraph(row.label, PADDING, "start", drawing.width)
    if _width(row.label) + GAP + verdict <= drawing.width:
        drawing.cursor = start
        drawing.paragraph(row.verdict, drawing.right, "end", verdict)
    else:
        drawing.paragraph(row.verdict, PADDING, "start", drawing.width)
    drawing.cursor = max(drawing.cursor, start + LINE_HEIGHT)


def _strip(chart, drawing, row, axis, height):
    top, band = drawing.cursor, axis.at(1 / chart.margin)
    drawing.band(band, top, axis.at(chart.margin) - band, height)
    drawing.line("axis", axis.at(1), top, axis.at(1), top + height)
    drawing.interval(axis, True, top + height / 2, row.ratio, 0)
    mark = "drifting" if row.drifting else "measured"
    drawing.mark(mark, 0, axis.at(row.ratio.value), top + height / 2, f"{row.label}: {label(row.ratio)}")
    drawing.cursor = top + height


def _places(series):
    return sorted({point.x for it in series for point in it.points})


class _AxisLine(NamedTuple):
    """A scale between two pixels of a drawing; the end may be the smaller one, since y grows downwards."""

    scale: Scale
    begin: float
    end: float

    def at(self, value):
        return self.begin + self.scale.share(value) * (self.end - self.begin)

    def clipped(self, value):
        return self.begin + min(max(self.scale.share(value), 0), 1) * (self.end - self.begin)

    def middle(self):
        return (self.begin + self.end) / 2

    def length(self):
        return abs(self.end - self.begin)


class _Drawing:
    """The elements of an SVG, drawn from top to bottom: each part moves the cursor below what it has drawn,
    and the view box ends there."""

    def __init__(self, narrow):
        # a text of 13 px stays readable if a phone of 320 px shows the narrow chart
        self.narrow = narrow
        self.right = (340 if narrow else 720) - PADDING
        self.width = self.right - PADDING
        self.plot_height = 210 if narrow else 280
        self.most_ticks = 6 if narrow else 10
        self.cursor = PADDING
        self.elements = []

    def element(self, name, css_class, content=None, **attributes):
        values = "".join(
            f' {key.replace("_", "-")}="{value if isinstance(value, str) else fixed(float(value), 1)}"'
            for key, value in attributes.items()
        )
        end = "/>" if content is None else f">{content}</{name}>"
        self.elements.append(f'<{name} class="{css_class}"{values}{end}\n')

    def title(self, title):
        font = 16 * 1.12  # bold text is wider
        for line in _wrapped(title, font, self.width):
            self.cursor += 20
            self.text(PADDING, self.cursor - 4, "start", line, self.width, "title", font)
        self.cursor += 6

    def paragraph(self, text, x, anchor, width):
        """Lines from the cursor downwards."""
        for line in _wrapped(text, FONT, width):
            self.cursor += LINE_HEIGHT
            self.text(x, self.cursor - 5, anchor, line, width)

    def text(self, x, y, anchor, text, width, css_class="label", font=FONT):
        """A text of one line; a wider one is shortened and has its full text as tooltip."""
        shown = _shortened(text, font, width)
        self.element(
            "text", css_class, _plain(shown) + ("" if shown == text else _tip(text)), x=x, y=y, text_anchor=anchor
        )

    def line(self, css_class, x1, y1, x2, y2):
        self.element("line", css_class, x1=x1, y1=y1, x2=x2, y2=y2)

    def band(self, x, y, width, height):
        self.element("rect", "band", x=x, y=y, width=width, height=height)

    def interval(self, axis, horizontal, across, bar, style):
        """With a cap at each end, or an arrow where it leaves the axis."""
        if not bar.is_bounded():
            return
        arrow = 6 if axis.begin < axis.end else -6
        low, high = axis.clipped(bar.low), axis.clipped(bar.high)
        cut_low, cut_high = not axis.scale.contains(bar.low), not axis.scale.contains(bar.high)

        def point(along, across):
            return _point(along, across) if horizontal else _point(across, along)

        def end(at, back):
            return f" M{point(back, across - 4)} L{point(at, across)} L{point(back, across + 4)}"

        path = f"M{point(low, across)} L{point(high, across)}"
        path += end(low, low + arrow if cut_low else low) + end(high, high - arrow if cut_high else high)
        self.element("path", f"interval{' cut' if cut_low or cut_high else ''} s{style}", d=path)

    def mark(self, mark, style, x, y, tip=""):
        """A point with a tooltip. Without a style it is a circle in the text's colour."""
        path = {"overloaded": CROSS, "published": STAR}.get(mark, SHAPES[style or 0])
        transform = f"translate({_point(x, y)}){' scale(0.6)' if mark == 'start' else ''}"
        css_class = mark + ("" if style is None else f" s{style}")
        self.element("path", css_class, _tip(tip) if tip else "", transform=transform, d=path)

    def ticks(self, ticks, axis):
        """Below the cursor. A label that would overlap the one before it is left out."""
        top, free = self.cursor, PADDING
        for value, text in ticks:
            at, width = axis.at(value), _width(text)
            middle = min(at, self.right - width / 2)
            self.line("axis", at, top - 4, at, top)
            if middle - width / 2 >= free:
                self.text(middle, top + 14, "middle", text, width)
                free = middle + width / 2 + 8
                self.cursor = top + 18

    def legend(self, series, lines):
        """Samples of the series and of special points, side by side as far as they fit."""
        x = PADDING
        self.cursor += LINE_HEIGHT
        for i, it in enumerate(series):
            x = self._entry(x, it.name, "measured", i, lines)
        marks = {point.mark for it in series for point in it.points}
        for mark, text in MARKS.items():
            if mark in marks:
                x = self._entry(x, text, mark, None, False)

    def _entry(self, x, text, mark, style, line):
        width = SAMPLE + 6 + _width(text)
        if x > PADDING and x + width > self.right:
            x = PADDING
            self.cursor += LINE_HEIGHT + 2
        if line:
            self.line(f"line s{style}", x, self.cursor - 5, x + SAMPLE, self.cursor - 5)
        self.mark(mark, style, x + SAMPLE / 2, self.cursor - 5)
        begin = x + SAMPLE + 6
        self.text(begin, self.cursor, "start", text, self.right - begin)
        return x + width + 14


class _Plot:
    """A plot with two axes: the label of y above them, that of x below."""

    def __init__(self, drawing, x_label, y_label, x_scale, y_scale, x_ticks, height):
        drawing.paragraph(y_label, PADDING, "start", drawing.width)
        ticks = [(it, label(it)) for it in y_scale.ticks(max(2, int(height / 30)))]
        labels = max((_width(text) for _, text in ticks), default=0)
        left, top = PADDING + labels + 6, drawing.cursor + 10
        inset = 10
        self.drawing = drawing
        self.x = _AxisLine(x_scale, left + inset, drawing.right - inset)
        self.y = _AxisLine(y_scale, top + height, top)
        free = math.inf
        for value, text in ticks:
            at = self.y.at(value)
            drawing.line("grid", left, at, drawing.right, at)
            if at <= free:  # labels must not overlap
                drawing.text(left - 6, at + 4.5, "end", text, labels)
                free = at - LINE_HEIGHT
        drawing.line("axis", left, self.y.begin, drawing.right, self.y.begin)
        drawing.cursor = self.y.begin + 4
        drawing.ticks(x_ticks, self.x)
        drawing.paragraph(x_label, self.x.middle(), "middle", self.x.length())

    def series(self, style, series, chart):
        points = [(it, self.x.at(chart.x.place(it.x))) for it in series.points]
        every = 1
        if chart.lines:
            every = -(-len(points) // MOST_MARKS)
            path = " ".join(_point(at, self.y.at(it.y.value)) for it, at in points)
            self.drawing.element("polyline", f"line s{style}", points=path)
        for i, (point, at) in enumerate(points):
            if i % every == 0 or point.mark != "measured":
                self.point(style, point, at, f"{series.name}, {chart.x.describe(point.x)}")

    def point(self, style, point, at, tip):
        """A point with its interval; the tip is followed by the value."""
        self.drawing.interval(self.y, False, at, point.y, style)
        special = f", {MARKS[point.mark]}" if point.mark in MARKS else ""
        self.drawing.mark(point.mark, style, at, self.y.at(point.y.value), f"{tip}: {label(point.y)}{special}")


def _point(x, y):
    return f"{fixed(float(x), 1)},{fixed(float(y), 1)}"


def _tip(text):
    return f"<title>{_plain(text)}</title>"


def _plain(text):
    return escaped(re.sub(r"[\x00-\x1f\x7f]", " ", text))


def _width(text, size=FONT):
    """Of DejaVu Sans, one of the widest fonts that a browser uses for `system-ui`, rounded up."""
    return size * math.fsum(map(_character_width, text))


def _character_width(character):
    """As a share of the font's size."""
    if character > "\u2e00":
        return 1.4  # full-width scripts, symbols and emoji
    if character in "ijl'":
        return 0.29
    if character in " .,:;|()[]/frtIJ!-":
        return 0.42
    if character in "mwMWOQG@%…—":
        return 1.0
    return 0.84 if character > "\x7f" or character.isupper() or character in "+=<>" else 0.65


def _shortened(text, size, width):
    """The text itself, or its beginning with an ellipsis if it is wider."""
    if _width(text, size) <= width + 0.1:
        return text
    while text and _width(text + "…", size) > width:
        text = text[:-1]
    return text.rstrip() + "…"


def _wrapped(text, size, width):
    """Lines of at most this width, broken at spaces. The last line may be wider if it cannot be broken or
    the lines are used up; the drawing shortens it."""
    lines, line = [], ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if not line or len(lines) == MOST_LINES - 1 or _width(longer, size) <= width + 0.1:
            line = longer
        else:
            lines.append(line)
            line = word
    return lines + [line] if line else lines
