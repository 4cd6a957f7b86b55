package toystore.cli;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;

/// The health checks of a process. Any thread.
final class ReadinessClient {
  private static final int TIMEOUT_MILLIS = 1_000;

  private ReadinessClient() {}

  /// Whether the process can work: `/health/readiness` on its management port returns 200. Takes at
  /// most 2 s.
  static boolean isReady(int managementPort) {
    return isOk(managementPort, "/health/readiness");
  }

  /// Whether it is also connected to all services that it calls: `/health` returns 200.
  static boolean isConnected(int managementPort) {
    return isOk(managementPort, "/health");
  }

  private static boolean isOk(int managementPort, String path) {
    try {
      var page = URI.create("http://127.0.0.1:" + managementPort + path).toURL();
      var connection = (HttpURLConnection) page.openConnection(Proxy.NO_PROXY);
      connection.setConnectTimeout(TIMEOUT_MILLIS);
      connection.setReadTimeout(TIMEOUT_MILLIS);
      try {
        return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
      } finally {
        connection.disconnect();
      }
    } catch (IOException notYet) {
      return false;
    }
  }
}
