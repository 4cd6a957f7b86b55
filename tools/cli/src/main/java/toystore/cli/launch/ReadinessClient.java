package toystore.cli.launch;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import toystore.common.v1.GetStatusRequest;
import toystore.common.v1.GetStatusResponse;
import toystore.common.v1.StatusServiceGrpc;

/// Asks a process whether it can work: its `StatusService`, or, if the frontend is in it, the pages
/// of health on its management port. Any thread.
public final class ReadinessClient implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 1_000;

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

  /// What a process says.
  ///
  /// @param reasons why it is not ready, or what it refuses although it is
  public record State(Readiness readiness, List<String> reasons) {
    static final State AWAY = new State(Readiness.NOT_READY, List.of());

    static State of(GetStatusResponse response) {
      var readiness =
          switch (response.getState()) {
            case PROCESS_STATE_READY -> Readiness.READY;
            case PROCESS_STATE_STANDBY -> Readiness.STANDBY;
            case PROCESS_STATE_NOT_READY, PROCESS_STATE_UNSPECIFIED, UNRECOGNIZED ->
                Readiness.NOT_READY;
          };
      return new State(readiness, response.getReasonsList());
    }

    /// The readiness, and the reasons in parentheses.
    @Override
    public String toString() {
      return readiness == Readiness.STANDBY || reasons.isEmpty()
          ? readiness.toString()
          : readiness + " (" + String.join("; ", reasons) + ")";
    }
  }

  private final int statusPort;
  private final int managementPort;
  private final @Nullable ManagedChannel channel;

  /// @param statusPort the gRPC port of its `StatusService`; 0: the management port is asked
  public ReadinessClient(int statusPort, int managementPort) {
    this.statusPort = statusPort;
    this.managementPort = managementPort;
    this.channel =
        statusPort == 0
            ? null
            : NettyChannelBuilder.forAddress(StoreLayout.LOOPBACK, statusPort)
                .usePlaintext()
                .proxyDetector(_ -> null) // ignore the HTTP proxy settings of the environment
                .directExecutor()
                .build();
  }

  public ReadinessClient(ProcessSpec part) {
    this(part.statusPort(), part.managementPort());
  }

  /// What the process says now. Takes at most 2 s.
  public State state() {
    return channel == null ? overHttp() : overGrpc(channel);
  }

  private State overGrpc(ManagedChannel channel) {
    try {
      if (channel.getState(false) != ConnectivityState.READY) {
        new Socket(StoreLayout.loopback(), statusPort).close(); // cheaper than a call that fails
        channel.resetConnectBackoff();
      }
      return State.of(
          StatusServiceGrpc.newBlockingStub(channel)
              .withDeadlineAfter(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
              .getStatus(GetStatusRequest.getDefaultInstance()));
    } catch (IOException | StatusRuntimeException notYet) {
      return State.AWAY;
    }
  }

  private State overHttp() {
    try {
      JsonNode health =
          JsonMapper.shared().readTree(body(managementPort, "/health/readiness", TIMEOUT_MILLIS));
      return isUp(health)
          ? new State(Readiness.READY, List.of())
          : new State(
              Readiness.NOT_READY,
              health
                  .path("components")
                  .propertyStream()
                  .filter(it -> !isUp(it.getValue()))
                  .map(it -> it.getKey() + ": " + reason(it.getValue()))
                  .toList());
    } catch (IOException | JacksonException notYet) {
      return State.AWAY;
    }
  }

  private static String reason(JsonNode component) {
    return component.at("/details/status").asString(component.path("status").asString(""));
  }

  private static boolean isUp(JsonNode health) {
    return health.path("status").asString("").equals("UP");
  }

  /// Whether a process that is ready is also connected to all services that it calls: `/health` of
  /// the frontend returns 200.
  boolean isConnected() {
    try {
      return channel != null
          || connect(managementPort, "/health", TIMEOUT_MILLIS).getResponseCode()
              == HttpURLConnection.HTTP_OK;
    } catch (IOException notYet) {
      return false;
    }
  }

  @Override
  public void close() {
    if (channel != null) {
      channel.shutdownNow();
    }
  }

  /// What a management port answers, whatever the status is.
  public static String body(int managementPort, String path, int timeoutMillis) throws IOException {
    HttpURLConnection connection = connect(managementPort, path, timeoutMillis);
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
