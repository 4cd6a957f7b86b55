package toystore.bazaarlab;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.StatusProto;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import toystore.bazaar.v1.LookupRequest;
import toystore.bazaar.v1.StockBazaarGrpc;
import toystore.bazaar.v1.StockBazaarGrpc.StockBazaarBlockingStub;
import toystore.bazaar.v1.TradeRequest;
import toystore.bazaar.v1.TradeType;
import toystore.catalog.v1.CatalogServiceGrpc;
import toystore.catalog.v1.CatalogServiceGrpc.CatalogServiceBlockingStub;
import toystore.catalog.v1.GetSaleRequest;
import toystore.catalog.v1.Series;
import toystore.gatling.environment.ShippedStocks;

/// Calls a catalog over gRPC, with its own connection.
final class GrpcCaller implements Caller {
  private static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final int DONE = 1;

  private final ManagedChannel channel;
  private final StockBazaarBlockingStub bazaar;
  private final CatalogServiceBlockingStub catalog;
  private final Workload workload;
  private final Random random;
  private boolean sellNext;
  private long lastNumber = -1;

  /// The calls that a client makes.
  ///
  /// @param grpcCalls chosen at random
  /// @param sales sale numbers for [GrpcCallKind#SALE]
  /// @param mayRefuse whether the service may refuse calls because it is busy
  record Workload(List<GrpcCallKind> grpcCalls, List<Long> sales, boolean mayRefuse) {
    static Workload of(GrpcCallKind... grpcCalls) {
      return new Workload(List.of(grpcCalls), List.of(), false);
    }
  }

  private GrpcCaller(int port, Workload workload, Random random) {
    this.channel = channel(port);
    this.bazaar = StockBazaarGrpc.newBlockingStub(channel);
    this.catalog = CatalogServiceGrpc.newBlockingStub(channel);
    this.workload = workload;
    this.random = random;
  }

  /// Connects a client with a first call, which opens the connection.
  ///
  /// @param random chooses stocks and calls
  static GrpcCaller connect(int port, Workload workload, Random random) throws IOException {
    var caller = new GrpcCaller(port, workload, random);
    try {
      caller.lookup(() -> {});
      return caller;
    } catch (StatusRuntimeException | WrongResponseException failure) {
      caller.close();
      throw new IOException(
          "the first call to the catalog on port " + port + " failed: " + failure, failure);
    }
  }

  static ManagedChannel channel(int port) {
    return NettyChannelBuilder.forAddress("127.0.0.1", port)
        .usePlaintext()
        .proxyDetector(_ -> null)
        .build();
  }

  @Override
  public Answer call(Runnable onSent) {
    GrpcCallKind grpcCall = GrpcCallKind.any(workload.grpcCalls, random);
    long beganNanos = System.nanoTime();
    try {
      return switch (grpcCall) {
        case LOOKUP -> lookup(onSent);
        case TRADE -> trade(onSent);
        case SALE -> sale(onSent);
      };
    } catch (StatusRuntimeException failure) {
      if (!workload.mayRefuse || failure.getStatus().getCode() != Status.Code.RESOURCE_EXHAUSTED) {
        throw new WrongResponseException(grpcCall.label(), "a response", failure.getStatus());
      }
      return new Answer(grpcCall.label(), beganNanos, System.nanoTime(), reason(failure));
    }
  }

  private record Timed<A>(A answer, long startNanos, long endNanos) {
    static <A> Timed<A> of(Runnable onSent, Supplier<A> call) {
      onSent.run();
      long startNanos = System.nanoTime();
      A answer = call.get();
      return new Timed<>(answer, startNanos, System.nanoTime());
    }

    Answer as(GrpcCallKind grpcCall) {
      return new Answer(grpcCall.label(), startNanos, endNanos, "");
    }
  }

  private Answer lookup(Runnable onSent) {
    var request = LookupRequest.newBuilder().setName(ShippedStocks.any(random)).build();
    var it = Timed.of(onSent, () -> bazaar.withDeadlineAfter(DEADLINE).lookup(request));
    if (it.answer.getPrice() <= 0 || it.answer.getSuspended()) {
      throw new WrongResponseException(
          "Lookup " + request, "a price above 0, not suspended", it.answer);
    }
    return it.as(GrpcCallKind.LOOKUP);
  }

  private Answer trade(Runnable onSent) {
    var request =
        TradeRequest.newBuilder()
            .setName(ShippedStocks.any(random))
            .setQuantity(1)
            .setType(sellNext ? TradeType.SELL : TradeType.BUY)
            .build();
    var it = Timed.of(onSent, () -> bazaar.withDeadlineAfter(DEADLINE).trade(request));
    if (it.answer.getResult() != DONE || it.answer.getTransactionNumber() <= lastNumber) {
      throw new WrongResponseException(
          "Trade " + request, "a completed trade with a number above " + lastNumber, it.answer);
    }
    sellNext = !sellNext; // so that the stock lasts
    lastNumber = it.answer.getTransactionNumber();
    return it.as(GrpcCallKind.TRADE);
  }

  /// The number of its last trade; -1 if there was none.
  long lastNumber() {
    return lastNumber;
  }

  private Answer sale(Runnable onSent) {
    long number = workload.sales.get(random.nextInt(workload.sales.size()));
    var request =
        GetSaleRequest.newBuilder().setSeries(Series.SERIES_STORE).setNumber(number).build();
    var it = Timed.of(onSent, () -> catalog.withDeadlineAfter(DEADLINE).getSale(request));
    if (it.answer.getSale().getNumber() != number || it.answer.getSale().getLinesCount() != 1) {
      throw new WrongResponseException("GetSale " + request, "a sale of one line", it.answer);
    }
    return it.as(GrpcCallKind.SALE);
  }

  /// The reason, such as `OVERLOADED`; `RESOURCE_EXHAUSTED` if there is none.
  private static String reason(StatusRuntimeException refusal) {
    var status = StatusProto.fromThrowable(refusal);
    try {
      for (Any detail : status == null ? List.<Any>of() : status.getDetailsList()) {
        if (detail.is(ErrorInfo.class)) {
          return detail.unpack(ErrorInfo.class).getReason().replace("ERROR_REASON_", "");
        }
      }
      return refusal.getStatus().getCode().name();
    } catch (InvalidProtocolBufferException e) {
      throw new WrongResponseException(
          "details of " + refusal.getStatus().getCode(), "a valid google.rpc.ErrorInfo", e);
    }
  }

  /// Always false, because a blocking call reads its response at once.
  @Override
  public boolean hasUnreadAnswer() {
    return false;
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
