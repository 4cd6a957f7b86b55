package toystore.lab.floor;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import toystore.lab.run.RunningSubject;
import toystore.lab.run.StartedProgram;
import toystore.lab.run.Subject;

/// All floors.
public final class Floors {
  private static final String READY = "ready ";
  private static final double WARM_UP_SECONDS = 15; // little code: compiled after that

  private Floors() {}

  /// @param home the project folder, built by `./toystore`
  public static List<Subject> of(Path home) {
    return of(home, home.toAbsolutePath().resolve("target/app/lib") + "/*");
  }

  /// @param libraries class path with Spring Boot and grpc-java
  static List<Subject> of(Path home, String libraries) {
    return List.of(
        new Floor("mvc", home, MvcFloor.class, libraries),
        new Floor("netty", home, NettyFloor.class, libraries),
        new Floor("grpc", home, GrpcFloor.class, libraries));
  }

  /// A floor as a subject of an experiment.
  ///
  /// @param server its main class
  private record Floor(String name, Path home, Class<?> server, String libraries)
      implements Subject {
    @Override
    public double warmUpSeconds(double planned) {
      return Math.min(planned, WARM_UP_SECONDS);
    }

    @Override
    public RunningSubject start(Path folder) throws IOException, InterruptedException {
      var classes = server.getProtectionDomain().getCodeSource().getLocation();
      var command = new ArrayList<>(StartedProgram.jvm(home));
      command.addAll(List.of("-cp", Path.of(URI.create(classes.toString())) + ":" + libraries));
      command.add(server.getName());
      var program = new StartedProgram(name, home, Map.of(), command);
      String ready = program.awaitLine(it -> it.startsWith(READY));
      var running = new RunningSubject(URI.create(ready.substring(READY.length())));
      running.add(program);
      running.pids.put("server", program.pid());
      return running;
    }
  }
}
