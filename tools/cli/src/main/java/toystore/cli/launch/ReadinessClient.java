package toystore.cli.launch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.util.Locale;

/// The health checks of a process. Any thread.
final class ReadinessClient {
  private static final int TIMEOUT_MILLIS = 1_000;

  /// Part of the health of a standby.
  private static final String STANDBY = "\"reason\":\"standby\"";

  /// Whether a process can work.
  enum Readiness {
    READY,
    /// Another process of its service works. This one takes over when that one ends.
    STANDBY,
    NOT_READY;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  private ReadinessClient() {}

  /// What `/health/readiness` on the management port of a process says. Takes at most 2 s.
  static Readiness readiness(int managementPort) {
    return get(managementPort, "/health/readiness");
  }

  /// Whether it is also connected to all services that it calls: `/health` returns 200.
  static boolean isConnected(int managementPort) {
    return get(managementPort, "/health") == Readiness.READY;
  }

  private static Readiness get(int managementPort, String path) {
    try {
      var page = URI.create("http://127.0.0.1:" + managementPort + path).toURL();
      var connection = (HttpURLConnection) page.openConnection(Proxy.NO_PROXY);
      connection.setConnectTimeout(TIMEOUT_MILLIS);
      connection.setReadTimeout(TIMEOUT_MILLIS);
      try {
        if (connection.getResponseCode() == HttpURLConnection.HTTP_OK) {
          return Readiness.READY;
        }
        try (var refusal = connection.getErrorStream()) {
          var body = refusal == null ? "" : new String(refusal.readAllBytes(), UTF_8);
          return body.contains(STANDBY) ? Readiness.STANDBY : Readiness.NOT_READY;
        }
      } finally {
        connection.disconnect();
      }
    } catch (IOException notYet) {
      return Readiness.NOT_READY;
    }
  }
}
