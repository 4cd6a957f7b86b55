package toystore.platform.idempotency;

/// Decides the commands of a batch.
///
/// @param <E> why the service refuses commands
public interface KeyedDecider<E extends RefusalReason> {
  /// The answers of this batch to keys.
  BatchIdempotency<E> keys();
}
