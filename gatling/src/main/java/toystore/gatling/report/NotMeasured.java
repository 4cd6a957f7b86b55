package toystore.gatling.report;

/// The id of a figure is valid, but the stored data do not contain the figure.
final class NotMeasured extends RuntimeException {
  private static final long serialVersionUID = 1;

  /// @param available what is stored instead
  NotMeasured(String wanted, Object available) {
    super("%s is not stored; available: %s".formatted(wanted, available));
  }
}
