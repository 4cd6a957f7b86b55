package toystore.cli.launch;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.sun.net.httpserver.HttpServer;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import toystore.clients.FreePorts;
import toystore.common.v1.GetStatusRequest;
import toystore.common.v1.GetStatusResponse;
import toystore.common.v1.ProcessState;
import toystore.common.v1.StatusServiceGrpc;

/// A fake service that the launcher can run as a real process. Arguments: `NAME PORT STATUS-PORT
/// FOLDER BEHAVIOUR`. When SIGTERM ends the process, it appends its name to `FOLDER/ended`.
final class FakeService {
  /// How a fake service behaves.
  enum FakeBehaviour {
    /// Is ready immediately. `/die?74` makes it exit with code 74. `/say?words` makes it write the
    /// words to stderr.
    HEALTHY,
    /// Is not ready until `/go` is requested.
    SLOW_START,
    /// Writes a line to stderr and exits with code 1.
    REFUSING_START,
    /// Exits with code 3 at its first three starts.
    CRASHING,
    /// Is a standby while another process holds the lock on `FOLDER/elected`.
    ELECTED,
    /// Does not exit on SIGTERM.
    IGNORING_SIGTERM
  }

  private static final byte[] UP = "{\"status\":\"UP\"}".getBytes(US_ASCII);
  private static final byte[] DOWN = "{\"status\":\"DOWN\"}".getBytes(US_ASCII);

  private FakeService() {}

  static ProcessSpec part(String name, int port) {
    return part(name, port, false);
  }

  static ProcessSpec part(String name, int port, boolean late) {
    return part(name, name, 0, port, late);
  }

  /// A process that is asked over gRPC, as only such a one can be a standby.
  static ProcessSpec elected(String app, String name, int port, boolean late) {
    return part(app, name, FreePorts.free(), port, late);
  }

  private static ProcessSpec part(String app, String name, int statusPort, int port, boolean late) {
    return new ProcessSpec(
        app,
        name,
        List.of(
            new ProcessSpec.Service(name, List.of(new ProcessSpec.Port("", "management", port)))),
        64,
        statusPort,
        port,
        late,
        List.of("--logging.file.name=/log/" + name + ".log"));
  }

  /// Returns the command of a fake service, with the class path of this JVM.
  static ProcessBuilder process(ProcessSpec part, Path folder, FakeBehaviour behaviour) {
    return java(
        FakeService.class,
        part.name(),
        Integer.toString(part.managementPort()),
        Integer.toString(part.statusPort()),
        folder.toString(),
        behaviour.name());
  }

  static ProcessBuilder java(Class<?> main, String... arguments) {
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx32m",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command);
  }

  public static void main(String[] arguments) throws IOException {
    var name = arguments[0];
    var port = Integer.parseInt(arguments[1]);
    var folder = Path.of(arguments[3]);
    var behaviour = FakeBehaviour.valueOf(arguments[4]);
    switch (behaviour) {
      case REFUSING_START -> {
        System.err.println("toys.csv line 7: price must be a number, got \"dear\"");
        Runtime.getRuntime().halt(1);
      }
      case CRASHING -> dieThreeTimes(folder);
      case HEALTHY, SLOW_START, ELECTED, IGNORING_SIGTERM -> {}
    }
    endAtSignal(name, folder, behaviour);
    var ready =
        new AtomicBoolean(
            behaviour != FakeBehaviour.SLOW_START && behaviour != FakeBehaviour.ELECTED);
    serve(port, ready);
    if (behaviour == FakeBehaviour.ELECTED) {
      serveStatus(Integer.parseInt(arguments[2]), ready);
      Thread.ofPlatform().daemon().start(() -> awaitElection(folder.resolve("elected"), ready));
    }
    endWithLauncher();
  }

  private static void dieThreeTimes(Path folder) throws IOException {
    var deaths = folder.resolve("deaths");
    Files.writeString(deaths, "x", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    if (Files.size(deaths) <= 3) {
      Runtime.getRuntime().halt(3);
    }
  }

  private static void endAtSignal(String name, Path folder, FakeBehaviour behaviour) {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() -> {
              if (behaviour == FakeBehaviour.IGNORING_SIGTERM) {
                awaitForever();
              }
              append(folder.resolve("ended"), name + "\n");
            }));
  }

  private static void serve(int port, AtomicBoolean ready) throws IOException {
    var server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.createContext(
        "/",
        exchange -> {
          var uri = exchange.getRequestURI();
          switch (uri.getPath()) {
            case "/die" -> Runtime.getRuntime().halt(Integer.parseInt(uri.getQuery()));
            case "/say" -> System.err.println(uri.getQuery());
            case "/go" -> ready.set(true);
            default -> {}
          }
          exchange.sendResponseHeaders(ready.get() ? 200 : 503, 0);
          exchange.getResponseBody().write(ready.get() ? UP : DOWN);
          exchange.close();
        });
    server.start();
  }

  private static void serveStatus(int port, AtomicBoolean ready) throws IOException {
    var service =
        new StatusServiceGrpc.StatusServiceImplBase() {
          @Override
          public void getStatus(
              GetStatusRequest request, StreamObserver<GetStatusResponse> answer) {
            answer.onNext(
                GetStatusResponse.newBuilder()
                    .setState(
                        ready.get()
                            ? ProcessState.PROCESS_STATE_READY
                            : ProcessState.PROCESS_STATE_STANDBY)
                    .build());
            answer.onCompleted();
          }
        };
    NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
        .addService(service)
        .build()
        .start();
  }

  /// Waits for the lock, which the process then holds until it ends.
  private static void awaitElection(Path file, AtomicBoolean ready) {
    try (var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var lock = channel.lock()) {
      ready.set(lock.isValid());
      awaitForever();
    } catch (IOException broken) {
      throw new java.io.UncheckedIOException(broken);
    }
  }

  private static void endWithLauncher() throws IOException {
    while (System.in.read() >= 0) {
      // the input is ignored until its end
    }
    Runtime.getRuntime().halt(0);
  }

  private static void awaitForever() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static void append(Path file, String text) {
    try {
      Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException broken) {
      throw new java.io.UncheckedIOException(broken);
    }
  }
}
