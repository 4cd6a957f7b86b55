package toystore.exchange.engine;

/// What an engine keeps in memory at most. Stored rows beyond it are loaded, but nothing is added
/// then.
///
/// @param accounts all, those of XML too
/// @param positions of all accounts, including those of which open orders expect the first shares
public record EngineBounds(
    int openOrdersOfAccount,
    int openOrders,
    int accountsOfOwner,
    int accounts,
    int positions,
    int symbols) {
  private static final int OPEN_ORDERS_OF_ACCOUNT = 10_000;
  private static final int ACCOUNTS_OF_OWNER = 10_000;
  private static final int BYTES_PER_ORDER = 1_280;
  private static final int BYTES_PER_ACCOUNT = 4_096;
  private static final int BYTES_PER_POSITION = 2_560;
  private static final int BYTES_PER_SYMBOL = 65_536;

  /// At all of them at once, the engine takes less than a third of the heap, and an order that
  /// executes all others at once another third for a moment.
  public static EngineBounds ofHeap(long bytes) {
    return new EngineBounds(
        OPEN_ORDERS_OF_ACCOUNT,
        count(bytes / BYTES_PER_ORDER),
        ACCOUNTS_OF_OWNER,
        count(bytes / BYTES_PER_ACCOUNT),
        count(bytes / BYTES_PER_POSITION),
        count(bytes / BYTES_PER_SYMBOL));
  }

  private static int count(long number) {
    return (int) Math.min(Integer.MAX_VALUE, number);
  }
}
