package toystore.cli;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;

/// Asks a process whether it is ready. Any thread.
final class Health {
  private static final int TIMEOUT_MILLIS = 1_000;

  private Health() {}

  /// Whether the readiness page on this management port answers 200, within a second or two.
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
