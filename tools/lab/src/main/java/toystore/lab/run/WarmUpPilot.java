package toystore.lab.run;

import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import toystore.lab.load.CellRow;

/// Finds how long a subject must be warmed up, from a start that was warmed up for much longer.
public final class WarmUpPilot {
  private static final double STEADY_WITHIN = 0.05;
  private static final int WINDOW_SECONDS = 10;

  private WarmUpPilot() {}

  /// A sentence for each subject.
  ///
  /// @param rows of one start of each
  public static List<String> answers(List<BlockRow> rows) {
    return rows.stream()
        .filter(it -> it.cell().phase().equals("warm-up"))
        .collect(
            Collectors.groupingBy(
                BlockRow::subject,
                TreeMap::new,
                Collectors.mapping(BlockRow::cell, Collectors.toList())))
        .entrySet()
        .stream()
        .map(it -> answer(it.getKey(), it.getValue()))
        .toList();
  }

  private static String answer(String subject, List<CellRow> seconds) {
    int from = warmUpSeconds(seconds);
    if (from == seconds.size()) {
      return subject + ": not steady within " + from + " s";
    }
    long rate = Math.round(rate(seconds.subList(from, seconds.size())));
    return subject + ": steady after " + from + " s, at " + rate + " calls/s";
  }

  /// The first second after which the rate of every window of 10 s is within 5 % of the mean rate
  /// from there to the end.
  ///
  /// @param seconds the rows of the phase `warm-up`, one a second
  /// @return seconds; all of them if the rate never became steady
  public static int warmUpSeconds(List<CellRow> seconds) {
    for (int from = 0; from + 2 * WINDOW_SECONDS <= seconds.size(); from++) {
      if (isSteady(seconds.subList(from, seconds.size()))) {
        return from;
      }
    }
    return seconds.size();
  }

  private static boolean isSteady(List<CellRow> rest) {
    double mean = rate(rest);
    return IntStream.rangeClosed(0, rest.size() - WINDOW_SECONDS)
        .mapToDouble(it -> rate(rest.subList(it, it + WINDOW_SECONDS)))
        .allMatch(it -> Math.abs(it - mean) <= STEADY_WITHIN * mean);
  }

  private static double rate(List<CellRow> seconds) {
    return seconds.stream().mapToDouble(it -> it.count() / it.seconds()).average().orElse(0);
  }
}
