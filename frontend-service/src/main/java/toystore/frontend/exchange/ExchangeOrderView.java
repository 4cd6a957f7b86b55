package toystore.frontend.exchange;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The JSON view of an order of the exchange. `shares` = `open` + `executed` + `canceled`.
///
/// @param side `buy` or `sell`
/// @param limit the highest price of a buy order, the lowest of a sell order
/// @param canceledAt absent: the order was not canceled
/// @param executions a page; absent in lists
/// @param next trade after which the next page of executions begins; null: there is none. An answer
///   with one order has it beside the order
public record ExchangeOrderView(
    long orderId,
    long accountId,
    String symbol,
    String side,
    String shares,
    String limit,
    String open,
    String executed,
    String canceled,
    String openedAt,
    @Nullable String canceledAt,
    @Nullable List<ExecutionView> executions,
    @JsonIgnore @Nullable Long next) {

  public boolean hasOpenShares() {
    return !open.equals("0");
  }

  public record ExecutionView(long tradeId, String shares, String price, String executedAt) {}
}
