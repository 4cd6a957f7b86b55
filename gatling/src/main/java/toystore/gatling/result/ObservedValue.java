package toystore.gatling.result;

/// A figure of one repetition other than the latency of a whole call: a mean over the calls of that
/// repetition.
///
/// @param name such as `part.commit` (µs of a call spent there, calls with `Prefer: server-timing`)
///   or `calls.order.PlaceOrder` (gRPC calls that one request causes)
/// @param unit `µs`, `calls`, `ms` …
public record ObservedValue(int repetition, Cell cell, String name, double value, String unit) {}
