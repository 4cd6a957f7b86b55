package toystore.lab.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// A store on PostgreSQL, which is started before it. The CPU time of PostgreSQL is not counted.
///
/// @param servers `single` or `replicated`: see `PostgresProgram` of the module `references`
record PostgresSubject(LauncherSubject store, String servers) implements Subject {
  @Override
  public String name() {
    return store.name();
  }

  @Override
  public RunningSubject start(Path folder) throws IOException, InterruptedException {
    var running = new RunningSubject();
    try {
      List<String> arguments = List.of(servers, folder.resolve("postgresql").toString());
      String ready =
          running
              .add(
                  ReferenceSubject.program(
                      "PostgreSQL", store.home(), "PostgresProgram", arguments))
              .awaitLine(line -> line.startsWith(ReferenceSubject.READY));
      String url = ready.substring(ReferenceSubject.READY.length());
      store.start(
          folder,
          running,
          List.of("--database", url),
          Map.of("TOYSTORE_DATABASE_USER", "postgres"));
      return running;
    } catch (IOException | InterruptedException | RuntimeException e) {
      running.close();
      throw e;
    }
  }
}
