package toystore.cli.launch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.net.URL;
import java.util.Locale;

/// The health checks and other pages of a process's management port. Any thread.
public final class ReadinessClient {
  private static final int TIMEOUT_MILLIS = 1_000;

  /// Part of the health of a standby.
  private static final String STANDBY = "\"reason\":\"standby\"";

  /// Whether a process can work.
  public enum Readiness {
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
  public static Readiness readiness(int managementPort) {
    return get(managementPort, "/health/readiness");
  }

  /// Whether it is also connected to all services that it calls: `/health` returns 200.
  static boolean isConnected(int managementPort) {
    return get(managementPort, "/health") == Readiness.READY;
  }

  private static Readiness get(int managementPort, String path) {
    try {
      HttpURLConnection connection = connect(managementPort, path, TIMEOUT_MILLIS);
      if (connection.getResponseCode() == HttpURLConnection.HTTP_OK) {
        connection.disconnect();
        return Readiness.READY;
      }
      return body(connection).contains(STANDBY) ? Readiness.STANDBY : Readiness.NOT_READY;
    } catch (IOException notYet) {
      return Readiness.NOT_READY;
    }
  }

  /// What a management port answers, whatever the status is.
  public static String body(int managementPort, String path, int timeoutMillis) throws IOException {
    return body(connect(managementPort, path, timeoutMillis));
  }

  private static String body(HttpURLConnection connection) throws IOException {
    try (InputStream body =
        connection.getResponseCode() < HttpURLConnection.HTTP_BAD_REQUEST
            ? connection.getInputStream()
            : connection.getErrorStream()) {
      return body == null ? "" : new String(body.readAllBytes(), UTF_8);
    } finally {
      connection.disconnect();
    }
  }

  private static HttpURLConnection connect(int managementPort, String path, int timeoutMillis)
      throws IOException {
    URL page = URI.create("http://127.0.0.1:" + managementPort + path).toURL();
    var connection = (HttpURLConnection) page.openConnection(Proxy.NO_PROXY);
    connection.setConnectTimeout(timeoutMillis);
    connection.setReadTimeout(timeoutMillis);
    return connection;
  }
}
