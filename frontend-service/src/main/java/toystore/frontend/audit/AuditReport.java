package toystore.frontend.audit;

import java.util.List;
import org.jspecify.annotations.Nullable;
import toystore.platform.service.AuditCheck;

/// What an audit found.
///
/// @param ok false where an invariant does not hold, else null where a check could not be made
record AuditReport(@Nullable Boolean ok, List<AuditCheck> checks) {
  static AuditReport of(List<AuditCheck> checks) {
    boolean wrong = checks.stream().anyMatch(it -> Boolean.FALSE.equals(it.ok()));
    boolean known = checks.stream().allMatch(it -> it.ok() != null);
    return new AuditReport(wrong ? Boolean.FALSE : known ? Boolean.TRUE : null, checks);
  }
}
