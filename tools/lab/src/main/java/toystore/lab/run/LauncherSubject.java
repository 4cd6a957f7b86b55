package toystore.lab.run;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A store that is started as users start it: `./toystore up --fresh`.
///
/// @param description for a summary
/// @param home the project folder, of this or of another commit
/// @param port port of the frontend
/// @param cores that it may use; 0: all
/// @param options further options of `up`, such as `--together`
public record LauncherSubject(
    String name, String description, Path home, int port, int cores, List<String> options)
    implements Subject {
  private static final Pattern SERVICE =
      Pattern.compile(
          "([a-z]+)-service +pid (\\d+), (?:gRPC (\\d+))?.*management (?:\\S*:)?(\\d+)");
  private static final Pattern XML = Pattern.compile("XML (\\d+)");
  private static final Pattern FRONTEND =
      Pattern.compile("(frontend)-service(-\\d+)? +pid (\\d+), HTTP (\\d+).*");
  private static final String ADMIN_TOKEN = "TOYSTORE_ADMIN_TOKEN";
  private static final int PRODUCTS = 200;

  /// A store on all cores.
  public LauncherSubject(
      String name, String description, Path home, int port, List<String> options) {
    this(name, description, home, port, 0, options);
  }

  @Override
  public boolean hasCondition(String condition) {
    return StoreCondition.matches(condition, StoreCondition::isDistanceToClients);
  }

  @Override
  public Running start(Path folder) throws IOException, InterruptedException {
    Path catalog = Files.writeString(folder.resolve("catalog.csv"), catalog());
    var command = new ArrayList<>(List.of("./toystore", "up", "--fresh"));
    command.addAll(List.of("--port", Integer.toString(port), "--catalog", catalog.toString()));
    command.addAll(options);
    var pids = new TreeMap<String, Long>();
    var metrics = new TreeMap<String, URI>();
    String token = UUID.randomUUID().toString();
    var values =
        new TreeMap<String, List<String>>(
            Map.of("product", products(), "admin_token", List.of(token)));
    var program =
        new StartedProgram(
            name, home, Map.of(ADMIN_TOKEN, token), StartedProgram.onCores(cores, command));
    String ready =
        program.awaitLine(line -> {
          addProcess(line, pids, metrics, values);
          return line.startsWith("ready http://");
        });
    URI url = URI.create(ready.split(" ", -1)[1]);
    return new Store(program, url, DelayRelay.to(port), pids, metrics, values);
  }

  /// Products that never run out of stock.
  private static String catalog() {
    return products().stream()
        .map(it -> String.format(Locale.ROOT, "%s,9.99,1000000000%n", it))
        .collect(Collectors.joining("", "name,price,quantity\n", ""));
  }

  /// Names of the products of every subject that sells.
  static List<String> products() {
    return IntStream.rangeClosed(1, PRODUCTS).mapToObj(it -> "Toy " + it).toList();
  }

  /// Adds the process that a line of the launcher names, if it names one.
  ///
  /// @param values receives its port, such as `account_port` or `frontend_2_port`
  private void addProcess(
      String line,
      Map<String, Long> pids,
      Map<String, URI> metrics,
      Map<String, List<String>> values) {
    Matcher service = SERVICE.matcher(line);
    Matcher frontend = FRONTEND.matcher(line);
    Matcher xml = XML.matcher(line);
    if (service.lookingAt()) {
      pids.put(service.group(1), Long.parseLong(service.group(2)));
      metrics.put(service.group(1), metrics(Integer.parseInt(service.group(4))));
      if (service.group(3) != null) {
        values.put(service.group(1) + "_port", List.of(service.group(3)));
      }
      if (xml.find()) {
        values.put("xml_port", List.of(xml.group(1)));
      }
    } else if (frontend.lookingAt() && options.contains("--together")) {
      pids.put("store", Long.parseLong(frontend.group(3)));
      metrics.put("store", metrics(port + 1));
    } else if (frontend.lookingAt()) {
      String name = frontend.group(1) + Objects.requireNonNullElse(frontend.group(2), "");
      pids.put(name, Long.parseLong(frontend.group(3)));
      values.put(name.replace('-', '_') + "_port", List.of(frontend.group(4)));
    }
  }

  private static URI metrics(int port) {
    return URI.create(String.format(Locale.ROOT, "http://127.0.0.1:%d/actuator/prometheus", port));
  }

  /// @param relay in front of the store, used at a distance only
  private record Store(
      StartedProgram program,
      URI url,
      DelayRelay relay,
      Map<String, Long> pids,
      Map<String, URI> metrics,
      Map<String, List<String>> values)
      implements Running {
    @Override
    public URI apply(String condition) throws IOException {
      Duration distance = StoreCondition.parse(condition).distance();
      if (distance.isZero()) {
        return url;
      }
      relay.setDistance(distance.minus(DelayRelay.BASE));
      return relay.url();
    }

    @Override
    public void close() throws IOException, InterruptedException {
      program.close();
      relay.close();
    }
  }
}
