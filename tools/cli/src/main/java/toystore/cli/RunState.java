package toystore.cli;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;

/// The state that a running `up` writes to `up.properties`, for `status` and for users.
///
/// @param launcher the process id of the launcher
/// @param together whether all services share one process
/// @param frontends the number of frontends
/// @param standby whether each service with a database has a second process
/// @param port the frontend's port
/// @param listen the frontend's address
/// @param since when the launcher was started
/// @param pids process ids by the processes' names
record RunState(
    long launcher,
    boolean together,
    int frontends,
    boolean standby,
    int port,
    String listen,
    Instant since,
    Map<String, Long> pids) {
  private static final String PID = ".pid";

  /// The frontend's URL for requests from this machine: if it listens on all addresses, on
  /// loopback.
  String url() {
    return url(listen, port);
  }

  /// @param listen a literal IP address; an IPv6 address may have a scope
  static String url(String listen, int port) {
    var address = InetAddress.ofLiteral(listen);
    var isIpv6 = address instanceof Inet6Address;
    var host = listen;
    if (address.isAnyLocalAddress()) {
      host = isIpv6 ? "::1" : StorePlan.LOOPBACK;
    }
    return String.format(Locale.ROOT, "http://%s:%d", isIpv6 ? "[" + host + "]" : host, port);
  }

  RunState with(ProcessSpec part, long pid) {
    var all = new TreeMap<>(pids);
    all.put(part.name(), pid);
    return new RunState(
        launcher, together, frontends, standby, port, listen, since, Map.copyOf(all));
  }

  /// Writes the file atomically, so that no reader sees a partial file.
  void write(Path file) throws IOException {
    var properties = new Properties();
    properties.setProperty("launcher" + PID, Long.toString(launcher));
    properties.setProperty("mode", together ? "together" : "apart");
    properties.setProperty("frontends", Integer.toString(frontends));
    properties.setProperty("standby", Boolean.toString(standby));
    properties.setProperty("port", Integer.toString(port));
    properties.setProperty("listen", listen);
    properties.setProperty("since", since.toString());
    pids.forEach((name, pid) -> properties.setProperty("part." + name + PID, Long.toString(pid)));
    DurableFiles.write(file, properties, "the running store; this file is removed when it stops");
  }

  /// The store that is running on a data folder.
  static Optional<RunState> of(DataFolder folder) throws IOException {
    return folder.isInUse() ? read(folder.upProperties()) : Optional.empty();
  }

  static Optional<RunState> read(Path file) throws IOException {
    var properties = new Properties();
    try (var reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    } catch (NoSuchFileException nothing) {
      return Optional.empty();
    }
    var pids = new TreeMap<String, Long>();
    for (var key : properties.stringPropertyNames()) {
      if (key.startsWith("part.")) {
        pids.put(
            key.substring("part.".length(), key.length() - PID.length()),
            Long.valueOf(properties.getProperty(key)));
      }
    }
    return Optional.of(
        new RunState(
            Long.parseLong(properties.getProperty("launcher" + PID)),
            properties.getProperty("mode").equals("together"),
            Integer.parseInt(properties.getProperty("frontends", "1")),
            Boolean.parseBoolean(properties.getProperty("standby")),
            Integer.parseInt(properties.getProperty("port")),
            properties.getProperty("listen"),
            Instant.parse(properties.getProperty("since")),
            Map.copyOf(pids)));
  }
}
