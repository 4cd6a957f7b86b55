package toystore.lab.run;

import java.util.Locale;

/// What is killed (SIGKILL) in a [FailureRun].
public enum Failure {
  NOTHING,
  /// One of two.
  FRONTEND,
  /// Of the catalog.
  STANDBY,
  /// The active process of this service.
  CATALOG,
  ORDER,
  ACCOUNT,
  EXCHANGE,
  /// Of PostgreSQL.
  PRIMARY;

  /// The service whose active process is killed.
  String service() {
    return name().toLowerCase(Locale.ROOT);
  }
}
