package toystore.bazaarlab;

import java.io.IOException;
import java.util.List;
import org.HdrHistogram.Histogram;
import toystore.gatling.result.Cell;
import toystore.gatling.result.Observation;
import toystore.gatling.result.Sample;

/// What is measured at a time, once a repetition. One thread.
interface Measurement {
  /// What it measures: more than one where calls are mixed.
  List<Cell> cells();

  /// How many calls all clients make, about.
  long calls();

  /// @return a result a cell
  /// @throws IOException where nobody answers
  /// @throws WrongAnswer where an answer is wrong
  List<Result> measure(int repetition) throws IOException, InterruptedException;

  /// What is stored of a cell.
  record Result(Sample sample, Histogram micros, List<Observation> observations) {}
}
