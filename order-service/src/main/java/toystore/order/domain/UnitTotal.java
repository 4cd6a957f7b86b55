package toystore.order.domain;

/// Units that a buyer bought and kept, or that were sold in captured purchases, of a seller or an
/// item.
///
/// @param account text of [#buyer], [#seller] or [#item]
public record UnitTotal(String account, long units) {
  public static String buyer(long id) {
    return "buyer " + id;
  }

  /// @param id 0: unknown
  public static String seller(long id) {
    return "seller " + id;
  }

  public static String item(long id) {
    return "item " + id;
  }
}
