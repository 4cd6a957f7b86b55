package toystore.clients;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/// Finds free TCP ports. They are below the range of outgoing connections, so that the port of a
/// killed process stays free for its restart. Until this JVM ends, no other JVM of this project
/// folder gets them from this class: each port is a locked byte of the file `target/ports`. JVMs of
/// other folders start their search at different ports.
public final class FreePorts {
  private static final Range SINGLE = new Range(20_000, 1, 10_000);

  /// Stores whose frontends are 100 ports apart have no port in common. The highest port of the
  /// last one is below those of [#SINGLE].
  private static final Range STORES = new Range(10_100, 100, 50);

  /// The distances from the frontend's port to the ports of a store: console, frontend and its
  /// management port, management ports, gRPC ports, XML.
  private static final int[] STORE = {
    -1, 0, 1, 1_001, 1_002, 1_003, 1_004, 1_005, 1_011, 1_012, 1_013, 1_014, 1_015, 4_265
  };

  private static final FileChannel CLAIMS = openClaims();

  private FreePorts() {}

  /// Returns a free port. The next 9,999 calls in this JVM return other ports.
  public static int free() {
    return SINGLE.claim(0);
  }

  /// Returns a port for `./toystore up --port N`. All ports of that store are free; those of
  /// standbys and further frontends are not tried. The next 49 calls in this JVM return ports of
  /// other stores.
  public static int store() {
    return STORES.claim(STORE);
  }

  private static boolean isClaimed(int port) {
    try {
      return CLAIMS.tryLock(port, 1, false) != null;
    } catch (OverlappingFileLockException claimedBefore) { // by this JVM
      return true;
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
    try {
      Path folder = Files.createDirectories(Project.HOME.resolve("target"));
      return FileChannel.open(
          folder.resolve("ports"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Ports that are claimed in turn.
  private record Range(int first, int step, int count, AtomicInteger next) {
    Range(int first, int step, int count) {
      this(
          first,
          step,
          count,
          new AtomicInteger((int) (ProcessHandle.current().pid() * 101 % count)));
    }

    /// @param distances from the claimed port to the ports that must be free
    int claim(int... distances) {
      return IntStream.range(0, count)
          .map(_ -> first + step * Math.floorMod(next.getAndIncrement(), count))
          .filter(port ->
              isClaimed(port)
                  && IntStream.of(distances).allMatch(distance -> isFree(port + distance)))
          .findFirst()
          .orElseThrow(() ->
              new IllegalStateException(
                  "no free port from " + first + " to " + (first + step * (count - 1))));
    }
  }
}
