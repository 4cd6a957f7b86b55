package toystore.lab.run;

import java.util.Locale;

/// What clients do in a [FailureRun]. Each client has one function.
public enum ClientFunction {
  SEARCH("search-item", ""),
  RATING("rating", ""),
  REGISTER_ITEM("register-item", "/item_id"),
  CART("fill-cart", ""),
  PURCHASE("purchase", ""),
  QUERY("query", ""),
  BUY("buy", "/data/order_number"),
  EXCHANGE_ORDER("exchange-rest", "/order/order_id");

  /// Its name in the scenario of the store.
  final String kind;

  /// A JSON pointer to the number that counts what was done; empty: there is none.
  final String number;

  ClientFunction(String kind, String number) {
    this.kind = kind;
    this.number = number;
  }

  /// The number of its clients: every seller of the pairs registers items, and the buyers divide
  /// the other functions among them. Each function has one client at least.
  int clients(int pairs) {
    return this == REGISTER_ITEM ? pairs : Math.ceilDiv(pairs, values().length - 1);
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
