package toystore.gatling;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gatling.javaapi.core.Simulation;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import toystore.gatling.environment.Subject;
import toystore.gatling.result.ChartDefinition;
import toystore.gatling.result.RunFolder;

/// The metadata of a run: question, subjects, settings, machine, versions.
public final class RunMetadata {
  private RunMetadata() {}

  public static String now() {
    return ZonedDateTime.now()
        .truncatedTo(ChronoUnit.SECONDS)
        .format(DateTimeFormatter.ISO_OFFSET_DATE_TIME);
  }

  /// @param run with the stored metadata if the run is resumed
  public static Map<String, String> begun(
      ExperimentDesign design,
      LabSettings settings,
      ExperimentDesign.Effort effort,
      List<Subject> subjects,
      RunFolder run) {
    var about = new LinkedHashMap<String, String>();
    about.put("experiment", design.name());
    about.put("title", design.title());
    about.put("question", design.question());
    about.put("published", design.published());
    about.put("quick", String.valueOf(settings.quick()));
    about.put("clients", words(effort.clients().each()));
    about.put("repetitions", String.valueOf(effort.repetitions()));
    effort.calls().forEach((kind, calls) -> about.put("calls." + kind, String.valueOf(calls)));
    about.put("calls.timed", String.valueOf(effort.callsWithParts()));
    about.put("product", settings.product().orElse("all in stock"));
    about.put("subjects", words(subjects.stream().map(Subject::name).toList()));
    for (Subject subject : subjects) {
      about.put("subject." + subject.name(), subject.what());
      subject
          .about()
          .forEach((key, value) -> about.put("subject." + subject.name() + "." + key, value));
    }
    Subject first = subjects.getFirst();
    settings
        .target()
        .ifPresent(url ->
            about.put(
                "placement",
                placement(first.url(), first.roundTrips().get().values().iterator().next())));
    about.put("sessions", String.valueOf(Integer.parseInt("0" + run.about("sessions")) + 1));
    about.putAll(ChartDefinition.about(design.charts()));
    about.put("key", System.getProperty("key", ""));
    about.putAll(machine());
    settings
        .home()
        .ifPresent(home -> {
          about.putAll(commit(home));
          about.put(
              "command", "./toystore lab " + (settings.quick() ? "--quick " : "") + design.name());
        });
    return about;
  }

  private static String words(List<?> values) {
    return values.stream().map(String::valueOf).collect(Collectors.joining(" "));
  }

  static String placement(URI url, Duration roundTrip) {
    boolean isLoopback = new InetSocketAddress(url.getHost(), 0).getAddress().isLoopbackAddress();
    return "%s: %s, round trip %.3f ms"
        .formatted(
            isLoopback ? "on this machine" : "on another host", url, roundTrip.toNanos() / 1e6);
  }

  private static Map<String, String> machine() {
    var machine = new LinkedHashMap<String, String>();
    machine.put("cpu", field("/proc/cpuinfo", "model name"));
    machine.put("cores", String.valueOf(Runtime.getRuntime().availableProcessors()));
    machine.put("memory", field("/proc/meminfo", "MemTotal"));
    machine.put(
        "os",
        "%s %s %s"
            .formatted(
                System.getProperty("os.name"),
                System.getProperty("os.version"),
                System.getProperty("os.arch")));
    machine.put("java", Runtime.version().toString());
    machine.put(
        "gatling",
        Optional.ofNullable(Simulation.class.getPackage().getImplementationVersion()).orElse("?"));
    return machine;
  }

  private static String field(String file, String name) {
    try (var lines = Files.lines(Path.of(file))) {
      return lines
          .filter(line -> line.startsWith(name))
          .findFirst()
          .map(line -> line.substring(line.indexOf(':') + 1).strip().replaceAll("\\s+", " "))
          .orElse("?");
    } catch (IOException noLinux) {
      return "?";
    }
  }

  static Map<String, String> commit(Path home) {
    String commit = output(home, "git", "rev-parse", "--short=12", "HEAD");
    boolean changed = !output(home, "git", "status", "--porcelain", "-uno").isEmpty();
    return Map.of("commit", commit.isEmpty() ? "?" : commit + (changed ? ", with changes" : ""));
  }

  private static String output(Path folder, String... command) {
    try {
      var process = new ProcessBuilder(command).directory(folder.toFile()).start();
      process.getOutputStream().close();
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException absent) {
      return "";
    }
  }

  /// The result of an audit, in one line.
  public static String verdict(Supplier<String> audit) {
    try {
      var answer = new ObjectMapper().readTree(audit.get());
      JsonNode ok = answer.path("ok");
      return (ok.isNull() ? "unknown: " : ok.asBoolean(false) ? "ok: " : "wrong: ")
          + words(answer.findValuesAsText("detail")).replace(',', ';');
    } catch (JsonProcessingException | RuntimeException wrong) {
      return "wrong: " + wrong.getMessage();
    }
  }
}
