package toystore.testkit;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/// Free TCP ports. They lie below those that the system gives to outgoing connections, so that a
/// port is still free after its process was killed, and each process searches from another one on.
public final class FreePorts {
  private static final int FIRST = 20_000;
  private static final int COUNT = 10_000;
  private static final AtomicInteger NEXT =
      new AtomicInteger((int) (ProcessHandle.current().pid() * 101 % COUNT));

  private FreePorts() {}

  /// A port on which nobody listens. No other call in this JVM returns it soon.
  public static int free() {
    return IntStream.generate(() -> FIRST + Math.floorMod(NEXT.getAndIncrement(), COUNT))
        .limit(COUNT)
        .filter(FreePorts::isFree)
        .findFirst()
        .orElseThrow(() ->
            new IllegalStateException(
                "no free port from %d to %d".formatted(FIRST, FIRST + COUNT - 1)));
  }

  private static boolean isFree(int port) {
    try (var _ = new ServerSocket(port)) {
      return true;
    } catch (IOException busy) {
      return false;
    }
  }
}
