package toystore.clients;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/// Finds free TCP ports. They are below the range of outgoing connections, so that the port of a
/// killed process stays free for its restart. Until this JVM ends, no other JVM of this user gets
/// them from this class: each port is a locked byte of a file.
public final class FreePorts {
  private static final int FIRST_STORE = 10_100;
  private static final int FIRST = 20_000;
  private static final int COUNT = 10_000;

  /// The distance at which `./toystore up --port N` has no port in common with another store. The
  /// highest port of the last store is below [#FIRST].
  private static final int STORE_SIZE = 100;

  private static final int STORES = 50;

  private static final AtomicInteger NEXT = new AtomicInteger();
  private static final AtomicInteger NEXT_STORE = new AtomicInteger();
  private static final FileChannel CLAIMS = openClaims();

  private FreePorts() {}

  /// Returns a free port. Later calls in this JVM return other ports.
  public static int free() {
    return claim(
        IntStream.range(0, COUNT).map(_ -> FIRST + Math.floorMod(NEXT.getAndIncrement(), COUNT)));
  }

  /// Returns a port for `./toystore up --port N`. All ports of that store are free.
  public static int store() {
    return claim(
        IntStream.range(0, STORES)
            .map(_ ->
                FIRST_STORE + STORE_SIZE * Math.floorMod(NEXT_STORE.getAndIncrement(), STORES)));
  }

  private static int claim(IntStream ports) {
    return ports
        .filter(port -> isClaimed(port) && isFree(port))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no free port"));
  }

  private static boolean isClaimed(int port) {
    try {
      return CLAIMS.tryLock(port, 1, false) != null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isFree(int port) {
    try (var _ = new ServerSocket(port)) {
      return true;
    } catch (IOException busy) {
      return false;
    }
  }

  private static FileChannel openClaims() {
    var file =
        Path.of(
            System.getProperty("java.io.tmpdir"),
            "toystore-ports-" + System.getProperty("user.name"));
    try {
      return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
