package toystore.gatling;

/// What one cell of the table says: so many clients, one kind of call. Latencies are in µs.
///
/// @param kind one word, such as `query` or `buy`
/// @param perSecond answers a second by all clients together, from the first call's start to the
///   last one's end; it holds the time a client takes to check an answer, which the latencies do
///   not
record Cell(
    int clients,
    String kind,
    long count,
    double meanMicros,
    long p50Micros,
    long p95Micros,
    long p99Micros,
    long maxMicros,
    double perSecond) {
  Cell {
    if (!kind.matches("[a-z][a-z-]*")) {
      throw new IllegalArgumentException("kind: a lower-case word wanted, found '" + kind + "'");
    }
    if (clients < 1 || count < 1) {
      throw new IllegalArgumentException(
          kind + ": " + clients + " clients with " + count + " calls measure nothing");
    }
  }
}
