package toystore.lab.run;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A store that is already running. A start of it is a new load client and nothing else, so a run
/// says nothing about what differs between starts of the store.
///
/// @param pids process id by service, to measure their CPU time; of this machine
public record TargetSubject(String name, URI url, Map<String, Long> pids) implements Subject {
  private static final int TIMEOUT_MILLIS = 5_000;

  @Override
  public List<String> arguments() {
    var arguments = new ArrayList<>(List.of("--target=" + url));
    pids.forEach((service, pid) -> arguments.add("--pid=" + service + "=" + pid));
    return arguments;
  }

  @Override
  public RunningSubject start(Path folder) throws IOException {
    int port = url.getPort() < 0 ? 80 : url.getPort();
    if (!"http".equals(url.getScheme()) || url.getHost() == null) {
      throw new IOException("expected a URL such as http://127.0.0.1:8080, got " + url);
    }
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(url.getHost(), port), TIMEOUT_MILLIS);
    } catch (IOException e) {
      throw new IOException("cannot connect to " + url + ": " + e.getMessage(), e);
    }
    var running = new RunningSubject(url);
    running.pids.putAll(pids);
    return running;
  }
}
