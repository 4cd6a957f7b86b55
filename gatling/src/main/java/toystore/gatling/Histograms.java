package toystore.gatling;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.HdrHistogram.HistogramLogWriter;

/// The histogram files of a results folder, in HdrHistogram's own formats, for its plotter and for
/// whoever wants a percentile that the table does not have. Apart from [Results], so that a report
/// can be made without that library.
final class Histograms {
  private Histograms() {}

  static void write(Path folder, List<Measurement> measurements) throws IOException {
    writeDistributions(folder, measurements);
    writeLog(folder, measurements);
  }

  private static void writeDistributions(Path folder, List<Measurement> measurements)
      throws IOException {
    for (Measurement measurement : measurements) {
      try (var out = print(folder.resolve(measurement.name() + ".hgrm"))) {
        measurement.micros().outputPercentileDistribution(out, 1.0);
      }
    }
  }

  private static void writeLog(Path folder, List<Measurement> measurements) throws IOException {
    try (var out = print(folder.resolve("cells.hlog"))) {
      var log = new HistogramLogWriter(out);
      log.outputLogFormatVersion();
      log.outputLegend();
      for (Measurement measurement : measurements) {
        log.outputIntervalHistogram(measurement.micros());
      }
    }
  }

  private static PrintStream print(Path file) throws IOException {
    return new PrintStream(Files.newOutputStream(file), false, StandardCharsets.UTF_8);
  }
}
