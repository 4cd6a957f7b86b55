package toystore.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.clients.FaultProxy;
import toystore.clients.RawClient;
import toystore.exchange.v1.WatchResponse;
import toystore.platform.error.ErrorReason;
import toystore.testkit.PostgresCluster;

/// The exchange alone loses its database: its feed ends, and its XML gateway refuses commands and
/// queries, which are surely not done.
@Tag("long")
class LostExchangeDatabaseTest {
  private static final String CREATE = "<create><account id=\"0017\" balance=\"1000\"/></create>";
  private static final String QUERY = "<transactions id=\"0017\"><query id=\"7\"/></transactions>";

  @TempDir Path folder;

  @Test
  void feedEndsAndXmlIsRefusedWithoutTheDatabase() throws IOException, SQLException {
    PostgresCluster.database("exchange");
    try (var proxy = new FaultProxy(PostgresCluster.port(), 0, new SplittableRandom(1));
        var service =
            new ExchangeFixture(
                folder,
                "--toystore.database=jdbc:postgresql://127.0.0.1:" + proxy.port() + "/exchange",
                "--toystore.database-user=postgres");
        var xml = RawClient.patient(service.xmlPort)) {
      long account = service.administrator.account("100");
      service.administrator.add(account, "LOST", "1");
      Iterator<WatchResponse> feed = service.administrator.watch("LOST", null);
      feed.next();

      proxy.refuse();
      assertThat(ExchangeFixture.error(() -> feed.forEachRemaining(_ -> {})).reason())
          .isEqualTo(ErrorReason.NOT_DONE);
      for (String request : new String[] {CREATE, QUERY}) {
        assertThat(xml.request(request)).contains("<error", "schema exchange: not connected");
      }
      assertThat(ExchangeFixture.error(() -> service.administrator.watch("LOST", null).next()))
          .matches(it -> it.reason() == ErrorReason.NOT_DONE);

      proxy.heal();
      await(() -> !xml.request(QUERY).contains("not connected"));
      assertThat(xml.request(CREATE)).isEqualTo("<results><created id=\"0017\"/></results>");
      service.administrator.watch("LOST", null).next();
    }
  }
}
