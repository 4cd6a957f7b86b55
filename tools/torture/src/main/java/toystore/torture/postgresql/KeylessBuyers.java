package toystore.torture.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import toystore.clients.RepeatingBuyers;
import toystore.clients.StoreHttpClient;
import toystore.clients.StoreHttpClient.Reply;
import toystore.clients.StoreProcesses;

/// Clients that buy single units of a product without idempotency keys. A request that was not
/// acknowledged is sent again, as another one.
final class KeylessBuyers extends RepeatingBuyers {
  static final String PRODUCT = "Elk";

  private static final Duration PAUSE = Duration.ofMillis(20);

  private final StoreHttpClient[] frontends;
  private final AtomicLong unknown = new AtomicLong();

  /// @param folder the folder of their journal
  KeylessBuyers(Path folder, StoreHttpClient[] frontends) throws IOException {
    super(folder, PAUSE);
    this.frontends = frontends;
  }

  @Override
  protected OptionalLong buy(int buyer, String key) {
    String body = format("{\"name\":\"%s\",\"quantity\":1}", PRODUCT);
    Reply reply =
        StoreHttpClient.sendUntilDecided(
            it -> frontends[(buyer + it) % frontends.length].post("/orders", body), unknown);
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    return OptionalLong.of(reply.json().required("data").required("order_number").asLong());
  }

  /// Checks, after [#stop], that every acknowledged order exists, and that units were sold for
  /// these, and for no others than those whose outcome is unknown: none for a request that was
  /// answered as not done.
  ///
  /// @param before units sold before
  /// @return units sold since
  long check(StoreHttpClient frontend, long before) throws IOException {
    long left =
        StoreHttpClient.sendUntilDecided(_ -> frontend.get("/products/" + PRODUCT))
            .json()
            .required("data")
            .required("quantity")
            .asLong();
    Set<Long> acknowledged = sales().keySet();
    long sold = StoreProcesses.TUX - before - left;
    assertThat(sold)
        .as(
            "orders without keys; %d were acknowledged, the outcome of %d is unknown",
            acknowledged.size(), unknown.get())
        .isBetween((long) acknowledged.size(), acknowledged.size() + unknown.get());
    for (long number : acknowledged) {
      assertThat(StoreHttpClient.sendUntilDecided(_ -> frontend.get("/orders/" + number)).body())
          .contains(format("\"number\":%d,\"name\":\"%s\",\"quantity\":1,", number, PRODUCT));
    }
    return sold;
  }
}
