package toystore.exchange.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import toystore.exchange.engine.EngineOutcome.Accepted;
import toystore.exchange.engine.EngineOutcome.Refused;

class MatchingEngineTest {
  private static final long NOW = 1_000;
  private static final Symbol TUX = new Symbol(1, "TUX");

  private final MatchingEngine engine = new MatchingEngine(EngineRows.UNBOUNDED);

  @Test
  void betterPriceTradesFirst() {
    accounts(3, "10");
    sell(1, "1", "12");
    sell(2, "1", "11");
    buy(3, "2", "12");
    assertThat(engine.tradesOfLastOrder(10))
        .containsExactly(trade(1, "11", "1", 3, 2), trade(2, "12", "1", 3, 1));
  }

  @Test
  void earlierOrderTradesFirstAtTheSamePrice() {
    accounts(3, "10");
    sell(1, "10", "11");
    sell(2, "10", "11");
    buy(3, "4", "11");
    assertThat(engine.tradesOfLastOrder(10)).containsExactly(trade(1, "11", "4", 3, 1));
  }

  @Test
  void buyerPaysTheSellersLimitAndGetsTheImprovementBackAtOnce() {
    accounts(2, "10");
    sell(1, "2", "10");
    buy(2, "3", "12.5");
    assertThat(engine.account(2)).contains(cash(2, "1000", "967.5", "12.5"));
    assertThat(engine.account(1)).contains(cash(1, "1000", "1020", "0"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1a", "-1", "٣", "123456789012345678901234567890123"})
  void accountIdsThatAreNotDigitsAreRefused(String xmlId) {
    assertThat(engine.createAccount(xmlId, null, 0))
        .isEqualTo(refused(EngineRefusal.INVALID_XML_ID));
  }

  @Test
  void xmlIdsAreTextAndEachIsUsedOnce() {
    String longest = "12345678901234567890123456789012";
    assertThat(engine.createAccount("7", null, 5)).isEqualTo(created(1, "7", null, 5));
    assertThat(engine.createAccount("07", null, 6)).isEqualTo(created(2, "07", null, 6));
    assertThat(engine.createAccount("7", null, 5)).isEqualTo(refused(EngineRefusal.ACCOUNT_EXISTS));
    assertThat(engine.createAccount(null, "buyer:7", 0)).isEqualTo(created(3, null, "buyer:7", 0));
    assertThat(engine.createAccount(longest, null, 0)).isEqualTo(created(4, longest, null, 0));
    assertThat(engine.accountByXmlId("07")).contains(new CashAccount(2, "07", null, 6, 6, 0));
    assertThat(engine.accountByXmlId("8")).isEmpty();
    assertThat(engine.account(0)).isEmpty();
    assertThat(engine.account(5)).isEmpty();
  }

  @Test
  void unknownAccountsAndSymbolsAreRefused() {
    assertThat(engine.addShares(1, "TUX", 1)).isEqualTo(refused(EngineRefusal.ACCOUNT_NOT_FOUND));
    account("1000");
    assertThat(place(1, Side.BUY, 1, 1)).isEqualTo(refused(EngineRefusal.SYMBOL_NOT_FOUND));
    assertThat(engine.depth("TUX", 1)).isEmpty();
    engine.addShares(1, "TUX", 0);
    for (long unknown : new long[] {-1, 0, 2, (1L << 32) + 1}) {
      assertThat(place(unknown, Side.BUY, 1, 1))
          .isEqualTo(refused(EngineRefusal.ACCOUNT_NOT_FOUND));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "A-B", "Ä", "A B", "ABCDEFGHIJKLMNOPQRSTUVWXYZ1234567"})
  void symbolsThatAreNotLettersAndDigitsAreRefused(String name) {
    account("1");
    assertThat(engine.addShares(1, name, 1)).isEqualTo(refused(EngineRefusal.INVALID_SYMBOL));
  }

  @Test
  void amountsOfMoreThan64BitsAreMoreThanAnyCash() {
    accounts(1, "10");
    engine.createAccount(null, null, Long.MAX_VALUE);
    for (long[] pair :
        new long[][] {
          {Long.MAX_VALUE, Long.MAX_VALUE},
          {1L << 32, 1L << 32},
          {1L << 32, 1L << 31},
          {3, 1L << 62}
        }) {
      assertThat(place(2, Side.BUY, pair[0], pair[1]))
          .isEqualTo(refused(EngineRefusal.INSUFFICIENT_CASH));
    }
    assertThat(place(2, Side.BUY, 1, Long.MAX_VALUE)).isInstanceOf(Accepted.class);
  }

  @Test
  void sharesEndAtTheLargestNumber() {
    accounts(1, "0");
    engine.addShares(1, "TUX", Long.MAX_VALUE - 10);
    assertThat(place(1, Side.BUY, 11, 1)).isEqualTo(refused(EngineRefusal.OVERFLOW));
    assertThat(place(1, Side.BUY, 4, 1)).isInstanceOf(Accepted.class);
    assertThat(engine.addShares(1, "TUX", 7)).isEqualTo(refused(EngineRefusal.OVERFLOW));
    assertThat(engine.addShares(1, "TUX", 6)).isInstanceOf(Accepted.class);
    engine.cancelOrder(1, NOW);
    place(1, Side.SELL, 100, 2);
    assertThat(engine.addShares(1, "TUX", 5)).isEqualTo(refused(EngineRefusal.OVERFLOW));
    assertThat(engine.addShares(1, "TUX", 4)).isInstanceOf(Accepted.class);
  }

  @Test
  void cashEndsAtTheLargestNumberForOpenSellOrders() {
    engine.createAccount(null, null, Long.MAX_VALUE - 100);
    engine.addShares(1, "TUX", 1_000);
    assertThat(place(1, Side.SELL, 101, 1)).isEqualTo(refused(EngineRefusal.OVERFLOW));
    assertThat(place(1, Side.SELL, 1, 101)).isEqualTo(refused(EngineRefusal.OVERFLOW));
    assertThat(place(1, Side.SELL, 60, 1)).isInstanceOf(Accepted.class);
    assertThat(place(1, Side.SELL, 20, 2)).isInstanceOf(Accepted.class);
    assertThat(place(1, Side.SELL, 1, 1)).isEqualTo(refused(EngineRefusal.OVERFLOW));
    engine.cancelOrder(1, NOW);
    assertThat(place(1, Side.SELL, 61, 1)).isEqualTo(refused(EngineRefusal.OVERFLOW));
    assertThat(place(1, Side.SELL, 60, 1)).isInstanceOf(Accepted.class);
  }

  @Test
  void cashEndsAtTheLargestNumberForSellOrdersThatExecuteAtBetterPrices() {
    engine.createAccount(null, null, Long.MAX_VALUE - 100);
    engine.createAccount(null, null, 1_000_000);
    engine.addShares(1, "TUX", 1_000);
    place(2, Side.BUY, 10, 5);
    place(2, Side.BUY, 10, 4);
    assertThat(place(1, Side.SELL, 32, 1)).isEqualTo(refused(EngineRefusal.OVERFLOW));
    assertThat(place(1, Side.SELL, 24, 3)).isEqualTo(refused(EngineRefusal.OVERFLOW));
    assertThat(place(1, Side.SELL, 30, 1)).isInstanceOf(Accepted.class);
    assertThat(engine.account(1).orElseThrow().cashE8()).isEqualTo(Long.MAX_VALUE - 10);
    engine.cancelOrder(3, NOW);
    place(2, Side.BUY, 2, 6);
    assertThat(place(1, Side.SELL, 2, 1)).isEqualTo(refused(EngineRefusal.OVERFLOW));
    assertThat(place(1, Side.SELL, 1, 1)).isInstanceOf(Accepted.class);
  }

  @Test
  void highBidOfOneShareDoesNotStopLargeSellOrders() {
    engine.createAccount(null, null, 0);
    engine.createAccount(null, null, Long.MAX_VALUE);
    engine.addShares(1, "TUX", 1_000);
    place(2, Side.BUY, 1, Long.MAX_VALUE - 999);
    assertThat(place(1, Side.SELL, 1_000, 1)).isInstanceOf(Accepted.class);
    assertThat(engine.account(1).orElseThrow().cashE8()).isEqualTo(Long.MAX_VALUE - 999);
  }

  @Test
  void reservedCashCountsAsCash() {
    engine.createAccount(null, null, Long.MAX_VALUE);
    engine.addShares(1, "TUX", 1_000);
    place(1, Side.BUY, 100, 1);
    assertThat(place(1, Side.SELL, 1, 2)).isEqualTo(refused(EngineRefusal.OVERFLOW));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void openSharesOfAPriceEndAtTheLargestNumber(boolean buys) {
    Side side = buys ? Side.BUY : Side.SELL;
    for (int account = 1; account <= 3; account++) {
      engine.createAccount(null, null, buys ? Long.MAX_VALUE : 0);
      engine.addShares(account, "TUX", buys ? 0 : Long.MAX_VALUE);
    }
    place(1, side, Long.MAX_VALUE - 10, 1);
    assertThat(place(2, side, 11, 1)).isEqualTo(refused(EngineRefusal.OVERFLOW));
    assertThat(place(2, side, 10, 1)).isInstanceOf(Accepted.class);
    assertThat(place(3, side, 1, 1)).isEqualTo(refused(EngineRefusal.OVERFLOW));
    assertThat(place(3, side, 1, 2)).isInstanceOf(Accepted.class);
    MarketDepth depth = depth();
    assertThat((buys ? depth.bids() : depth.asks()))
        .contains(new MarketDepth.Level(1, Long.MAX_VALUE, 2));
  }

  @Test
  void largestOrderExecutesExactly() {
    engine.createAccount(null, null, 0);
    engine.createAccount(null, null, Long.MAX_VALUE);
    engine.addShares(1, "TUX", Long.MAX_VALUE);
    place(1, Side.SELL, Long.MAX_VALUE, 1);
    place(2, Side.BUY, Long.MAX_VALUE, 1);
    EngineChanges changes = engine.takeChanges();
    assertThat(changes.accounts())
        .containsExactly(
            new CashAccount(1, null, null, 0, Long.MAX_VALUE, 0),
            new CashAccount(2, null, null, Long.MAX_VALUE, 0, 0));
    assertThat(changes.positions())
        .containsExactly(new Position(1, 1, TUX, 0, 0), new Position(2, 2, TUX, Long.MAX_VALUE, 0));
  }

  @Test
  void loadRefusesGapsAndUnknownReferences() {
    var loader = new EngineLoader(EngineRows.UNBOUNDED);
    var open = order(3, 1, Side.BUY, "1", "1", "1");
    assertThatThrownBy(() -> loader.load(new Symbol(2, "TUX")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("expected symbol 1, received symbol 2");
    assertThatThrownBy(() -> loader.load(new CashAccount(2, null, null, 0, 0, 0)))
        .hasMessage("expected account 1, received account 2");
    assertThatThrownBy(() -> loader.load(position(2, 1, "0", "0")))
        .hasMessage("expected position 1, received position 2");
    assertThatThrownBy(() -> loader.load(position(1, 1, "0", "0")))
        .hasMessageContaining("was not loaded");
    loader.load(TUX);
    assertThatThrownBy(() -> loader.load(open)).hasMessageContaining("was not loaded");
    loader.load(new CashAccount(1, null, null, 1, 0, 0));
    loader.load(open);
    assertThatThrownBy(() -> loader.load(open))
        .hasMessageStartingWith("expected an open order with a number above 3, received ");
    assertThatThrownBy(() -> loader.load(order(4, 1, Side.BUY, "1", "1", "0")))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void everyRefusalHasItsOwnMessage() {
    assertThat(EngineRefusal.values())
        .extracting(it -> it.message(EngineRows.UNBOUNDED))
        .doesNotHaveDuplicates()
        .allMatch(it -> !it.isBlank());
  }

  private void accounts(int count, String shares) {
    for (int account = 1; account <= count; account++) {
      account("1000");
      addShares(account, shares);
    }
  }

  private void account(String balance) {
    engine.createAccount(null, null, amount(balance));
  }

  private void addShares(long account, String shares) {
    engine.addShares(account, "TUX", shares(shares));
  }

  private LimitOrder buy(long account, String shares, String limit) {
    return accepted(place(account, Side.BUY, shares(shares), shares(limit)));
  }

  private LimitOrder sell(long account, String shares, String limit) {
    return accepted(place(account, Side.SELL, shares(shares), shares(limit)));
  }

  private EngineOutcome<LimitOrder> place(long account, Side side, long sharesE4, long limitE4) {
    return engine.placeOrder(account, "TUX", side, sharesE4, limitE4, NOW);
  }

  private MarketDepth depth() {
    return engine.depth("TUX", 10).orElseThrow();
  }

  private static LimitOrder accepted(EngineOutcome<LimitOrder> outcome) {
    return switch (outcome) {
      case Accepted<LimitOrder>(LimitOrder order) -> order;
      case Refused<LimitOrder>(EngineRefusal reason) -> throw new AssertionError(reason);
    };
  }

  private static <T> EngineOutcome<T> refused(EngineRefusal reason) {
    return new Refused<>(reason);
  }

  private static EngineOutcome<CashAccount> created(
      long number, @Nullable String xmlId, @Nullable String owner, long balanceE8) {
    return new Accepted<>(new CashAccount(number, xmlId, owner, balanceE8, balanceE8, 0));
  }

  private static CashAccount cash(long account, String deposited, String cash, String reserved) {
    return new CashAccount(account, null, null, amount(deposited), amount(cash), amount(reserved));
  }

  private static Position position(long number, long account, String shares, String reserved) {
    return new Position(number, account, TUX, shares(shares), shares(reserved));
  }

  private static LimitOrder order(
      long number, long account, Side side, String shares, String limit, String open) {
    return new LimitOrder(
        number, account, TUX, side, shares(shares), shares(limit), shares(open), 0, NOW, 0);
  }

  private static MatchedTrade trade(
      long number, String price, String shares, long buyOrder, long sellOrder) {
    return new MatchedTrade(number, TUX, shares(price), shares(shares), buyOrder, sellOrder, NOW);
  }

  private static long shares(String text) {
    return FixedPoint.parse(text, FixedPoint.SHARES).orElseThrow();
  }

  private static long amount(String text) {
    return FixedPoint.parse(text, FixedPoint.CASH).orElseThrow();
  }
}
