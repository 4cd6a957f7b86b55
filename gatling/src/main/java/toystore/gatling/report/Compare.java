package toystore.gatling.report;

import org.jspecify.annotations.Nullable;
import toystore.gatling.result.Run;

public final class Compare {
  private Compare() {}

  public static String text(Run a, Run b, @Nullable Run noise) {
    return "";
  }
}
