package toystore.payment.storage;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletionStage;
import toystore.platform.service.Audit;
import toystore.platform.service.AuditCheckResult;
import toystore.platform.storage.IntegrityCheck;
import toystore.platform.storage.ReadPool;

/// Checks that numbers have no gap and rows are as written, with a valid state and amount. The next
/// audit continues with new payments; a full one starts again and runs SQLite's integrity check.
///
/// Any thread may call it. The one thread of the pool owns the remembered number.
public final class PaymentAudit implements Audit {
  private static final int PAGE = 5_000;
  private static final String NAME = "payments";

  private final ReadPool reader;
  private long checked;

  /// @param reader with one thread
  public PaymentAudit(ReadPool reader) {
    this.reader = reader;
  }

  @Override
  public CompletionStage<List<AuditCheckResult>> run(boolean full) {
    return reader
        .read(connection -> check(connection, full))
        .exceptionally(failure -> AuditCheckResult.failed(NAME, failure))
        .thenApply(List::of);
  }

  private AuditCheckResult check(Connection connection, boolean full) throws SQLException {
    if (full) {
      checked = 0;
      IntegrityCheck.integrityCheck(connection);
    }
    int rows;
    do {
      rows = PaymentStore.page(connection, checked, PAGE).size();
      checked += rows;
    } while (rows == PAGE);
    return new AuditCheckResult(
        NAME,
        true,
        "numbers are consecutive and all rows are as written, checked up to " + checked);
  }
}
