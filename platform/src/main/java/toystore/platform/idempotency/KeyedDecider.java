package toystore.platform.idempotency;

/// Decides the commands of a batch.
public interface KeyedDecider {
  /// The answers of this batch to keys.
  BatchIdempotency keys();
}
