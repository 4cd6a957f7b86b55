/// Experiments on a running store, and the report made of what they measured.
///
/// ```
///  QueryVsBuySimulation        drives the clients and checks each answer (Gatling, in src/test as its plugin wants)
///        | one Measurement for each (clients, kind)
///        v
///     Results                  a folder: cells.csv and about.properties;
///        |                     Histograms adds cells.hlog and one .hgrm a cell
///        v
///     Report --> Table         aligned text
///            \-> LineChart     SVG
/// ```
///
/// An experiment is one simulation class; all that it hands over is a list of [Measurement]s, so
/// the lower half knows no experiment. Nothing in `src/main` knows Gatling: a report can be drawn
/// again from its folder years later.
@NullMarked
package toystore.gatling;

import org.jspecify.annotations.NullMarked;
