package toystore.frontend.audit;

import java.util.List;

/// What an audit found.
record AuditReport(boolean ok, List<Check> checks) {

  /// One invariant.
  ///
  /// @param name what must hold, such as `catalog: stock`
  /// @param detail what was compared, or the first difference
  record Check(String name, boolean ok, String detail) {}

  static AuditReport of(List<Check> checks) {
    return new AuditReport(checks.stream().allMatch(Check::ok), checks);
  }
}
