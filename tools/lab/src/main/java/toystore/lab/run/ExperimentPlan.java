package toystore.lab.run;

import static java.util.Map.entry;
import static toystore.common.RootLocale.format;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import toystore.clients.load.Scenario;
import toystore.lab.load.JsonFile;

/// What an experiment measures and which questions it answers, fixed before it runs: a JSON file.
/// What it omits has a default.
///
/// @param name such as `query-vs-buy`
/// @param question in one sentence
/// @param published its name in published.csv; empty: none
/// @param subjects names of [Subject]s; the first is the baseline, which is started twice in each
///   block
/// @param optional those of the subjects that are measured only if they are named
/// @param brief whether a block has a single start of the baseline, and the load client is
///   calibrated once a block and not once a start
/// @param scenario file of the requests; empty: those of the store
/// @param kinds kinds of requests
/// @param followUp three kinds, such as a query, a buy and a look-up of an order: after a correct
///   response to the first, each client calls the second with the same values, with the probability
///   that the condition names, such as `20 % buy`; at the end of the cell it calls the third once
///   for each response to the second. A wrong response to the third ends the run. Empty: none
/// @param kindsOf the kinds of a subject that has not all of them, by subject
/// @param clients numbers of clients, ascending
/// @param moreCells further cells, see [CellKey#parse]; one of the kind `query+buy` has both kinds
///   at once, each with its share of the clients, and measures the first; in one of the kind `buy
///   burst` all clients connect at once and each sends one request, whose latency includes the wait
///   for a connection
/// @param conditions what is switched at run time, such as `28 ms`; empty text: nothing
/// @param course what is called after the cells, to show figures over time
/// @param coldPass the published pass
/// @param warmUpSeconds duration of the mixed load before the cells
/// @param repetitions measurements of each cell in a start; 2 unless stated
/// @param settlingMillis time at the begin of a cell that is not measured; 500 unless stated
/// @param measuringMillis measured time of a cell; 2,000 unless stated
/// @param contrasts at most six; all other figures are exploratory
/// @param openShares rates of the open loop, as shares of the closed loop's highest rate in the
///   same start
/// @param maxSteal share of the CPU time taken by other virtual machines above which a block is run
///   again; 0.02 unless stated
/// @param seed of the order of starts and cells, and of the requests
public record ExperimentPlan(
    @JsonProperty(required = true) String name,
    @JsonProperty(required = true) String title,
    @JsonProperty(required = true) String question,
    String published,
    @JsonProperty(required = true) List<String> subjects,
    List<String> optional,
    boolean brief,
    String scenario,
    @JsonProperty(required = true) List<String> kinds,
    List<String> followUp,
    Map<String, List<String>> kindsOf,
    @JsonProperty(required = true) List<Integer> clients,
    List<String> moreCells,
    List<String> conditions,
    TimeCourse course,
    List<ColdCell> coldPass,
    @JsonProperty(required = true) double warmUpSeconds,
    int warmUpClients,
    int repetitions,
    int settlingMillis,
    int measuringMillis,
    @JsonProperty(required = true) int blocks,
    List<PlannedContrast> contrasts,
    List<Double> openShares,
    double maxSteal,
    long seed) {
  private static final int MAX_CONTRASTS = 6;

  /// A comparison: the product of the mean latencies of the cells `of` ÷ the product of those of
  /// `to`. Two and two compare growths.
  ///
  /// @param of cells; see [CellKey#parse]
  /// @param percentile compares this percentile of the latencies instead of their means; 0: means
  public record PlannedContrast(String name, List<String> of, List<String> to, int percentile) {}

  /// A cell of the published pass.
  ///
  /// @param calls number of calls of each client
  public record ColdCell(String kind, int clients, int calls) {}

  /// Kinds that are called one after the other.
  ///
  /// @param clients number of clients
  /// @param intervals number of rows of each kind
  /// @param millis duration of an interval
  public record TimeCourse(List<String> kinds, int clients, int intervals, int millis) {
    private static final TimeCourse NONE = new TimeCourse(List.of(), 0, 0, 0);

    private TimeCourse shortened() {
      return new TimeCourse(kinds, clients, Math.min(2, intervals), millis);
    }
  }

  public ExperimentPlan {
    if (subjects.isEmpty() || kinds.isEmpty() || clients.isEmpty()) {
      throw new IllegalArgumentException(
          format(
              "expected at least one of subjects, kinds and clients, got %s, %s and %s",
              subjects, kinds, clients));
    }
    published = published == null ? "" : published;
    optional = optional == null ? List.of() : List.copyOf(optional);
    scenario = scenario == null ? "" : scenario;
    followUp = followUp == null ? List.of() : List.copyOf(followUp);
    kindsOf = kindsOf == null ? Map.of() : Map.copyOf(kindsOf);
    moreCells = moreCells == null ? List.of() : List.copyOf(moreCells);
    conditions = conditions == null ? List.of("") : List.copyOf(conditions);
    course = course == null ? TimeCourse.NONE : course;
    coldPass = coldPass == null ? List.of() : List.copyOf(coldPass);
    warmUpClients = warmUpClients == 0 ? clients.getLast() : warmUpClients;
    repetitions = repetitions == 0 ? 2 : repetitions;
    settlingMillis = settlingMillis == 0 ? 500 : settlingMillis;
    measuringMillis = measuringMillis == 0 ? 2_000 : measuringMillis;
    contrasts = contrasts == null ? List.of() : List.copyOf(contrasts);
    openShares = openShares == null ? List.of() : List.copyOf(openShares);
    maxSteal = maxSteal == 0 ? 0.02 : maxSteal;
    if (!followUp.isEmpty() && followUp.size() != 3) {
      throw new IllegalArgumentException(
          name + ": followUp: expected three kinds, got " + followUp);
    }
    if (contrasts.size() > MAX_CONTRASTS) {
      throw new IllegalArgumentException(
          name + ": expected at most " + MAX_CONTRASTS + " contrasts, got " + contrasts.size());
    }
  }

  /// @param file its name, for messages
  /// @throws IOException with what was expected
  public static ExperimentPlan parse(String json, String file) throws IOException {
    ExperimentPlan plan = JsonFile.parse(json, ExperimentPlan.class, file);
    for (PlannedContrast contrast : plan.contrasts) {
      for (CellKey cell : CellKey.all(contrast)) {
        if (!plan.cells(cell.subject()).contains(cell)) {
          throw new IOException(
              file + ": contrast \"" + contrast.name() + "\": the plan has no cell " + cell);
        }
      }
    }
    return plan;
  }

  public String json() throws IOException {
    return JsonFile.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(this);
  }

  /// All cells of a subject, those of `moreCells` last.
  public List<CellKey> cells(String subject) {
    var cells = new ArrayList<CellKey>();
    if (subjects.contains(subject)) {
      for (String condition : conditions) {
        for (String kind : kindsOf.getOrDefault(subject, kinds)) {
          clients.forEach(it -> cells.add(new CellKey(subject, condition, it, kind)));
        }
      }
      CellKey.all(moreCells).stream()
          .filter(it -> it.subject().equals(subject))
          .forEach(cells::add);
    }
    return cells;
  }

  /// A kind as the load client calls it.
  String called(String kind) {
    return followUp.isEmpty() ? kind : String.join(">", followUp);
  }

  private ExperimentPlan with(Map<String, ?> values) {
    return JsonFile.with(this, fields -> values.forEach(fields::putPOJO));
  }

  /// The same plan without its other subjects.
  ///
  /// @param some empty: those that are not optional
  /// @throws IOException if it has not all of them
  public ExperimentPlan only(Collection<String> some) throws IOException {
    if (!subjects.containsAll(some)) {
      throw new IOException(name + ": expected some of its subjects " + subjects + ", got " + some);
    }
    if (some.isEmpty()) {
      return only(subjects.stream().filter(it -> !optional.contains(it)).toList());
    }
    return with(
        Map.of(
            "subjects", subjects.stream().filter(some::contains).toList(),
            "contrasts", contrasts(it -> some.contains(it.subject()))));
  }

  private List<PlannedContrast> contrasts(Predicate<CellKey> ofCells) {
    return contrasts.stream().filter(it -> CellKey.all(it).stream().allMatch(ofCells)).toList();
  }

  public String baseline() {
    return subjects.getFirst();
  }

  /// The same plan for a first impression: two blocks, short cells, few of them.
  public ExperimentPlan quick() {
    List<Integer> few = firstAndLast(clients);
    List<String> switched = firstAndLast(conditions);
    return with(
        Map.ofEntries(
            entry("warmUpSeconds", Math.min(warmUpSeconds, 2)),
            entry("repetitions", 2),
            entry("settlingMillis", 100),
            entry("measuringMillis", 200),
            entry("blocks", 2),
            entry("maxSteal", 1),
            entry("clients", few),
            entry("conditions", switched),
            entry("coldPass", coldPass.stream().map(ExperimentPlan::shortened).toList()),
            entry("course", course.shortened()),
            entry("openShares", openShares.isEmpty() ? List.of() : List.of(0.5)),
            entry(
                "contrasts",
                contrasts(it ->
                    moreCells.contains(it.toString())
                        || few.contains(it.clients()) && switched.contains(it.condition())))));
  }

  private static <T> List<T> firstAndLast(List<T> all) {
    return Stream.of(all.getFirst(), all.getLast()).distinct().toList();
  }

  private static ColdCell shortened(ColdCell cell) {
    return new ColdCell(cell.kind(), cell.clients(), Math.min(20, cell.calls()));
  }

  /// The same plan with starts of another duration: 58 % of it are the warm-up, 10 % the pause
  /// after it, and 21 % the cells. With two repetitions, 11 % remain for running each cell once
  /// beforehand.
  ///
  /// @param seconds from the begin of the warm-up to the end of the last cell
  public ExperimentPlan withStartSeconds(double seconds) {
    int cells = kinds.size() * clients.size() * conditions.size() * repetitions;
    double cellMillis = 210 * seconds / cells;
    return with(
        Map.of(
            "warmUpSeconds", Math.rint(0.58 * seconds),
            "settlingMillis", (int) (0.1 * cellMillis),
            "measuringMillis", (int) (0.9 * cellMillis)));
  }

  /// The requests, without what the subject determines.
  ///
  /// @throws IOException with the file, the field and what was expected
  Scenario requests() throws IOException {
    if (scenario.isEmpty()) {
      return Scenario.ofStore();
    }
    if (Files.notExists(Path.of(scenario))) {
      throw new IOException(format("expected a scenario in %s, which does not exist", scenario));
    }
    return JsonFile.parse(Files.readString(Path.of(scenario)), Scenario.class, scenario);
  }

  /// @param file of the requests
  ExperimentPlan withScenario(Path file) {
    return with(Map.of("scenario", file.toString()));
  }
}
