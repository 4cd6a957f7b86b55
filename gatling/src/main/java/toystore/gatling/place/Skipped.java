package toystore.gatling.place;

import java.io.IOException;

/// A place cannot be had on this machine. Its message says what it takes.
public final class Skipped extends IOException {
  private static final long serialVersionUID = 1;

  Skipped(String what) {
    super(what);
  }
}
