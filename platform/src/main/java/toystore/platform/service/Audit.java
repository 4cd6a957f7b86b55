package toystore.platform.service;

import java.util.List;
import java.util.concurrent.CompletionStage;

/// Checks the invariants of a service with a database. Any thread.
@FunctionalInterface
public interface Audit {
  /// @param full whether to check everything again from the first entry
  CompletionStage<List<AuditCheckResult>> run(boolean full);
}
