package toystore.lab.floor;

import java.nio.file.Path;
import java.util.List;
import toystore.lab.run.Subject;

/// All floors.
public final class Floors {
  private Floors() {}

  /// @param home the project folder, built by `./toystore`
  public static List<Subject> of(Path home) {
    Path app = home.toAbsolutePath().resolve("target/app");
    return of(
        home, app.resolve("frontend-service/lib/*") + ":" + app.resolve("catalog-service/lib/*"));
  }

  /// @param libraries class path with Spring Boot, grpc-java and SQLite
  static List<Subject> of(Path home, String libraries) {
    return List.of(
        new FloorSubject(
            "mvc", "An empty Spring MVC controller.", home, MvcFloor.class, "http", libraries),
        new FloorSubject(
            "netty", "An HTTP answer of bare Netty.", home, NettyFloor.class, "http", libraries),
        new FloorSubject(
            "grpc", "An empty unary gRPC call.", home, GrpcFloor.class, "grpc", libraries),
        new FloorSubject("sync", "A record synced to disk.", home, null, "sync", libraries),
        new FloorSubject("commit", "A row committed to SQLite.", home, null, "commit", libraries));
  }
}
