package toystore.cli.console;

import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import toystore.cli.console.Faults.PromiseCheck;
import toystore.cli.console.Faults.PromiseResult;
import toystore.clients.load.CallSource;
import toystore.clients.load.FaultWatch;
import toystore.clients.load.Scenario;
import toystore.clients.load.UnexpectedResponseException;

/// The orders that the store has acknowledged to a load, which reads them back. Up to 1,000 it
/// remembers all; of more, a random sample, and those that were acknowledged last before a fault:
/// these are lost first. Any thread.
final class AcknowledgedOrders {
  private static final int SAMPLE = 1_000;
  private static final int BEFORE_FAULT = 500;

  private record AcknowledgedOrder(String number, String product) {}

  private final List<AcknowledgedOrder> sample = new ArrayList<>();
  private final Deque<AcknowledgedOrder> latest = new ArrayDeque<>();
  private List<AcknowledgedOrder> beforeFault = List.of();
  private long count;

  synchronized void add(String number, String product) {
    var order = new AcknowledgedOrder(number, product);
    count++;
    if (sample.size() < SAMPLE) {
      sample.add(order);
    } else {
      long replaced = ThreadLocalRandom.current().nextLong(count);
      if (replaced < SAMPLE) {
        sample.set((int) replaced, order);
      }
    }
    latest.add(order);
    if (latest.size() > BEFORE_FAULT) {
      latest.removeFirst();
    }
  }

  /// Remembers the orders that were acknowledged last.
  synchronized void keepLatest() {
    beforeFault = List.copyOf(latest);
  }

  private synchronized List<AcknowledgedOrder> remembered() {
    var orders = new LinkedHashSet<>(sample);
    orders.addAll(beforeFault);
    return List.copyOf(orders);
  }

  private synchronized long count() {
    return count;
  }

  /// Reads the orders from the store: each must exist, with its product.
  ///
  /// @param shop the frontend's URL
  PromiseCheck check(String shop) {
    long acknowledged = count();
    List<AcknowledgedOrder> read = remembered();
    if (read.isEmpty()) {
      return new PromiseCheck("orders", PromiseResult.NOT_TRIED, "no order was acknowledged");
    }
    var lost = new HashMap<String, String>();
    try {
      var orders = new CallSource(URI.create(shop), Scenario.ofStore(), "order");
      for (AcknowledgedOrder order : read) {
        try {
          orders.answer(Map.of("order_number", order.number, "ordered", order.product));
        } catch (UnexpectedResponseException unexpected) {
          var reason = String.valueOf(unexpected.getMessage());
          if (FaultWatch.isPromised(reason)) {
            throw unexpected; // not answered
          }
          lost.put(order.number, reason);
        }
      }
    } catch (IOException unavailable) {
      return new PromiseCheck(
          "orders", PromiseResult.UNKNOWN, String.valueOf(unavailable.getMessage()));
    }
    String detail =
        format(
            "%d acknowledged since the load began, %s read back",
            acknowledged, read.size() == acknowledged ? "all" : Integer.toString(read.size()));
    return lost.isEmpty()
        ? new PromiseCheck("orders", PromiseResult.HELD, detail)
        : new PromiseCheck(
            "orders",
            PromiseResult.BROKEN,
            format("%s, %d lost: %s", detail, lost.size(), lost.values().iterator().next()));
  }
}
