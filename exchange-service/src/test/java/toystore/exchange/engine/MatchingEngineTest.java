package toystore.exchange.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import toystore.exchange.engine.EngineOutcome.Accepted;
import toystore.exchange.engine.EngineOutcome.Refused;

class MatchingEngineTest {
  private static final long NOW = 1_000;
  private static final long LATER = 2_000;
  private static final Symbol TUX = new Symbol(1, "TUX");

  private final MatchingEngine engine = new MatchingEngine(EngineRows.UNBOUNDED);

  @Test
  void workedExampleOfTheContractHolds() {
    LongStream.rangeClosed(1, 7).forEach(_ -> account("1000000"));
    addShares(2, "100");
    addShares(4, "500");
    addShares(5, "200");
    addShares(7, "1200");
    buy(1, "300", "125");
    sell(2, "100", "130");
    buy(3, "200", "127");
    sell(4, "500", "128");
    sell(5, "200", "140");
    buy(6, "400", "125");
    LimitOrder seventh = sell(7, "400", "124");

    assertThat(seventh).isEqualTo(order(7, 7, Side.SELL, "400", "124", "0"));
    assertThat(engine.tradesOfLastOrder(10))
        .containsExactly(trade(1, "127", "200", 3, 7), trade(2, "125", "200", 1, 7));
    assertThat(engine.order(1)).contains(order(1, 1, Side.BUY, "300", "125", "100"));
    assertThat(engine.depth("TUX", 10))
        .contains(
            new MarketDepth(
                TUX,
                List.of(level("125", "500", 2)),
                List.of(level("128", "500", 1), level("130", "100", 1), level("140", "200", 1))));
    assertThat(engine.account(7)).contains(cash(7, "1000000", "1050400", "0"));
    assertThat(engine.account(1)).contains(cash(1, "1000000", "962500", "12500"));
    assertThat(engine.account(3)).contains(cash(3, "1000000", "974600", "0"));
  }

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
  void higherBidTradesFirst() {
    accounts(3, "10");
    buy(1, "1", "11");
    buy(2, "1", "12");
    sell(3, "2", "11");
    assertThat(engine.tradesOfLastOrder(10))
        .containsExactly(trade(1, "12", "1", 2, 3), trade(2, "11", "1", 1, 3));
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
  void partOfASplitOrderKeepsItsTime() {
    accounts(3, "10");
    sell(1, "10", "11");
    sell(2, "10", "11");
    buy(3, "4", "11");
    buy(3, "8", "11");
    assertThat(engine.tradesOfLastOrder(10))
        .containsExactly(trade(2, "11", "6", 4, 1), trade(3, "11", "2", 4, 2));
  }

  @Test
  void limitsThatDoNotMeetStayOpen() {
    accounts(2, "10");
    sell(1, "1", "11.0001");
    LimitOrder buy = buy(2, "1", "11");
    assertThat(buy.openE4()).isEqualTo(shares("1"));
    assertThat(engine.takeChanges().trades()).isEmpty();
  }

  @Test
  void buyerPaysTheSellersLimitAndGetsTheImprovementBackAtOnce() {
    accounts(2, "10");
    sell(1, "2", "10");
    buy(2, "3", "12.5");
    assertThat(engine.account(2)).contains(cash(2, "1000", "967.5", "12.5"));
    assertThat(engine.account(1)).contains(cash(1, "1000", "1020", "0"));
  }

  @Test
  void sellerReceivesTheBuyersLimitIfTheBuyOrderWasOpenFirst() {
    accounts(2, "10");
    buy(2, "3", "12.5");
    sell(1, "2", "10");
    assertThat(engine.account(1)).contains(cash(1, "1000", "1025", "0"));
    assertThat(engine.account(2)).contains(cash(2, "1000", "962.5", "12.5"));
  }

  @Test
  void openOrdersReserveCashAndShares() {
    accounts(2, "10");
    buy(1, "3", "11");
    sell(2, "4", "12");
    assertThat(engine.account(1)).contains(cash(1, "1000", "967", "33"));
    assertThat(engine.takeChanges().positions())
        .containsExactly(position(1, 1, "10", "0"), position(2, 2, "6", "4"));
  }

  @Test
  void cancelReturnsTheReservedCashOfTheOpenPart() {
    accounts(2, "10");
    buy(1, "3", "11");
    sell(2, "1", "11");
    assertThat(engine.cancelOrder(1, LATER))
        .isEqualTo(
            new Accepted<>(
                new LimitOrder(
                    1, 1, TUX, Side.BUY, shares("3"), shares("11"), 0, shares("2"), NOW, LATER)));
    assertThat(engine.account(1)).contains(cash(1, "1000", "989", "0"));
    assertThat(depth()).isEqualTo(new MarketDepth(TUX, List.of(), List.of()));
  }

  @Test
  void cancelReturnsTheReservedSharesOfTheOpenPart() {
    accounts(2, "10");
    sell(1, "3", "11");
    buy(2, "1", "11");
    engine.cancelOrder(1, LATER);
    assertThat(engine.takeChanges().positions())
        .containsExactly(position(1, 1, "9", "0"), position(2, 2, "11", "0"));
  }

  @Test
  void canceledOrderInTheMiddleOfAPriceIsSkipped() {
    accounts(4, "10");
    sell(1, "1", "11");
    sell(2, "1", "11");
    sell(3, "1", "11");
    engine.cancelOrder(2, LATER);
    assertThat(depth().asks()).containsExactly(level("11", "2", 2));
    buy(4, "2", "11");
    assertThat(engine.tradesOfLastOrder(10))
        .containsExactly(trade(1, "11", "1", 4, 1), trade(2, "11", "1", 4, 3));
  }

  @Test
  void canceledOrderAtTheEndOfAPriceIsFollowedByTheNextOrder() {
    accounts(4, "10");
    sell(1, "1", "11");
    sell(2, "1", "11");
    engine.cancelOrder(2, LATER);
    sell(3, "1", "11");
    buy(4, "2", "11");
    assertThat(engine.tradesOfLastOrder(10))
        .containsExactly(trade(1, "11", "1", 4, 1), trade(2, "11", "1", 4, 3));
  }

  @Test
  void closedOrderCannotBeCanceled() {
    accounts(2, "10");
    sell(1, "1", "11");
    buy(2, "1", "11");
    assertThat(engine.cancelOrder(1, LATER)).isEqualTo(refused(EngineRefusal.ORDER_NOT_OPEN));
    assertThat(engine.cancelOrder(2, LATER)).isEqualTo(refused(EngineRefusal.ORDER_NOT_OPEN));
    assertThat(engine.cancelOrder(3, LATER)).isEqualTo(refused(EngineRefusal.ORDER_NOT_OPEN));
    sell(1, "1", "11");
    engine.cancelOrder(3, LATER);
    assertThat(engine.cancelOrder(3, LATER)).isEqualTo(refused(EngineRefusal.ORDER_NOT_OPEN));
  }

  @Test
  void accountMayTradeWithItself() {
    accounts(1, "10");
    sell(1, "4", "11");
    buy(1, "3", "12");
    assertThat(engine.tradesOfLastOrder(10)).containsExactly(trade(1, "11", "3", 2, 1));
    EngineChanges changes = engine.takeChanges();
    assertThat(changes.accounts()).containsExactly(cash(1, "1000", "1000", "0"));
    assertThat(changes.positions()).containsExactly(position(1, 1, "9", "1"));
  }

  @Test
  void symbolsDoNotTradeWithEachOther() {
    accounts(2, "10");
    engine.addShares(1, "OTHER", shares("5"));
    engine.placeOrder(1, "OTHER", Side.SELL, shares("1"), shares("1"), NOW);
    buy(2, "1", "2");
    assertThat(engine.takeChanges().trades()).isEmpty();
  }

  @Test
  void fractionsAreExact() {
    accounts(2, "10");
    sell(1, "0.0001", "0.0001");
    buy(2, "0.0003", "0.0003");
    assertThat(engine.account(1)).contains(cash(1, "1000", "1000.00000001", "0"));
    assertThat(engine.account(2)).contains(cash(2, "1000", "999.99999993", "0.00000006"));
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
  void numbersMustBeInRange() {
    accounts(1, "10");
    assertThat(engine.createAccount(null, null, -1))
        .isEqualTo(refused(EngineRefusal.INVALID_BALANCE));
    assertThat(engine.addShares(1, "TUX", -1)).isEqualTo(refused(EngineRefusal.INVALID_SHARES));
    assertThat(place(1, Side.BUY, 0, 1)).isEqualTo(refused(EngineRefusal.INVALID_SHARES));
    assertThat(place(1, Side.SELL, -1, 1)).isEqualTo(refused(EngineRefusal.INVALID_SHARES));
    assertThat(place(1, Side.BUY, 1, 0)).isEqualTo(refused(EngineRefusal.INVALID_LIMIT));
    assertThat(place(1, Side.SELL, 1, Long.MIN_VALUE))
        .isEqualTo(refused(EngineRefusal.INVALID_LIMIT));
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
  void sharesOfAnUnknownSymbolCreateIt() {
    account("1");
    assertThat(engine.addShares(1, "TUX", 0)).isEqualTo(new Accepted<>(position(1, 1, "0", "0")));
    assertThat(engine.addShares(1, "TUX", 5))
        .isEqualTo(new Accepted<>(position(1, 1, "0.0005", "0")));
    EngineChanges changes = engine.takeChanges();
    assertThat(changes.symbols()).containsExactly(TUX);
    assertThat(changes.positions()).containsExactly(position(1, 1, "0.0005", "0"));
    assertThat(depth()).isEqualTo(new MarketDepth(TUX, List.of(), List.of()));
  }

  @Test
  void buyerNeedsTheWholeAmountInFreeCash() {
    accounts(1, "0");
    assertThat(place(1, Side.BUY, shares("100"), shares("10.0001")))
        .isEqualTo(refused(EngineRefusal.INSUFFICIENT_CASH));
    buy(1, "100", "10");
    assertThat(place(1, Side.BUY, 1, 1)).isEqualTo(refused(EngineRefusal.INSUFFICIENT_CASH));
  }

  @Test
  void sellerNeedsFreeShares() {
    accounts(2, "10");
    sell(1, "9", "1");
    assertThat(place(1, Side.SELL, shares("1.0001"), 1))
        .isEqualTo(refused(EngineRefusal.INSUFFICIENT_SHARES));
    sell(1, "1", "1");
    assertThat(place(1, Side.SELL, 1, 1)).isEqualTo(refused(EngineRefusal.INSUFFICIENT_SHARES));
  }

  @Test
  void refusedCommandsChangeNothingAndUseNoNumber() {
    accounts(1, "10");
    engine.takeChanges();
    engine.createAccount("x", null, 0);
    engine.addShares(1, "TUX", -1);
    engine.addShares(2, "NEW", 1);
    engine.addShares(1, "TUX", Long.MAX_VALUE);
    place(1, Side.BUY, Long.MAX_VALUE, Long.MAX_VALUE);
    place(1, Side.SELL, Long.MAX_VALUE, 1);
    engine.cancelOrder(1, NOW);
    assertThat(engine.takeChanges())
        .isEqualTo(
            new EngineChanges(List.of(), List.of(), List.of(), List.of(), List.of(), List.of()));
    assertThat(buy(1, "1", "1").number()).isEqualTo(1);
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
  void changesContainEachChangedRecordOnceAsItIsNow() {
    accounts(2, "10");
    sell(1, "1", "11");
    sell(1, "2", "11");
    buy(2, "2", "11");
    EngineChanges changes = engine.takeChanges();
    assertThat(changes)
        .isEqualTo(
            new EngineChanges(
                List.of(cash(1, "1000", "1022", "0"), cash(2, "1000", "978", "0")),
                List.of(TUX),
                List.of(position(1, 1, "7", "1"), position(2, 2, "12", "0")),
                List.of(
                    order(1, 1, Side.SELL, "1", "11", "0"),
                    order(2, 1, Side.SELL, "2", "11", "1"),
                    order(3, 2, Side.BUY, "2", "11", "0")),
                List.of(trade(1, "11", "1", 3, 1), trade(2, "11", "1", 3, 2)),
                List.of(TUX)));
    assertThat(changes.orders().get(1).executedE4()).isEqualTo(shares("1"));
    buy(2, "1", "10");
    assertThat(engine.takeChanges())
        .isEqualTo(
            new EngineChanges(
                List.of(cash(2, "1000", "968", "10")),
                List.of(),
                List.of(),
                List.of(order(4, 2, Side.BUY, "1", "10", "1")),
                List.of(),
                List.of(TUX)));
  }

  @Test
  void closedOrdersAndTradesAreForgottenWhenTheChangesAreTaken() {
    accounts(2, "10");
    sell(1, "1", "11");
    sell(1, "2", "12");
    buy(2, "2", "12");
    engine.cancelOrder(2, LATER);
    assertThat(engine.order(1)).contains(order(1, 1, Side.SELL, "1", "11", "0"));
    assertThat(engine.order(2).orElseThrow().canceledE4()).isEqualTo(shares("1"));
    sell(1, "1", "13");
    buy(2, "0.5", "13");
    engine.takeChanges();
    assertThat(LongStream.rangeClosed(1, 5).mapToObj(engine::order).flatMap(Optional::stream))
        .containsExactly(order(4, 1, Side.SELL, "1", "13", "0.5"));
    assertThat(engine.tradesOfLastOrder(10)).isEmpty();
  }

  @Test
  void loadedEngineContinuesWithOrdersTimeAndNumbers() {
    accounts(4, "10");
    sell(1, "2", "11");
    sell(2, "1", "11");
    buy(3, "1", "11");
    var rows = new EngineRows();
    rows.apply(engine.takeChanges());
    MatchingEngine loaded = rows.load();
    loaded.placeOrder(4, "TUX", Side.BUY, shares("2"), shares("11"), NOW);
    assertThat(loaded.takeChanges().trades())
        .containsExactly(trade(2, "11", "1", 4, 1), trade(3, "11", "1", 4, 2));
    assertThat(loaded.createAccount(null, null, 0)).isEqualTo(created(5, null, null, 0));
  }

  @Test
  void loadedEngineKeepsTheBoundsOfItsOpenOrders() {
    engine.createAccount("1", null, Long.MAX_VALUE - 100);
    engine.addShares(1, "TUX", Long.MAX_VALUE - 100);
    place(1, Side.SELL, 50, 2);
    place(1, Side.BUY, 100, 1);
    var rows = new EngineRows();
    rows.apply(engine.takeChanges());
    MatchingEngine loaded = rows.load();
    assertThat(loaded.placeOrder(1, "TUX", Side.SELL, 1, 3, NOW))
        .isEqualTo(refused(EngineRefusal.OVERFLOW));
    assertThat(loaded.addShares(1, "TUX", 1)).isEqualTo(refused(EngineRefusal.OVERFLOW));
    assertThat(loaded.createAccount("1", null, 0)).isEqualTo(refused(EngineRefusal.ACCOUNT_EXISTS));
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

  private static MarketDepth.Level level(String price, String shares, int orders) {
    return new MarketDepth.Level(shares(price), shares(shares), orders);
  }

  private static long shares(String text) {
    return FixedPoint.parse(text, FixedPoint.SHARES).orElseThrow();
  }

  private static long amount(String text) {
    return FixedPoint.parse(text, FixedPoint.CASH).orElseThrow();
  }
}
