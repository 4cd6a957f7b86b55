package toystore.cli;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;

/// The readiness check of a process. Any thread.
final class ReadinessClient {
  private static final int TIMEOUT_MILLIS = 1_000;

  private ReadinessClient() {}

  /// Whether `/health/readiness` on this management port returns 200. Takes at most 2 s.
  static boolean isReady(int managementPort) {
    try {
      var page = URI.create("http://127.0.0.1:" + managementPort + "/health/readiness").toURL();
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
