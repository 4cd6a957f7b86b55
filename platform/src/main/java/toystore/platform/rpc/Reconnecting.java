package toystore.platform.rpc;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// Tries a channel whose peer is away again each second. gRPC's own pause between two tries grows
/// to two minutes and cannot be set.
public final class Reconnecting implements AutoCloseable {
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("reconnect").factory());

  public Reconnecting(ManagedChannel channel) {
    clock.scheduleWithFixedDelay(() -> retry(channel), 1, 1, TimeUnit.SECONDS);
  }

  private static void retry(ManagedChannel channel) {
    if (channel.getState(true) == ConnectivityState.TRANSIENT_FAILURE) {
      channel.resetConnectBackoff();
    }
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
