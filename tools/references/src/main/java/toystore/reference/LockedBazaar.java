package toystore.reference;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import toystore.bazaar.v1.LookupRequest;
import toystore.bazaar.v1.LookupResponse;
import toystore.bazaar.v1.StockBazaarGrpc;
import toystore.bazaar.v1.TradeRequest;
import toystore.bazaar.v1.TradeResponse;
import toystore.bazaar.v1.TradeType;
import toystore.bazaar.v1.UpdateRequest;
import toystore.bazaar.v1.UpdateResponse;

/// The stock bazaar in memory, as published: lookups and trades over gRPC and over the line
/// protocol, each with threads of its own, under a [Locking]. Nothing is durable.
///
/// ```
/// Lookup,NAME            the price
/// Trade,NAME,UNITS,BUY   the price, after the trade
/// ```
public final class LockedBazaar extends StockBazaarGrpc.StockBazaarImplBase {
  private static final List<String> STOCKS = List.of("GameStart", "FishCo", "BoarCo", "MenhirCo");
  private static final long UNITS = 1_000_000_000;

  private final Map<String, Stock> stocks;
  private final AtomicLong transactions = new AtomicLong();
  private final Locking locking;

  /// A stock at one time.
  record Stock(double price, long units, long volume) {}

  LockedBazaar(Locking locking) {
    this.locking = locking;
    this.stocks =
        new ConcurrentHashMap<>(
            STOCKS.stream().collect(Collectors.toMap(it -> it, _ -> new Stock(15.99, UNITS, 0))));
  }

  /// @param arguments the name of a [Locking], the threads (see [#threads]), `request` or
  ///   `connection`
  public static void main(String[] arguments) throws IOException, InterruptedException {
    var bazaar = new LockedBazaar(Locking.of(arguments[0]));
    Executor threads = threads(arguments[1]);
    Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
            .executor(threads)
            .addService(bazaar)
            .build()
            .start();
    var lines =
        new LineServer(threads(arguments[1]), arguments[2].equals("request"), bazaar::answer);
    System.out.println("line_port " + lines.port());
    System.out.println("ready grpc://127.0.0.1:" + server.getPort());
    server.awaitTermination();
  }

  /// @param name `direct` (those that receive the requests), `virtual`, or the size of a pool
  private static Executor threads(String name) {
    return switch (name) {
      case "direct" -> Runnable::run;
      case "virtual" -> Thread::startVirtualThread;
      default -> Executors.newFixedThreadPool(Integer.parseInt(name));
    };
  }

  /// The answer to a line; `-1` for one that is wrong.
  String answer(String line) {
    String[] words = line.split(",", -1);
    Stock stock =
        switch (words[0]) {
          case "Lookup" -> find(words[1]);
          case "Trade" -> trade(words[1], Long.parseLong(words[2]), words[3].equals("BUY"));
          default -> null;
        };
    return stock == null ? "-1" : Double.toString(stock.price());
  }

  @Nullable Stock find(String name) {
    return locking.reading(() -> stocks.get(name));
  }

  @Nullable Stock trade(String name, long units, boolean buys) {
    long sold = buys ? units : -units;
    return locking.writing(() ->
        stocks.computeIfPresent(
            name,
            (_, it) -> new Stock(it.price(), it.units() - sold, it.volume() + Math.abs(sold))));
  }

  /// Units that were traded.
  long volume(String name) {
    Stock stock = find(name);
    return stock == null ? 0 : stock.volume();
  }

  @Override
  public void lookup(LookupRequest request, StreamObserver<LookupResponse> response) {
    Stock stock = find(request.getName());
    response.onNext(
        stock == null
            ? LookupResponse.newBuilder().setPrice(-1).build()
            : LookupResponse.newBuilder()
                .setPrice(stock.price())
                .setVolume(stock.volume())
                .build());
    response.onCompleted();
  }

  @Override
  public void trade(TradeRequest request, StreamObserver<TradeResponse> response) {
    boolean buys = request.getType() == TradeType.BUY;
    Stock stock = trade(request.getName(), request.getQuantity(), buys);
    response.onNext(
        stock == null
            ? TradeResponse.newBuilder().setResult(-1).build()
            : TradeResponse.newBuilder()
                .setResult(1)
                .setTransactionNumber(transactions.incrementAndGet())
                .build());
    response.onCompleted();
  }

  @Override
  public void update(UpdateRequest request, StreamObserver<UpdateResponse> response) {
    Stock stock =
        locking.writing(() ->
            stocks.computeIfPresent(
                request.getName(),
                (_, it) -> new Stock(request.getPrice(), it.units(), it.volume())));
    response.onNext(UpdateResponse.newBuilder().setResult(stock == null ? -1 : 1).build());
    response.onCompleted();
  }
}
