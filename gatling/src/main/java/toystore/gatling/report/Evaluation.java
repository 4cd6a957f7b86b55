package toystore.gatling.report;

import java.io.IOException;
import java.nio.file.Path;

public final class Evaluation {
  private Evaluation() {}

  public static void fill(Path document, Path runs) throws IOException {}
}
