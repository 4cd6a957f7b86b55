package toystore.e2e;

import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import toystore.clients.FreePorts;

/// The store of all tests that need no store of their own, because a start takes seconds. It lasts
/// until the JVM ends. Other tests have used it: its products, orders and users are not the first.
final class SharedStore {
  static final int CATALOG_PORT = FreePorts.free();
  static final int ORDER_PORT = FreePorts.free();
  static final int ACCOUNT_PORT = FreePorts.free();
  static final int MAX_FAILED_LOGINS = 10;

  private static @Nullable MarketplaceStore opened;

  private SharedStore() {}

  static MarketplaceStore open() throws IOException {
    if (opened == null) {
      opened =
          MarketplaceStore.in(
              Path.of(System.getProperty("java.io.tmpdir"), "shared-" + UUID.randomUUID()),
              "--toystore.catalog.port=" + CATALOG_PORT,
              "--toystore.order.port=" + ORDER_PORT,
              "--toystore.account.port=" + ACCOUNT_PORT);
    }
    return opened;
  }
}
