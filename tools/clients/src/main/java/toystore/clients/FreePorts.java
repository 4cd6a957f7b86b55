package toystore.clients;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/// Finds free TCP ports. They are below the range of outgoing connections, so that the port of a
/// killed process stays free for its restart. Each JVM starts its search at a different port.
public final class FreePorts {
  private static final int FIRST = 20_000;
  private static final int COUNT = 10_000;
  private static final AtomicInteger NEXT =
      new AtomicInteger((int) (ProcessHandle.current().pid() * 101 % COUNT));

  private FreePorts() {}

  /// Returns a free port. Later calls in this JVM return other ports.
  public static int free() {
    return IntStream.generate(() -> FIRST + Math.floorMod(NEXT.getAndIncrement(), COUNT))
        .limit(COUNT)
        .filter(FreePorts::isFree)
        .findFirst()
        .orElseThrow(() ->
            new IllegalStateException("no free port from " + FIRST + " to " + (FIRST + COUNT - 1)));
  }

  private static boolean isFree(int port) {
    try (var _ = new ServerSocket(port)) {
      return true;
    } catch (IOException busy) {
      return false;
    }
  }
}
