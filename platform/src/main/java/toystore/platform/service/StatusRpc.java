package toystore.platform.service;

import static java.util.Objects.requireNonNull;

import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import toystore.common.v1.GetStatusRequest;
import toystore.common.v1.GetStatusResponse;
import toystore.common.v1.ProcessState;
import toystore.common.v1.StatusServiceGrpc;
import toystore.platform.storage.Database;
import toystore.platform.storage.SingleWriter;

/// `toystore.common.v1.StatusService` of a service with a database: the reasons for the status that
/// the health service of gRPC has. Also the metric `toystore_ready`. Never blocks. Any thread.
final class StatusRpc extends StatusServiceGrpc.StatusServiceImplBase {
  private final Database database;
  private final SingleWriter<?> writer;
  private final ApplicationAvailability availability;
  private final Map<String, HealthIndicator> indicators;

  /// @param indicators by the names of their beans
  StatusRpc(
      Database database,
      SingleWriter<?> writer,
      ApplicationAvailability availability,
      Map<String, HealthIndicator> indicators,
      StoreServiceDescriptor service,
      MeterRegistry registry) {
    this.database = database;
    this.writer = writer;
    this.availability = availability;
    this.indicators = new TreeMap<>(indicators);
    Gauge.builder(
            "toystore.ready",
            this,
            it -> it.status().getState() == ProcessState.PROCESS_STATE_READY ? 1 : 0)
        .description("1 while this process can answer all calls")
        .tag("service", service.name())
        .register(registry);
  }

  @Override
  public void getStatus(GetStatusRequest request, StreamObserver<GetStatusResponse> answer) {
    answer.onNext(status());
    answer.onCompleted();
  }

  private GetStatusResponse status() {
    var response = GetStatusResponse.newBuilder();
    boolean ready = availability.getReadinessState() == ReadinessState.ACCEPTING_TRAFFIC;
    if (!ready) {
      response.addReasons("the start is not complete");
    }
    for (HealthIndicator indicator : indicators.values()) {
      Health health = requireNonNull(indicator.health());
      ready &= health.getStatus().equals(Status.UP);
      health.getDetails().values().stream().map(String::valueOf).forEach(response::addReasons);
    }
    if (writer.refuses()) {
      response.addReasons("writes are refused: the disk is not writable");
    }
    return response.setState(state(ready)).build();
  }

  private ProcessState state(boolean ready) {
    if (ready) {
      return ProcessState.PROCESS_STATE_READY;
    }
    return Database.STANDBY.equals(database.notReady())
        ? ProcessState.PROCESS_STATE_STANDBY
        : ProcessState.PROCESS_STATE_NOT_READY;
  }
}
