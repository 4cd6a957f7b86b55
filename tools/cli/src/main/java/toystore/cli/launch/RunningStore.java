package toystore.cli.launch;

import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import toystore.cli.launch.ReadinessClient.Readiness;
import toystore.platform.service.StoreServiceDescriptor;

/// The options of commands that call a running store: `--port`, or else the store that runs on the
/// data folder, or else the default port.
public final class RunningStore {
  @Option(
      names = "--port",
      paramLabel = "N",
      description =
          "The store's port, as given to up (default: that of the store running on the data folder,"
              + " else 8080).")
  private @Nullable Integer port;

  @Mixin private final DataOption data = new DataOption();

  public DataFolder folder() {
    return data.folder();
  }

  private StoreLayout layout() throws IOException {
    Optional<RunState> running = port == null ? RunState.of(folder()) : Optional.<RunState>empty();
    return running
        .map(RunState::layout)
        .orElseGet(() -> StoreLayout.together(port == null ? PortPlan.DEFAULT : port));
  }

  public PortPlan ports() throws IOException {
    return layout().ports();
  }

  /// The URL of the frontend.
  public String url() throws IOException {
    return layout().url();
  }

  /// The URL of the exchange's port.
  ///
  /// @param scheme `grpc` or `xml`
  public String exchangeUrl(String scheme) throws IOException {
    StoreServiceDescriptor exchange = Services.ofProject().named("exchange");
    int active = active(exchange);
    return url(
        scheme,
        ports().further(exchange, active).getOrDefault(scheme, ports().of(exchange, active)));
  }

  /// The URL of the catalog's gRPC port.
  public String catalogUrl() throws IOException {
    StoreServiceDescriptor catalog = Services.ofProject().catalog();
    return url("grpc", ports().of(catalog, active(catalog)));
  }

  private static String url(String scheme, int port) {
    return format("%s://%s:%d", scheme, StoreLayout.LOOPBACK, port);
  }

  /// The number of the process that works: 2 if the standby of `up --standby` has taken over.
  private int active(StoreServiceDescriptor service) throws IOException {
    try (var first = new ReadinessClient(ports().of(service, 1), 0)) {
      return first.state().readiness() == Readiness.STANDBY ? 2 : 1;
    }
  }
}
