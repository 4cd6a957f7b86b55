package toystore.bazaarlab;

import java.util.List;
import java.util.Locale;
import java.util.Random;

/// The calls that are made over gRPC.
enum GrpcCallKind {
  /// Looks up a stock's price, from memory.
  LOOKUP,
  /// Buys and sells 1 unit alternately; each trade is committed before its response.
  TRADE,
  /// Queries a sale by its number, which reads from disk.
  SALE;

  /// Chooses one of the calls with equal probability.
  static GrpcCallKind any(List<GrpcCallKind> grpcCalls, Random random) {
    return grpcCalls.get(random.nextInt(grpcCalls.size()));
  }

  /// The name in a cell.
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
