package toystore.gatling.place;

import java.io.IOException;

/// An experiment cannot be made here. Its message says what it takes.
public final class Skipped extends IOException {
  private static final long serialVersionUID = 1;

  public Skipped(String what) {
    super(what);
  }
}
