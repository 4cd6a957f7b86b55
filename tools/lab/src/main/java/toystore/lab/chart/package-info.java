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
/// The SVG is written directly. A JDK on a minimal machine has no fontconfig, and without it every
/// chart library that uses AWT (JFreeChart, XChart, Batik) fails at its first font. The browser
/// that shows the chart has its own fonts, which is why text widths are estimates that are rather
/// too large.
@NullMarked
package toystore.lab.chart;

import org.jspecify.annotations.NullMarked;
