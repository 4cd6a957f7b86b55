package toystore.gatling.environment;

import java.io.IOException;

/// An experiment cannot be made here. Its message says what it takes.
public final class SkippedException extends IOException {
  /// What a program ends with for this reason: the lab's, and the scripts under docker/.
  public static final int EXIT_CODE = 69;

  private static final long serialVersionUID = 1;

  public SkippedException(String what) {
    super(what);
  }
}
