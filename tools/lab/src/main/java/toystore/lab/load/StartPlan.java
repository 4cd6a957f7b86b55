package toystore.lab.load;

import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import toystore.clients.load.Scenario;

/// What the load client does with one started subject. It is written as JSON by the runner and read
/// by [LoadProgram].
///
/// @param url of the subject
/// @param scenario file of its requests; empty: those of the store
/// @param values additional values of the scenario, by variable
/// @param seed of all random choices
/// @param readyMillis time at which the subject was ready (`System.currentTimeMillis()`)
/// @param pids process id by service
/// @param metrics URL of the Prometheus page by service
/// @param nullServer URL of the null server; null: the load client is not calibrated
/// @param coldPass the published pass, before the warm-up, in this order
/// @param warmUpSeconds duration of the warm-up with all kinds in turns
/// @param warmUpClients its number of clients
/// @param cells the cells, in the order of each repetition
/// @param course what is called after the cells
/// @param openCells the cells of the open loop, after all others
/// @param settlingMillis time at the begin of a cell that is not measured
/// @param measuringMillis measured time of a cell
public record StartPlan(
    URI url,
    String scenario,
    Map<String, List<String>> values,
    long seed,
    long readyMillis,
    Map<String, Long> pids,
    Map<String, URI> metrics,
    @Nullable URI nullServer,
    List<ColdCell> coldPass,
    double warmUpSeconds,
    int warmUpClients,
    List<PlannedCell> cells,
    TimeCourse course,
    List<OpenCell> openCells,
    int settlingMillis,
    int measuringMillis) {

  /// A cell of the published pass.
  ///
  /// @param calls number of calls of each client
  public record ColdCell(String kind, int clients, int calls) {}

  /// A cell of one repetition.
  ///
  /// @param repetition from 1
  /// @param condition what [LoadProgram] asks for before the cell; empty: nothing
  /// @param probability of a follow-up, 0 to 1
  public record PlannedCell(
      int repetition, String kind, int clients, String condition, double probability) {}

  /// Kinds that are called one after the other.
  ///
  /// @param clients number of clients
  /// @param intervals number of rows of each kind
  /// @param millis duration of an interval
  public record TimeCourse(List<String> kinds, int clients, int intervals, int millis) {
    public static final TimeCourse NONE = new TimeCourse(List.of(), 0, 0, 0);

    /// The same course for a first impression.
    public TimeCourse shortened() {
      return new TimeCourse(kinds, clients, Math.min(2, intervals), millis);
    }
  }

  /// A cell of the open loop.
  ///
  /// @param rate requests per second
  public record OpenCell(String kind, double rate) {}

  /// The time without requests after the warm-up, in which the subject compiles what the warm-up
  /// has put into its compilers' queues: a sixth of the warm-up.
  public Duration pause() {
    return Duration.ofMillis((long) (warmUpSeconds * 1e3 / 6));
  }

  /// The least time for which the cells are run after the pause, before any is measured: a tenth of
  /// the warm-up.
  Duration cellWarmUp() {
    return Duration.ofMillis((long) (warmUpSeconds * 1e3 / 10));
  }

  Duration settling() {
    return Duration.ofMillis(settlingMillis);
  }

  Duration measuring() {
    return Duration.ofMillis(measuringMillis);
  }

  static StartPlan read(Path file) throws IOException {
    return JsonFile.MAPPER.readValue(file.toFile(), StartPlan.class);
  }

  /// Reads a scenario.
  ///
  /// @throws IOException with the file, the field and what was expected
  public static Scenario scenario(Path file) throws IOException {
    if (Files.notExists(file)) {
      throw new IOException(format("expected a scenario in %s, which does not exist", file));
    }
    return JsonFile.parse(Files.readString(file), Scenario.class, file.toString());
  }

  /// Its requests, with its values.
  Scenario requests() throws IOException {
    Scenario requests = scenario.isEmpty() ? Scenario.ofStore() : scenario(Path.of(scenario));
    for (Map.Entry<String, List<String>> value : values.entrySet()) {
      requests = requests.with(value.getKey(), value.getValue());
    }
    return requests;
  }

  /// The open loop after the cells of this plan, for another load client.
  public StartPlan after(List<OpenCell> open) {
    return JsonFile.with(
        this,
        fields ->
            fields
                .put("warmUpSeconds", 0)
                .putPOJO("coldPass", List.of())
                .putPOJO("cells", List.of())
                .putPOJO("course", TimeCourse.NONE)
                .putPOJO("openCells", open));
  }
}
