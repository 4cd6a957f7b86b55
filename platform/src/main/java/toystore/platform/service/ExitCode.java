package toystore.platform.service;

/// With what a service's process ends when it ends by itself. The launcher decides by it.
public final class ExitCode {
  /// It did not start, for a reason it said in one line.
  public static final int START_REFUSED = 1;

  /// A sync of the disk failed: what the disk holds is unknown, and a restart would guess.
  /// `EX_IOERR` of sysexits.h.
  public static final int DISK_FAILED = 74;

  private ExitCode() {}
}
