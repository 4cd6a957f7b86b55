package toystore.platform.journal;

import java.time.Instant;
import toystore.platform.storage.UnitOfWork;

/// A unit of work of [KeyedCommand]s.
public interface KeyedUnitOfWork extends UnitOfWork {
  /// The answers of the service's keys.
  default KeyJournal journal() {
    throw new IllegalStateException("the commands of this service have no idempotency keys");
  }

  default Instant now() {
    return journal().now();
  }
}
