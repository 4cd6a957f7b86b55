package toystore.gatling.report;

/// A figure that was asked for in the right words, but the stored data do not hold it.
final class NotMeasured extends RuntimeException {
  private static final long serialVersionUID = 1;

  /// @param there what there is instead
  NotMeasured(String wanted, Object there) {
    super("%s is not stored; there is: %s".formatted(wanted, there));
  }
}
