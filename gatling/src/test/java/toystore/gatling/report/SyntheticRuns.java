package toystore.gatling.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.HdrHistogram.Histogram;
import toystore.gatling.result.Cell;
import toystore.gatling.result.ObservedValue;
import toystore.gatling.result.RepetitionSummary;
import toystore.gatling.result.RunFolder;

/// Writes runs with synthetic data: the latencies of a cell follow a formula, with random noise
/// from a fixed seed.
final class SyntheticRuns {
  private static final int CALLS = 1_000;

  private final Path folder;
  private int repetitions = 5;
  private double noise = 0.01;

  SyntheticRuns(Path folder) {
    this.folder = folder;
  }

  SyntheticRuns repetitions(int repetitions) {
    this.repetitions = repetitions;
    return this;
  }

  /// @param noise the standard deviation of a repetition's mean, as a share of it
  SyntheticRuns noise(double noise) {
    this.noise = noise;
    return this;
  }

  /// A cell's mean latency.
  interface Formula {
    double micros(String subject, int clients, String kind);
  }

  /// `query-vs-buy`: a query takes 1 ms, a buy 3; each further client adds half of that.
  RunFolder queryVsBuy() throws IOException {
    return run("query-vs-buy", "processes", List.of(1, 2, 5), Map.of(), SyntheticRuns::plain);
  }

  /// `containers`: `bridge` takes 1.5 times as long as `processes`, `overlay` as long as `bridge`,
  /// others as long as `processes`.
  RunFolder containers() throws IOException {
    return run(
        "containers",
        "processes together host bridge published overlay",
        List.of(1, 5),
        Map.of("subject.overlay.against", "bridge"),
        (subject, clients, kind) ->
            plain(subject, clients, kind) * (subject.matches("bridge|overlay") ? 1.5 : 1));
  }

  /// `remote`: a query waits for one round trip between client and frontend and one between
  /// services; a buy waits for one and two.
  RunFolder remote() throws IOException {
    var about = new HashMap<String, String>();
    var subjects = new ArrayList<>(List.of("none"));
    for (String distance : List.of("client", "services")) {
      for (String added : List.of("0.1", "1", "10", "20")) {
        String subject = distance + "-" + added;
        subjects.add(subject);
        about.put("subject." + subject + ".added-ms", added);
        about.put("subject." + subject + ".distance", distance);
      }
    }
    return run(
        "remote",
        String.join(" ", subjects),
        List.of(1, 5),
        about,
        (subject, clients, kind) ->
            plain(subject, clients, kind)
                + added(subject, "client") * 1e3
                + added(subject, "services") * 1e3 * (kind.equals("buy") ? 2 : 1));
  }

  /// `noise`: the same store twice.
  RunFolder noise() throws IOException {
    return run("noise", "a b", List.of(1, 5), Map.of(), SyntheticRuns::plain);
  }

  static double plain(String subject, int clients, String kind) {
    return (kind.equals("buy") ? 3_000 : 1_000) * (1 + 0.5 * (clients - 1));
  }

  private static double added(String subject, String distance) {
    return subject.startsWith(distance)
        ? Double.parseDouble(subject.substring(distance.length() + 1))
        : 0;
  }

  RunFolder run(
      String experiment,
      String subjects,
      List<Integer> clients,
      Map<String, String> more,
      Formula formula)
      throws IOException {
    var random = new Random(experiment.hashCode());
    RunFolder run =
        RunFolder.create(folder.resolve(experiment), about(experiment, subjects, clients, more));
    for (int repetition = 1; repetition <= repetitions; repetition++) {
      double machine =
          1 + 10 * noise * random.nextGaussian(); // what all cells of a repetition share
      for (String subject : subjects.split(" ")) {
        for (int count : clients) {
          for (String kind : List.of("buy", "query")) {
            double chance = machine * (1 + noise * random.nextGaussian());
            add(
                run,
                repetition,
                new Cell(subject, count, kind),
                formula.micros(subject, count, kind) * chance);
          }
        }
      }
    }
    run.note(Map.of("finished", "2026-07-01T13:00:00+02:00", "seconds", "3723"));
    return RunFolder.read(run.folder());
  }

  private Map<String, String> about(
      String experiment, String subjects, List<Integer> clients, Map<String, String> more) {
    var about = new HashMap<String, String>();
    about.put("experiment", experiment);
    about.put("title", "Synthetic " + experiment);
    about.put("question", "What do <planted> figures | look like?");
    about.put("published", experiment.equals("noise") ? "" : "query-vs-buy");
    about.put("subjects", subjects);
    about.put("clients", String.join(",", clients.stream().map(String::valueOf).toList()));
    about.put("repetitions", String.valueOf(repetitions));
    about.put("quick", "false");
    about.put("started", "2026-07-01T12:00:00+02:00");
    about.put("sessions", "1");
    about.put("commit", "0123abc");
    about.put("version", "0.1.0");
    about.put("cpu", "A synthetic processor");
    about.put("cores", "2");
    about.put("memory", "8 GB");
    about.put("os", "Linux 6.1");
    about.put("java", "25.0.3");
    about.put("engine", "Docker 29.1");
    about.put("gatling", "3.15.1");
    about.put("calls.query", String.valueOf(CALLS));
    about.put("calls.buy", String.valueOf(CALLS));
    about.put("command", "./toystore lab " + experiment);
    for (String subject : subjects.split(" ")) {
      about.put("subject." + subject, "the store as " + subject);
      about.put("audit." + subject, "ok: books and stock agree");
    }
    about.putAll(more);
    return about;
  }

  static void add(RunFolder run, int repetition, Cell cell, double mean) throws IOException {
    var micros = new Histogram(3);
    for (int call = 0; call < CALLS; call++) {
      micros.recordValue(Math.round(mean * (0.9 + 0.2 * call / CALLS)));
    }
    var strain = new RepetitionSummary.Strain(0.4, 0.7, 0.02 * mean, 900);
    var sample =
        new RepetitionSummary(
            repetition,
            cell,
            (long) CALLS * cell.clients(),
            mean,
            micros.getValueAtPercentile(50),
            micros.getValueAtPercentile(95),
            micros.getValueAtPercentile(99),
            micros.getMaxValue(),
            CALLS * mean * 1.02 / 1e6,
            strain);
    run.add(sample, micros, observations(repetition, cell, mean));
  }

  // a buy is half commit; the rest is shared as a query's
  private static List<ObservedValue> observations(int repetition, Cell cell, double mean) {
    var seen = new ArrayList<ObservedValue>();
    if (cell.clients() > 1) {
      return seen;
    }
    if (cell.subject().equals("mutex")) {
      seen.add(new ObservedValue(repetition, cell, "operation", mean, "ns"));
    }
    boolean buys = cell.kind().equals("buy");
    double rest = buys ? mean / 2 : mean;
    if (buys) {
      seen.add(new ObservedValue(repetition, cell, "part.commit", mean * 0.4, "µs"));
      seen.add(new ObservedValue(repetition, cell, "part.sync", mean * 0.3, "µs"));
      seen.add(new ObservedValue(repetition, cell, "part.queue", mean * 0.04, "µs"));
      seen.add(new ObservedValue(repetition, cell, "part.decide", mean * 0.01, "µs"));
      seen.add(new ObservedValue(repetition, cell, "part.order", mean * 0.05, "µs"));
      seen.add(new ObservedValue(repetition, cell, "calls.order.PlaceOrder", 1, "calls"));
      seen.add(new ObservedValue(repetition, cell, "calls.catalog.Sell", 1, "calls"));
    } else {
      seen.add(new ObservedValue(repetition, cell, "calls.catalog.GetProduct", 1, "calls"));
    }
    seen.add(new ObservedValue(repetition, cell, "part.network", rest * 0.3, "µs"));
    seen.add(new ObservedValue(repetition, cell, "part.frontend", rest * 0.5, "µs"));
    seen.add(new ObservedValue(repetition, cell, "part.catalog", rest * 0.2, "µs"));
    seen.add(new ObservedValue(repetition, cell, "part.whole", mean, "µs"));
    seen.add(
        new ObservedValue(
            repetition, cell, "round-trip", 50 + added(cell.subject(), "client") * 1e3, "µs"));
    seen.add(
        new ObservedValue(
            repetition,
            cell,
            "round-trip.services",
            60 + added(cell.subject(), "services") * 1e3,
            "µs"));
    return seen;
  }
}
