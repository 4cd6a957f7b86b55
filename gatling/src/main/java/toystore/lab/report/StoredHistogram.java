package toystore.lab.report;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;

/// A histogram stored as a line of HdrHistogram's log.
final class StoredHistogram {
  private StoredHistogram() {}

  /// @throws IllegalArgumentException if the line has no histogram
  static Histogram read(String line) {
    try (var reader =
        new HistogramLogReader(
            new ByteArrayInputStream((line + "\n").getBytes(StandardCharsets.UTF_8)))) {
      if (reader.nextIntervalHistogram() instanceof Histogram histogram) {
        return histogram;
      }
      throw new IllegalArgumentException("expected a histogram, got " + line);
    }
  }
}
