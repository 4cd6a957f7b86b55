package toystore.lab.floor;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import toystore.lab.run.StartedProgram;
import toystore.lab.run.Subject;

/// All floors.
public final class Floors {
  private static final String READY = "ready ";
  private static final double DISK_WARM_UP_SECONDS = 3;
  private static final double SERVER_WARM_UP_SECONDS = 15; // little code: compiled after that

  private Floors() {}

  /// @param home the project folder, built by `./toystore`
  public static List<Subject> of(Path home) {
    return of(home, home.toAbsolutePath().resolve("target/app/lib") + "/*");
  }

  /// @param libraries class path with Spring Boot, grpc-java and SQLite
  static List<Subject> of(Path home, String libraries) {
    return List.of(
        new Floor("mvc", home, MvcFloor.class, libraries),
        new Floor("netty", home, NettyFloor.class, libraries),
        new Floor("grpc", home, GrpcFloor.class, libraries),
        new Floor("sync", home, null, libraries),
        new Floor("commit", home, null, libraries));
  }

  /// A floor as a subject of an experiment.
  ///
  /// @param server main class of its server; null: the load client does all the work, and the name
  ///   is the scheme of the URL
  private record Floor(String name, Path home, @Nullable Class<?> server, String libraries)
      implements Subject {
    @Override
    public double warmUpSeconds(double planned) {
      return Math.min(planned, server == null ? DISK_WARM_UP_SECONDS : SERVER_WARM_UP_SECONDS);
    }

    @Override
    public Running start(Path folder) throws IOException, InterruptedException {
      if (server == null) {
        return new RunningFloor(
            URI.create(String.format(Locale.ROOT, "%s:%s/records", name, folder)),
            null,
            ":" + libraries);
      }
      var classes = server.getProtectionDomain().getCodeSource().getLocation();
      var command =
          StartedProgram.server(
              home,
              Path.of(URI.create(classes.toString())) + ":" + libraries,
              server.getName(),
              List.of());
      var program = new StartedProgram(name, home, Map.of(), command);
      String ready = program.awaitLine(it -> it.startsWith(READY));
      return new RunningFloor(URI.create(ready.substring(READY.length())), program, "");
    }
  }

  private record RunningFloor(URI url, @Nullable StartedProgram program, String libraries)
      implements Subject.Running {
    @Override
    public Map<String, Long> pids() {
      return program == null ? Map.of() : Map.of("server", program.pid());
    }

    @Override
    public void close() throws InterruptedException {
      if (program != null) {
        program.close();
      }
    }
  }
}
