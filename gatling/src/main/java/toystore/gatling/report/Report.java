package toystore.gatling.report;

import org.jspecify.annotations.Nullable;
import toystore.gatling.result.Run;

public final class Report {
  private Report() {}

  public static void writeIndex(java.nio.file.Path folder, java.util.List<Run> runs) {}

  public static String write(Run run, Published published, @Nullable Run noise) {
    return run.samples().toString();
  }
}
