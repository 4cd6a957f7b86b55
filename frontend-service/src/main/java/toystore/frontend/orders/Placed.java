package toystore.frontend.orders;

import com.fasterxml.jackson.annotation.JsonProperty;

/// What a customer is told of an order that was placed.
///
/// @param number in the one series that orders and trades share
/// @param replayed whether this is the stored answer for a known key
public record Placed(long number, boolean replayed) {
  record OrderNumber(@JsonProperty("order_number") long number) {}

  record TransactionNumber(@JsonProperty("transaction_number") long number) {}

  Object asOrder() {
    return new OrderNumber(number);
  }

  Object asTrade() {
    return new TransactionNumber(number);
  }
}
