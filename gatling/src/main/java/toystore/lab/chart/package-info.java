/// Charts as SVG text. Plain Java without input or output.
@NullMarked
package toystore.lab.chart;

import org.jspecify.annotations.NullMarked;
