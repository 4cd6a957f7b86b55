package toystore.bazaarlab;

import java.io.IOException;
import java.util.List;
import org.HdrHistogram.Histogram;
import toystore.gatling.result.Cell;
import toystore.gatling.result.ObservedValue;
import toystore.gatling.result.RepetitionSummary;

/// One measurement, repeated in each repetition. One thread.
interface BenchmarkCase {
  /// The cells it measures; more than one if calls are mixed.
  List<Cell> cells();

  /// Approximate number of calls by all clients.
  long calls();

  /// @return one result per cell
  /// @throws IOException if there is no response
  /// @throws WrongResponseException if a response is wrong
  List<Result> measure(int repetition) throws IOException, InterruptedException;

  /// The stored data of one cell.
  record Result(RepetitionSummary sample, Histogram micros, List<ObservedValue> observations) {}
}
