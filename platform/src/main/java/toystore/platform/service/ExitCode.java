package toystore.platform.service;

/// Exit codes of a service process. The launcher decides by them whether to restart the service.
public final class ExitCode {
  /// Startup failed; standard error has one line with the reason.
  public static final int START_REFUSED = 1;

  /// An fsync failed: the content of the disk is unknown, so the service must not be restarted.
  /// `EX_IOERR` of sysexits.h.
  public static final int DISK_FAILED = 74;

  /// Another process has taken over the database, the outcome of a commit is unknown, or the
  /// database was not reached for a minute or went away during the start: the service may be
  /// restarted. `EX_TEMPFAIL` of sysexits.h.
  public static final int TAKEN_OVER = 75;

  private ExitCode() {}
}
