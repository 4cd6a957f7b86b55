package toystore.gatling.environment;

import java.io.IOException;

/// The experiment cannot run on this machine. The message states what it needs.
public final class SkippedException extends IOException {
  /// Exit code of the lab and of the scripts in docker/ for this case.
  public static final int EXIT_CODE = 69;

  private static final long serialVersionUID = 1;

  public SkippedException(String what) {
    super(what);
  }
}
