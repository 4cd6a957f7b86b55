package toystore.platform.service;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Describes a service to the service itself, the launcher, backups, images and tests. A service's
/// module contains it as `META-INF/toystore/PROGRAM.properties`. Plain Java, because the launcher
/// reads it without Spring.
///
/// @param program name of the module, its jar, settings file and log, such as `catalog-service`
/// @param name name of the service, such as `catalog`; its settings begin with `toystore.NAME`, and
///   other services call it by this name
/// @param protocol protocol of its port
/// @param port default port
/// @param managementPort default port for health and metrics
/// @param peers names of the services that it calls
/// @param database whether it has a database: `NAME/NAME.db` in the data folder, with the
///   migrations `db/NAME`; backups include it
/// @param heapMiB heap of a separate process, in MiB
/// @param startsLate whether the launcher starts it only when the others are ready: the store sells
///   without it
/// @param furtherPorts default ports of its further protocols, by name: the port of `xml` is the
///   setting `toystore.NAME.xml-port`
public record StoreServiceDescriptor(
    String program,
    String name,
    Protocol protocol,
    int port,
    int managementPort,
    List<String> peers,
    boolean database,
    int heapMiB,
    boolean startsLate,
    Map<String, Integer> furtherPorts) {
  /// Folder of the descriptors, on the class path and in a module's resources.
  public static final String FOLDER = "META-INF/toystore";

  /// Names of all services. A process knows those beside it, too: their settings may be in its
  /// environment.
  public static final List<String> NAMES =
      List.of("account", "catalog", "exchange", "frontend", "order", "payment");

  private static final String SUFFIX = ".properties";
  private static final List<String> KEYS =
      List.of(
          "database",
          "further-ports",
          "heap-mib",
          "management-port",
          "name",
          "peers",
          "port",
          "protocol",
          "starts-late");

  public enum Protocol {
    GRPC("gRPC"),
    HTTP("HTTP");

    private final String text;

    Protocol(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  public static StoreServiceDescriptor of(String program) {
    String resource = FOLDER + "/" + program + SUFFIX;
    try (InputStream text =
        StoreServiceDescriptor.class.getClassLoader().getResourceAsStream(resource)) {
      if (text == null) {
        throw new IllegalStateException(
            "service descriptor " + resource + " not found on the class path");
      }
      return read(program, new InputStreamReader(text, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The descriptors of a project's modules, each after its peers.
  ///
  /// @param root folder of the project, or of a release, whose folder `lib` has the descriptors
  public static List<StoreServiceDescriptor> ofProject(Path root) throws IOException {
    var found = new ArrayList<StoreServiceDescriptor>();
    for (Path file : files(root)) {
      String name = file.getFileName().toString();
      try (Reader text = Files.newBufferedReader(file)) {
        found.add(read(name.substring(0, name.length() - SUFFIX.length()), text));
      }
    }
    return peersFirst(found);
  }

  private static List<Path> files(Path root) throws IOException {
    Path lib = root.resolve("lib");
    boolean isRelease = Files.exists(lib.resolve("programs"));
    try (Stream<Path> files = Files.list(isRelease ? lib : root)) {
      return files
          .map(it ->
              isRelease
                  ? it
                  : it.resolve("src/main/resources/" + FOLDER).resolve(it.getFileName() + SUFFIX))
          .filter(it -> it.toString().endsWith(SUFFIX) && Files.exists(it))
          .sorted()
          .toList();
    }
  }

  /// Sorts the services so that each follows its peers; otherwise by port.
  ///
  /// @throws IllegalStateException if a peer is missing or services call each other in a circle
  public static List<StoreServiceDescriptor> peersFirst(List<StoreServiceDescriptor> services) {
    var left = new ArrayList<>(services);
    left.sort(Comparator.comparingInt(StoreServiceDescriptor::managementPort));
    left.sort(Comparator.comparing(StoreServiceDescriptor::protocol));
    left.sort(Comparator.comparingInt(it -> it.peers().size()));
    var ordered = new ArrayList<StoreServiceDescriptor>();
    var names = new HashSet<String>();
    while (!left.isEmpty()) {
      StoreServiceDescriptor next =
          left.stream()
              .filter(it -> names.containsAll(it.peers()))
              .findFirst()
              .orElseThrow(() ->
                  new IllegalStateException(
                      "services with unknown peers or circular calls: " + left));
      left.remove(next);
      names.add(next.name());
      ordered.add(next);
    }
    return List.copyOf(ordered);
  }

  /// @throws IllegalStateException with the program and the missing or unknown key
  public static StoreServiceDescriptor read(String program, Reader text) throws IOException {
    var properties = new Properties();
    properties.load(text);
    for (String key : properties.stringPropertyNames()) {
      if (!KEYS.contains(key)) {
        throw invalid(program, "unknown key " + key + "; known keys are " + KEYS);
      }
    }
    return new StoreServiceDescriptor(
        program,
        value(program, properties, "name"),
        Protocol.valueOf(value(program, properties, "protocol").toUpperCase(Locale.ROOT)),
        Integer.parseInt(value(program, properties, "port")),
        Integer.parseInt(value(program, properties, "management-port")),
        list(properties.getProperty("peers", "")),
        Boolean.parseBoolean(value(program, properties, "database")),
        Integer.parseInt(value(program, properties, "heap-mib")),
        Boolean.parseBoolean(properties.getProperty("starts-late", "false")),
        list(properties.getProperty("further-ports", "")).stream() // such as xml:12345, fix:12346
            .map(it -> it.split(":", 2))
            .collect(Collectors.toUnmodifiableMap(it -> it[0], it -> Integer.valueOf(it[1]))));
  }

  public String prefix() {
    return "toystore." + name;
  }

  private static List<String> list(String text) {
    return text.isBlank() ? List.of() : List.of(text.strip().split("\\s*,\\s*"));
  }

  private static String value(String program, Properties properties, String key) {
    String value = properties.getProperty(key);
    if (value == null) {
      throw invalid(program, "missing key " + key);
    }
    return value.strip();
  }

  private static IllegalStateException invalid(String program, String reason) {
    return new IllegalStateException("service descriptor of " + program + ": " + reason);
  }
}
