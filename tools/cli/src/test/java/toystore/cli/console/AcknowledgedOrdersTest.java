package toystore.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import toystore.cli.console.Faults.PromiseCheck;
import toystore.cli.console.Faults.PromiseResult;
import toystore.cli.shop.FakeMarketplace;
import toystore.cli.shop.FakeMarketplace.Answer;
import toystore.cli.shop.FakeMarketplace.Asked;

/// Reads acknowledged orders back from a shop that may have lost some.
final class AcknowledgedOrdersTest {
  private static final String TOY = "Kašpárek 🧸";

  private final Map<String, String> productByNumber = new ConcurrentHashMap<>();
  private final Set<String> read = ConcurrentHashMap.newKeySet();
  private final AcknowledgedOrders orders = new AcknowledgedOrders();
  private final FakeMarketplace shop = new FakeMarketplace();
  private int missing = 404;

  AcknowledgedOrdersTest() throws IOException {
    shop.answersOthers(this::answer);
  }

  @AfterEach
  void close() {
    shop.close();
  }

  @Test
  void allOfAThousandAreReadBack() {
    acknowledge(0, 1_000);

    assertThat(check())
        .isEqualTo(
            new PromiseCheck(
                "orders",
                PromiseResult.HELD,
                "1000 acknowledged since the load began, all read back"));
    assertThat(read).hasSize(1_000);
  }

  @Test
  void lostOrderAmongAThousandBreaksThePromise() {
    acknowledge(0, 1_000);
    productByNumber.remove("617");

    assertThat(check().result()).isEqualTo(PromiseResult.BROKEN);
    assertThat(check().detail())
        .contains("all read back, 1 lost: GET /orders/617: status 404, expected 200");
  }

  /// A database that has lost its last orders gives their numbers to others.
  @Test
  void numberThatAnotherOrderHasIsALostOrder() {
    acknowledge(0, 3);
    productByNumber.put("1", "Zebra");

    assertThat(check().result()).isEqualTo(PromiseResult.BROKEN);
    assertThat(check().detail()).contains("1 lost: GET /orders/1: name is not " + TOY);
  }

  /// Those are lost first that were acknowledged just before the fault.
  @Test
  void ordersJustBeforeTheFaultAreReadBackAmongMany() {
    acknowledge(0, 20_000);
    orders.keepLatest();
    acknowledge(20_000, 40_000);
    for (var number = 19_975; number < 20_000; number++) {
      productByNumber.remove(Integer.toString(number));
    }

    assertThat(check().result()).isEqualTo(PromiseResult.BROKEN);
    assertThat(check().detail())
        .startsWith("40000 acknowledged since the load began, 1")
        .contains(" read back, 2");
    assertThat(read).hasSizeBetween(1_400, 1_500);
  }

  @Test
  void shopThatDoesNotAnswerProvesNothing() {
    acknowledge(0, 3);
    productByNumber.clear();
    missing = 503;

    assertThat(check().result()).isEqualTo(PromiseResult.UNKNOWN);
    assertThat(new AcknowledgedOrders().check(shop.url()).result())
        .isEqualTo(PromiseResult.NOT_TRIED);
  }

  private void acknowledge(int from, int to) {
    for (var number = from; number < to; number++) {
      productByNumber.put(Integer.toString(number), TOY);
      orders.add(Integer.toString(number), TOY);
    }
  }

  private PromiseCheck check() {
    return orders.check(shop.url());
  }

  private Answer answer(Asked asked) {
    var number = asked.uri().replaceFirst("/orders/", "");
    read.add(number);
    var product = productByNumber.get(number);
    return new Answer(
        product == null ? missing : 200,
        format("{\"data\":{\"number\":%s,\"name\":\"%s\",\"quantity\":1}}", number, product));
  }
}
