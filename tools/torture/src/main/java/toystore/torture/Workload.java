package toystore.torture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import toystore.clients.HttpBuyers;
import toystore.clients.HttpTestClient;
import toystore.clients.StoreProcesses;

/// What the clients of [KillsAndPowerCuts] do.
enum Workload {
  /// Clients buy in the store.
  ORDERS(60, "catalog", "order", "frontend") {
    @Override
    TrialClients start(StoreProcesses store, Path folder, Path token, Random random)
        throws IOException {
      HttpTestClient frontend = store.http("frontend");
      return new OrderClients(new HttpBuyers(folder, 0, frontend).buying(8), frontend);
    }
  },
  /// Buyers fill, save and buy carts on the marketplace, and others buy in the store. The payment
  /// sandbox is slow at times and loses answers.
  PURCHASES(15, "catalog", "account", "payment", "order", "frontend") {
    @Override
    TrialClients start(StoreProcesses store, Path folder, Path token, Random random)
        throws IOException {
      HttpTestClient frontend = store.http("frontend");
      return new PurchaseClients(
          new PaymentLedger(store.port("payment"), token),
          new MarketplaceBuyers(frontend).offerItems().start(6, random),
          new OrderClients(new HttpBuyers(folder, 0, frontend).buying(2), frontend));
    }
  },
  /// Clients place, query and cancel orders on the exchange, over gRPC with keys.
  TRADES(120, "exchange") {
    @Override
    TrialClients start(StoreProcesses store, Path folder, Path token, Random random)
        throws IOException {
      return new ExchangeTraders(store.port("exchange"), token).start(6, random);
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

  /// Starts the clients of a store that is ready.
  ///
  /// @param folder the folder of their journals
  /// @param token the file of the administrator's token
  abstract TrialClients start(StoreProcesses store, Path folder, Path token, Random random)
      throws IOException;

  private record OrderClients(HttpBuyers buyers, HttpTestClient frontend) implements TrialClients {
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
      return buyers.attempts();
    }

    @Override
    public void disturb(Random random) {
      ledger.injectFaults(random);
    }

    @Override
    public String check() throws Exception {
      ledger.heal();
      buyers.stop();
      return String.format(
          Locale.ROOT, "%d purchases and %s", buyers.check(ledger), others.check());
    }

    @Override
    public void close() {
      others.close();
      buyers.close();
      ledger.close();
    }
  }
}
