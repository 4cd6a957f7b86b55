package toystore.bazaarlab;

import java.util.List;
import java.util.Locale;
import java.util.Random;

/// What is asked for over gRPC.
enum GrpcCall {
  /// A stock's price, from memory.
  LOOKUP,
  /// One piece bought or sold in turn, on disk before it is answered.
  TRADE,
  /// A sale by its number, which is read from disk.
  SALE;

  /// One of these, each as likely as the others.
  static GrpcCall any(List<GrpcCall> grpcCalls, Random random) {
    return grpcCalls.get(random.nextInt(grpcCalls.size()));
  }

  /// As in a cell.
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
