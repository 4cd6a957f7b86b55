package toystore.clients;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/// Clients that send requests until they are stopped, each on a virtual thread of its own. Any
/// thread.
public class ClientThreads implements AutoCloseable {
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Future<?>> clients = new CopyOnWriteArrayList<>();
  private final AtomicLong answers = new AtomicLong();
  private final AtomicLong answeredAt = new AtomicLong(System.nanoTime());
  private final AtomicLong longestPause = new AtomicLong();
  private volatile boolean running;

  /// One client.
  @FunctionalInterface
  public interface ClientLoop {
    /// Sends requests while [#areRunning]. An exception is a failure of the test.
    ///
    /// @param number of the client, from 0
    void send(int number) throws Exception;
  }

  /// Starts clients, also after [#stop].
  public void start(int count, ClientLoop loop) {
    running = true;
    for (int i = 0; i < count; i++) {
      int number = i;
      clients.add(
          threads.submit(() -> {
            loop.send(number);
            return null;
          }));
    }
  }

  /// Returns whether the clients may send further requests.
  public boolean areRunning() {
    return running;
  }

  /// Counts a request whose answer was as expected.
  public void countAnswer() {
    answers.incrementAndGet();
    long now = System.nanoTime();
    longestPause.accumulateAndGet(now - answeredAt.getAndSet(now), Math::max);
  }

  /// Begins to measure [#longestPause].
  public void measurePauses() {
    answeredAt.set(System.nanoTime());
    longestPause.set(0);
  }

  /// Returns the longest time between two answers since [#measurePauses].
  public Duration longestPause() {
    return Duration.ofNanos(longestPause.get());
  }

  /// Returns the number of answers so far.
  ///
  /// @throws AssertionError if a client received a wrong answer
  public long answers() {
    clients.stream().filter(it -> it.state() == Future.State.FAILED).forEach(ClientThreads::fail);
    return answers.get();
  }

  private static void fail(Future<?> client) {
    throw new AssertionError(client.exceptionNow().getMessage(), client.exceptionNow());
  }

  /// Returns whether all clients have stopped by themselves.
  public boolean areDone() {
    return clients.stream().allMatch(Future::isDone);
  }

  /// Stops the clients, and waits until they have finished their current requests.
  ///
  /// @throws AssertionError if a client received a wrong answer
  public void stop() throws InterruptedException {
    running = false;
    for (Future<?> client : clients) {
      try {
        client.get();
      } catch (ExecutionException e) {
        fail(client);
      }
    }
    clients.clear();
  }

  /// Interrupts the clients.
  @Override
  public void close() {
    running = false;
    threads.shutdownNow();
  }
}
