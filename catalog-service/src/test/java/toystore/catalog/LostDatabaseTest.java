package toystore.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static toystore.clients.Conditions.await;

import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.SplittableRandom;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.bazaar.v1.LookupRequest;
import toystore.catalog.v1.WatchRequest;
import toystore.catalog.v1.WatchResponse;
import toystore.clients.FaultProxy;
import toystore.clients.RawClient;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.RpcError;
import toystore.testkit.PostgresCluster;

/// The catalog alone loses its database, so that another process may take over: its line protocol,
/// its watch, and calls within its JVM give no answer from memory until it has the database again.
@Tag("long")
class LostDatabaseTest {
  private static final String NOT_SERVING =
      "error: this process does not serve; retry later, or at another address";

  @TempDir Path folder;

  @Test
  void nothingIsAnsweredFromMemoryWithoutTheDatabase() throws IOException, SQLException {
    PostgresCluster.database("catalog");
    try (var proxy = new FaultProxy(PostgresCluster.port(), 0, new SplittableRandom(1));
        var catalog =
            new RunningCatalog(
                folder,
                "--toystore.database=jdbc:postgresql://127.0.0.1:" + proxy.port() + "/catalog",
                "--toystore.database-user=postgres");
        var line = RawClient.patient(catalog.linePort())) {
      String price = lookUp(line);
      assertThat(Double.parseDouble(price)).isPositive();
      Iterator<WatchResponse> watch = catalog.store().watch(WatchRequest.getDefaultInstance());
      assertThat(watch.next().getNamesList()).isEmpty();

      proxy.refuse();
      assertNotDone(() -> watch.forEachRemaining(_ -> {}));
      assertThat(lookUp(line)).isEqualTo(NOT_SERVING);
      assertNotDone(() -> catalog.store().watch(WatchRequest.getDefaultInstance()).next());
      assertNotDone(
          () -> catalog.bazaar().lookup(LookupRequest.newBuilder().setName("GameStart").build()));

      proxy.heal();
      await(() -> lookUp(line).equals(price));
      assertThat(catalog.store().watch(WatchRequest.getDefaultInstance()).next().getNamesList())
          .isEmpty();
    }
  }

  private static String lookUp(RawClient line) throws IOException {
    return line.send("Lookup,GameStart\n").line();
  }

  private static void assertNotDone(ThrowingCallable call) {
    RpcError error = RpcError.of(catchThrowableOfType(StatusRuntimeException.class, call));
    assertThat(error.reason()).isEqualTo(ErrorReason.NOT_DONE);
    assertThat(error.message()).contains("schema catalog: not connected");
  }
}
