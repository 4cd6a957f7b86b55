package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import org.sqlite.SQLiteConfig;
import toystore.clients.Conditions;
import toystore.clients.HttpTestClient;
import toystore.clients.MarketplaceClient;
import toystore.clients.StoreProcesses;

/// Catalog and order service are killed, and the end of the catalog's log is lost. SQLite cannot
/// detect this. The order service knows the last purchase: it must refuse purchases and report why.
final class TruncatedLogs {
  private static final int PURCHASES = 10;
  private static final int HEADER = 32;
  private static final int FRAME = 24 + 4096;

  private TruncatedLogs() {}

  static long round(TrialRound round) throws Exception {
    var random = new Random(round.seed());
    try (var store =
        StoreProcesses.start(
            round.folder(), "catalog", "account", "payment", "order", "frontend")) {
      HttpTestClient http = store.http("frontend");
      long item = MarketplaceClient.seller(http, "sue").register().addItem("Kite", 250, 1_000);
      var buyer = MarketplaceClient.buyer(http, "bob").register();
      Path database = round.folder().resolve("data/catalog/catalog.db");
      try (var _ = reader(database)) {
        for (int i = 0; i < PURCHASES; i++) {
          buyer.addToCart(item, 1);
          assertThat(buyer.purchase(MarketplaceClient.GOOD_CARD, "key-" + i).status())
              .isEqualTo(201);
        }
        store.kill("catalog");
        store.kill("order");
      }
      cutShort(database.resolveSibling("catalog.db-wal"), random);
      store.start("catalog");
      store.start("order");
      Conditions.await(
          () -> readiness(store).contains("the last sale of a purchase is " + (PURCHASES - 1)));
      buyer.addToCart(item, 1);
      String card = MarketplaceClient.card(MarketplaceClient.GOOD_CARD);
      Conditions.await(() ->
          buyer.send("POST", "/api/purchases", card, "later").body().contains("CATALOG_BEHIND"));
    }
    return 1;
  }

  /// An open read transaction, which prevents checkpoints from moving later sales out of the log.
  private static Connection reader(Path database) throws SQLException {
    var config = new SQLiteConfig();
    config.setReadOnly(true);
    Connection reader = config.createConnection("jdbc:sqlite:" + database);
    reader.setAutoCommit(false);
    try (Statement statement = reader.createStatement()) {
      statement.executeQuery("SELECT count(*) FROM sale").close();
    }
    return reader;
  }

  /// Cuts off at least the last commit. After a complete checkpoint SQLite writes the log from its
  /// beginning again, so frames of earlier commits may follow the last one; they count for nothing.
  private static void cutShort(Path log, Random random) throws IOException {
    try (var file = FileChannel.open(log, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      file.truncate(endOfLastFrame(file) - 1 - random.nextInt(2 * FRAME));
    }
  }

  /// Valid frames repeat the two salts of the log's header: sqlite.org/walformat.html.
  private static long endOfLastFrame(FileChannel log) throws IOException {
    long salts = readLong(log, 16);
    long end = HEADER;
    while (end + FRAME <= log.size() && readLong(log, end + 8) == salts) {
      end += FRAME;
    }
    return end;
  }

  private static long readLong(FileChannel file, long position) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES);
    file.read(bytes, position);
    return bytes.flip().getLong();
  }

  /// The readiness page of the order service.
  private static String readiness(StoreProcesses store) {
    try {
      return store.http("order").management("/health/readiness").body();
    } catch (IOException away) {
      return "";
    }
  }
}
