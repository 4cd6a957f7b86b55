package toystore.gatling.report;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.TreeSet;
import toystore.gatling.result.Cell;

/// The number of delayed round trips that a call waits for: the least-squares slope of its mean
/// latency over the measured round trip, computed per repetition, with Student's t over
/// repetitions.
///
/// @param distance the delayed path: `client` (between client and frontend) or `services`
record Slope(RunByCell measured, String distance, int clients, String kind) {
  static final String CLIENT = "client";
  private static final String FREE = "none";

  /// A subject's measured round trip (x) and mean latency (y), both in ms.
  record Point(double x, double y) {}

  /// Distances of the run, in the order of its subjects.
  static List<String> distances(RunByCell measured) {
    return measured.subjects().stream()
        .map(subject -> distance(measured, subject))
        .filter(distance -> !distance.isEmpty() && !distance.equals(FREE))
        .distinct()
        .toList();
  }

  static String distance(RunByCell measured, String subject) {
    return measured.run().about("subject." + subject + ".distance");
  }

  /// The name of the observation of that round trip, in µs.
  static String observation(String distance) {
    return distance.equals(CLIENT) ? "round-trip" : "round-trip." + distance;
  }

  /// The subjects that differ only in this distance: the first subject and those with this
  /// distance.
  List<String> subjects() {
    String first = measured.run().subjects().getFirst();
    return measured.subjects().stream()
        .filter(subject -> subject.equals(first) || distance(measured, subject).equals(distance))
        .toList();
  }

  boolean isMeasured() {
    return !slopes().isEmpty();
  }

  /// @throws IllegalArgumentException if no repetition has two distances
  Estimate times() {
    return Estimate.ofMean(slopes());
  }

  private List<Double> slopes() {
    var repetitions = new TreeSet<Integer>();
    subjects().forEach(subject -> repetitions.addAll(measured.means(cell(subject)).keySet()));
    return repetitions.stream().map(this::points).filter(Slope::isLine).map(Slope::slope).toList();
  }

  private Cell cell(String subject) {
    return new Cell(subject, clients, kind);
  }

  private List<Point> points(int repetition) {
    var points = new ArrayList<Point>();
    for (String subject : subjects()) {
      Double mean = measured.means(cell(subject)).get(repetition);
      OptionalDouble trip = measured.observedMillis(repetition, subject, observation(distance));
      if (mean != null && trip.isPresent()) {
        points.add(new Point(trip.getAsDouble(), mean));
      }
    }
    return points;
  }

  private static boolean isLine(List<Point> points) {
    return points.stream().map(Point::x).distinct().count() > 1;
  }

  private static double slope(List<Point> points) {
    double meanX = points.stream().mapToDouble(Point::x).average().orElse(0);
    double meanY = points.stream().mapToDouble(Point::y).average().orElse(0);
    double xy = points.stream().mapToDouble(it -> (it.x() - meanX) * (it.y() - meanY)).sum();
    double xx = points.stream().mapToDouble(it -> Math.pow(it.x() - meanX, 2)).sum();
    return xy / xx;
  }

  /// The measured round trips of a subject, in ms, one per repetition.
  static List<Double> roundTrips(RunByCell measured, String subject, String distance) {
    return measured.run().samples().stream()
        .filter(sample -> sample.cell().subject().equals(subject))
        .map(sample -> sample.repetition())
        .distinct()
        .map(repetition -> measured.observedMillis(repetition, subject, observation(distance)))
        .filter(OptionalDouble::isPresent)
        .map(OptionalDouble::getAsDouble)
        .toList();
  }
}
