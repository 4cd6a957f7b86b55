package toystore.torture;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import toystore.clients.HttpBuyers;
import toystore.clients.StoreHttpClient;
import toystore.clients.StoreProcesses;
import toystore.torture.trial.MarketplaceBuyers;
import toystore.torture.trial.PaymentLedger;
import toystore.torture.trial.TrialRound;

/// What the clients of [KillsAndPowerCuts] do.
enum Workload {
  /// Clients buy in the store.
  ORDERS(60, "catalog", "order", "frontend") {
    @Override
    TrialClients start(StoreProcesses store, TrialRound round, Random random) throws IOException {
      return new OrderClients(store, round, 8);
    }
  },
  /// Clients trade a stock up to its volume limit.
  LIMITED_TRADES(4, "catalog", "order", "frontend") {
    @Override
    void prepare(StoreProcesses store, TrialRound round) throws IOException {
      StockTraders.prepare(store, round);
    }

    @Override
    TrialClients start(StoreProcesses store, TrialRound round, Random random) throws IOException {
      return new StockTraders(store.http("frontend"), round);
    }
  },
  /// Buyers fill, save and buy carts on the marketplace, and others buy in the store. The payment
  /// sandbox is slow at times and loses answers.
  PURCHASES(15, "catalog", "account", "payment", "order", "frontend") {
    @Override
    TrialClients start(StoreProcesses store, TrialRound round, Random random) throws IOException {
      return new PurchaseClients(
          new PaymentLedger(store.grpc("payment")),
          new MarketplaceBuyers(store.http("frontend")).start(6, random),
          new OrderClients(store, round, 2));
    }
  },
  /// Clients place, query and cancel orders on the exchange, over gRPC with keys.
  TRADES(120, "exchange") {
    @Override
    TrialClients start(StoreProcesses store, TrialRound round, Random random) {
      return new ExchangeTraders(() -> store.grpc("exchange"), 6, random);
    }
  };

  /// The largest number of answers between two faults.
  final int answers;

  /// The services that are killed. All but the frontend keep data.
  final List<String> services;

  Workload(int answers, String... services) {
    this.answers = answers;
    this.services = List.of(services);
  }

  /// Sets what the store sells, unless it is the default.
  void prepare(StoreProcesses store, TrialRound round) throws IOException {}

  /// Starts the clients of a store that is ready.
  abstract TrialClients start(StoreProcesses store, TrialRound round, Random random)
      throws IOException;

  private record OrderClients(HttpBuyers buyers, StoreHttpClient frontend) implements TrialClients {
    OrderClients(StoreProcesses store, TrialRound round, int count) throws IOException {
      this(
          new HttpBuyers(round.folder(), 0, store.http("frontend")).buying(count),
          store.http("frontend"));
    }

    @Override
    public long answers() {
      return buyers.bought();
    }

    @Override
    public String check() throws Exception {
      buyers.stop();
      buyers.checkAgainst(frontend);
      return buyers.bought() + " orders acknowledged";
    }

    @Override
    public void close() {
      buyers.close();
    }
  }

  private record PurchaseClients(
      PaymentLedger ledger, MarketplaceBuyers buyers, OrderClients others) implements TrialClients {
    @Override
    public long answers() {
      return buyers.answers();
    }

    @Override
    public void disturb(Random random) {
      ledger.injectFaults(random);
    }

    @Override
    public String check() throws Exception {
      ledger.heal();
      buyers.stop();
      return buyers.check(ledger) + " purchases and " + others.check();
    }

    @Override
    public void close() {
      others.close();
      buyers.close();
      ledger.close();
    }
  }
}
