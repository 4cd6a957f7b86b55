/// Charts as SVG text for the lab's pages. Plain Java without input or output.
///
/// ```
/// ForestPlot, StartsChart, CurveChart   what is shown
///  └─ Plot           axes, lines, intervals and points of a chart with two axes
///      ├─ Axis        a Scale (round ticks, linear or logarithmic) in pixels
///      └─ Drawing     the SVG elements, text that is wrapped or shortened to fit, and the legend
///          ├─ TextWidth    estimated width of a text
///          └─ SeriesStyle  point shape of a series
/// ChartStyle      colours and dashes: chart.css
/// ```
///
/// A chart is drawn in two layouts, because a wide chart on a phone has unreadable text:
/// [Chart#html] contains both, and CSS shows the one that fits; [Chart#file] is one of them as a
/// file. Nothing is drawn outside the view box, and an interval that leaves an axis ends in an
/// arrow.
///
/// The SVG is written directly. What a library draws (tried: JFreeChart 1.5 with JFreeSVG 5) has
/// its colours in each element, so that it does not follow a dark page, one width, no name for
/// screen readers, no tooltips, other ids in each run, and five times the bytes; and the libraries
/// use AWT, which fails at its first font where a JDK has no fontconfig. The browser that shows the
/// chart has its own fonts, which is why text widths are estimates that are rather too large.
@NullMarked
package toystore.lab.chart;

import org.jspecify.annotations.NullMarked;
