package toystore.order;

import java.time.Instant;
import toystore.order.OrderCommand.BegunPurchase;
import toystore.platform.idempotency.Answer;
import toystore.platform.idempotency.KeyedDecider;
import toystore.platform.idempotency.RequestKey;

/// Decides the commands of a batch.
interface OrderDecider extends KeyedDecider<OrderRefusal> {
  Answer<CartContents, OrderRefusal> change(OrderCommand.ChangeCart command);

  Answer<Integer, OrderRefusal> endSessions(OrderCommand.EndSessions command);

  Answer<BegunPurchase, OrderRefusal> begin(
      OrderCommand.BeginPurchase command, RequestKey key, Instant now);

  Answer<Purchase, OrderRefusal> record(OrderCommand.RecordPurchase command);

  Answer<Integer, OrderRefusal> recover(OrderCommand.RecoverPurchases command);
}
