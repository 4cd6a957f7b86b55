package toystore.gatling.report;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import toystore.gatling.result.Cell;
import toystore.gatling.result.ObservedValue;
import toystore.gatling.result.RepetitionSummary;
import toystore.gatling.result.RunFolder;

/// The data of a run by cell, in ms instead of µs. Any thread.
final class RunByCell {
  private static final double MICROS = 1_000;

  private final RunFolder run;
  private final Map<Cell, List<RepetitionSummary>> samples;
  private final Map<Cell, List<ObservedValue>> observations;
  private final Map<Cell, Histogram> histograms;
  private final Map<Cell, SortedMap<Integer, Double>> means;
  private final Map<ObservationKey, Double> seen;
  private final TreeSet<Integer> clients;
  private final List<String> kinds;
  private final List<Cell> cells;
  private final List<String> subjects;

  // an observation of a subject in a repetition
  private record ObservationKey(int repetition, String subject, String name) {}

  private RunByCell(RunFolder run, Map<Cell, Histogram> histograms) {
    this.run = run;
    this.samples = run.samples().stream().collect(Collectors.groupingBy(RepetitionSummary::cell));
    this.observations =
        run.observations().stream().collect(Collectors.groupingBy(ObservedValue::cell));
    this.histograms = histograms;
    this.means = samples.keySet().stream().collect(Collectors.toMap(cell -> cell, this::meansOf));
    this.seen =
        run.observations().stream()
            .collect(
                Collectors.groupingBy(
                    it -> new ObservationKey(it.repetition(), it.cell().subject(), it.name()),
                    Collectors.averagingDouble(ObservedValue::value)));
    this.clients =
        samples.keySet().stream().map(Cell::clients).collect(Collectors.toCollection(TreeSet::new));
    this.kinds = kinds(samples.keySet());
    this.cells = cells(run.subjects());
    this.subjects = cells.stream().map(Cell::subject).distinct().toList();
  }

  private SortedMap<Integer, Double> meansOf(Cell cell) {
    var means = new TreeMap<Integer, Double>();
    samples(cell).forEach(it -> means.put(it.repetition(), it.meanMicros() / MICROS));
    return Collections.unmodifiableSortedMap(means);
  }

  private static List<String> kinds(Set<Cell> cells) {
    return cells.stream()
        .map(Cell::kind)
        .distinct()
        .sorted(
            Comparator.comparing((String kind) -> !kind.equals("query"))
                .thenComparing(kind -> kind))
        .toList();
  }

  private List<Cell> cells(List<String> subjects) {
    return subjects.stream()
        .flatMap(subject ->
            clients.stream()
                .flatMap(count -> kinds.stream().map(kind -> new Cell(subject, count, kind))))
        .filter(this::has)
        .toList();
  }

  static RunByCell of(RunFolder run) throws IOException {
    return new RunByCell(run, run.histograms());
  }

  RunFolder run() {
    return run;
  }

  String experiment() {
    return run.about("experiment");
  }

  /// The measured subjects, in the order of the run.
  List<String> subjects() {
    return subjects;
  }

  /// Queries first, others by name.
  List<String> kinds() {
    return kinds;
  }

  NavigableSet<Integer> clients() {
    return Collections.unmodifiableNavigableSet(clients);
  }

  /// The smallest and the largest number of clients.
  Set<Integer> ends() {
    return clients.isEmpty()
        ? Set.of()
        : new LinkedHashSet<>(List.of(clients.first(), clients.last()));
  }

  /// By subject, clients and kind.
  List<Cell> cells() {
    return cells;
  }

  boolean has(Cell cell) {
    return samples.containsKey(cell);
  }

  List<RepetitionSummary> samples(Cell cell) {
    return samples.getOrDefault(cell, List.of());
  }

  /// In ms, by repetition.
  SortedMap<Integer, Double> means(Cell cell) {
    return means.getOrDefault(cell, Collections.emptySortedMap());
  }

  /// In ms.
  Estimate mean(Cell cell) {
    return Estimate.ofMean(means(cell).values()).notNegative();
  }

  /// How much slower the first repetition was than the last: the quotient of their means over all
  /// cells, each relative to its cell's mean. 1 for a store whose speed did not change.
  double firstOverLast() {
    return relative(SortedMap::firstKey) / relative(SortedMap::lastKey);
  }

  private double relative(Function<SortedMap<Integer, Double>, Integer> repetition) {
    return cells.stream()
        .mapToDouble(cell ->
            requireNonNull(means(cell).get(repetition.apply(means(cell)))) / mean(cell).value())
        .average()
        .orElse(Double.NaN);
  }

  Estimate each(Cell cell, ToDoubleFunction<RepetitionSummary> figure) {
    return Estimate.ofMean(samples(cell).stream().mapToDouble(figure).boxed().toList());
  }

  Estimate perSecond(Cell cell) {
    return each(cell, RepetitionSummary::perSecond);
  }

  /// The throughput of a closed loop of clients that make each call at once (Little's law): clients
  /// ÷ mean latency, computed per repetition.
  double clientsOverMean(Cell cell) {
    return means(cell).values().stream()
        .mapToDouble(millis -> cell.clients() * 1e3 / millis)
        .average()
        .orElse(Double.NaN);
  }

  long calls(Cell cell) {
    return samples(cell).stream().mapToLong(RepetitionSummary::count).sum();
  }

  /// In ms, over all calls of all repetitions; NaN if no histogram was stored.
  double percentile(Cell cell, double percentile) {
    Histogram micros = histograms.get(cell);
    return micros == null ? Double.NaN : micros.getValueAtPercentile(percentile) / MICROS;
  }

  /// In ms.
  double max(Cell cell) {
    return samples(cell).stream().mapToLong(RepetitionSummary::maxMicros).max().orElse(0) / MICROS;
  }

  /// By repetition; several observations of a repetition are averaged.
  SortedMap<Integer, Double> observed(Cell cell, String name) {
    return new TreeMap<>(
        observations.getOrDefault(cell, List.of()).stream()
            .filter(it -> it.name().equals(name))
            .collect(
                Collectors.groupingBy(
                    ObservedValue::repetition, Collectors.averagingDouble(ObservedValue::value))));
  }

  /// The rest of the names with this prefix, in the order of observation.
  List<String> observedNames(Cell cell, String prefix) {
    return observations.getOrDefault(cell, List.of()).stream()
        .map(ObservedValue::name)
        .filter(name -> name.startsWith(prefix))
        .map(name -> name.substring(prefix.length()))
        .distinct()
        .toList();
  }

  /// In ms, the mean over all cells of the subject in that repetition.
  OptionalDouble observedMillis(int repetition, String subject, String name) {
    Double micros = seen.get(new ObservationKey(repetition, subject, name));
    return micros == null ? OptionalDouble.empty() : OptionalDouble.of(micros / MICROS);
  }

  /// The subject to compare with; empty for the first subject.
  Optional<String> against(String subject) {
    String first = run.subjects().getFirst();
    String against = run.about("subject." + subject + ".against");
    return Optional.of(against.isEmpty() ? first : against)
        .filter(other -> !other.equals(subject) && !subject.equals(first));
  }
}
