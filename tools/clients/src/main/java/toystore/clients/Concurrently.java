package toystore.clients;

import java.util.List;
import java.util.stream.Stream;

/// Runs the parts of a schedule test in platform threads. What a part throws is an uncaught
/// exception, which fails the test.
public final class Concurrently {
  private static boolean initialized;
  private static boolean sequential;

  private Concurrently() {}

  /// Runs tests once, part by part, which initializes the classes that they use. Otherwise a thread
  /// may wait for another one to initialize a class, which Fray does not see. Called by their
  /// constructor, since each test has a class loader.
  public static void initialize(Runnable tests) {
    if (!initialized) {
      initialized = true;
      sequential = true;
      tests.run();
      sequential = false;
    }
  }

  /// Returns when all parts have ended.
  public static void run(Runnable... parts) {
    if (sequential) {
      Stream.of(parts).forEach(Runnable::run);
      return;
    }
    List<Thread> threads = Stream.of(parts).map(Thread.ofPlatform()::start).toList();
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
