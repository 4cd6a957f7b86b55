package toystore.lab.run;

import java.util.Locale;

/// What is killed (SIGKILL) in a [FailureRun].
public enum Failure {
  NOTHING("nothing fails"),
  FRONTEND("one of two frontends"),
  STANDBY("standby of the catalog"),
  CATALOG("active catalog"),
  ORDER("active order service"),
  ACCOUNT("active account service"),
  EXCHANGE("active exchange"),
  PRIMARY("primary of PostgreSQL");

  private final String title;

  Failure(String title) {
    this.title = title;
  }

  public String title() {
    return title;
  }

  /// The service whose active process is killed.
  String service() {
    return name().toLowerCase(Locale.ROOT);
  }
}
