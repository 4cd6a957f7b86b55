package toystore.gatling.report;

/// The id of a figure is valid, but the stored data do not contain the figure.
final class NotMeasuredException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /// @param available what is stored instead
  NotMeasuredException(String wanted, Object available) {
    super("%s is not stored; available: %s".formatted(wanted, available));
  }
}
