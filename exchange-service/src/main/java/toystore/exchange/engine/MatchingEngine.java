package toystore.exchange.engine;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Accounts, positions and the order books of all symbols. One thread.
///
/// After a restart, load symbols, accounts, positions and open orders, each in the order of their
/// numbers, then call [#continueAfter(long, long)].
///
/// Times are opaque to the engine. Use one unit, such as milliseconds since the epoch.
public final class MatchingEngine {

  /// Loads a symbol. The number must be that of the previous symbol plus 1.
  public void load(Symbol symbol) {
    throw new UnsupportedOperationException();
  }

  /// Loads an account. The number must be that of the previous account plus 1.
  public void load(CashAccount account) {
    throw new UnsupportedOperationException();
  }

  /// Loads a position. The number must be that of the previous position plus 1.
  public void load(Position position) {
    throw new UnsupportedOperationException();
  }

  /// Loads an open order. Its cash or shares are reserved in the loaded account or position.
  public void load(LimitOrder order) {
    throw new UnsupportedOperationException();
  }

  /// Sets the numbers of the last order and trade; 0 if there is none.
  public void continueAfter(long lastOrder, long lastTrade) {
    throw new UnsupportedOperationException();
  }

  /// Creates an account. Refusals: INVALID_XML_ID, INVALID_BALANCE, ACCOUNT_EXISTS.
  public EngineOutcome<CashAccount> createAccount(
      @Nullable String xmlId, @Nullable String owner, long balanceE8) {
    throw new UnsupportedOperationException();
  }

  /// Adds shares of a symbol to an account, and creates the symbol if it is unknown. 0 shares
  /// create the symbol and the position. Refusals: ACCOUNT_NOT_FOUND, INVALID_SYMBOL,
  /// INVALID_SHARES, OVERFLOW.
  public EngineOutcome<Position> addShares(long account, String symbol, long sharesE4) {
    throw new UnsupportedOperationException();
  }

  /// Opens an order, reserves its cash or shares, and executes what matches at once. Refusals:
  /// ACCOUNT_NOT_FOUND, SYMBOL_NOT_FOUND, INVALID_SHARES, INVALID_LIMIT, INSUFFICIENT_CASH,
  /// INSUFFICIENT_SHARES, OVERFLOW.
  public EngineOutcome<LimitOrder> placeOrder(
      long account, String symbol, Side side, long sharesE4, long limitE4, long time) {
    throw new UnsupportedOperationException();
  }

  /// Cancels what is open of an order, and returns its cash or shares. Refusal: ORDER_NOT_OPEN, if
  /// it never existed or is closed.
  public EngineOutcome<LimitOrder> cancelOrder(long order, long time) {
    throw new UnsupportedOperationException();
  }

  public Optional<CashAccount> account(long number) {
    throw new UnsupportedOperationException();
  }

  public Optional<CashAccount> accountByXmlId(String xmlId) {
    throw new UnsupportedOperationException();
  }

  /// Returns an order that is open, or that was closed since the last [#takeChanges()].
  public Optional<LimitOrder> order(long number) {
    throw new UnsupportedOperationException();
  }

  /// Returns the trades of an order since the last [#takeChanges()].
  public List<MatchedTrade> newTradesOf(long order) {
    throw new UnsupportedOperationException();
  }

  /// Returns the best prices of both sides; empty if the symbol is unknown.
  ///
  /// @param levels at most this many prices a side
  public Optional<MarketDepth> depth(String symbol, int levels) {
    throw new UnsupportedOperationException();
  }

  /// Returns what changed since the previous call, and forgets closed orders and trades. Call it
  /// after each batch of commands.
  public EngineChanges takeChanges() {
    throw new UnsupportedOperationException();
  }
}
