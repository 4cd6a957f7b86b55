package toystore.bazaarlab;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// Clients that call at the same time, one platform thread each:
///
/// ```
/// all threads have started
///   send a request         all have sent one before a client sends its second
///   wait for the answer    clients do not wait for each other: one may starve until another leaves
///   call, call, call …
///   disconnect
/// ```
///
/// The model is closed: a client makes its next call after it has checked the response.
final class ConcurrentClients {
  private final List<? extends Caller> callers;
  private final IntPredicate callAgain;
  private final Sink sink;
  private final StarvationTracker firstAnswers;
  private final CountDownLatch allStarted;
  private final CountDownLatch allSent;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /// Receives the answers. Any thread.
  interface Sink {
    void take(Caller.Answer answer);

    /// @param nanos between an answer and the same client's next call
    default void takeGap(long nanos) {}
  }

  /// @param callAgain given the number of calls made, whether a client makes another one
  ConcurrentClients(List<? extends Caller> callers, IntPredicate callAgain, Sink sink) {
    this.callers = callers;
    this.callAgain = callAgain;
    this.sink = sink;
    this.firstAnswers = new StarvationTracker(callers.size());
    this.allStarted = new CountDownLatch(callers.size());
    this.allSent = new CountDownLatch(callers.size());
  }

  /// Runs all clients until they have disconnected.
  ///
  /// @throws IOException if a call got no response
  /// @throws WrongResponseException if a response was wrong
  StarvationTracker run() throws IOException, InterruptedException {
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < callers.size(); i++) {
      int client = i;
      threads.add(Thread.ofPlatform().name("client-" + i).start(() -> runClient(client)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    switch (failure.get()) {
      case null -> {}
      case IOException noAnswer -> throw noAnswer;
      case RuntimeException wrong -> throw wrong;
      case Throwable bug -> throw new IllegalStateException(bug);
    }
    return firstAnswers;
  }

  private void runClient(int client) {
    Caller caller = callers.get(client);
    try (caller) {
      allStarted.countDown();
      allStarted.await();
      Caller.Answer answer = caller.call(allSent::countDown);
      firstAnswers.answered(client, answer.endNanos() - answer.startNanos());
      sink.take(answer);
      allSent.await();
      call(caller);
      firstAnswers.leave(client, other -> callers.get(other).hasUnreadAnswer());
    } catch (IOException | InterruptedException | RuntimeException wrong) {
      if (failure.compareAndSet(null, wrong)) { // later failures are consequences
        callers.forEach(Caller::close);
        for (int i = 0; i < callers.size(); i++) {
          allSent.countDown();
        }
      }
    }
  }

  private void call(Caller caller) throws IOException {
    long answeredNanos = System.nanoTime(); // excludes the wait for other clients
    for (int made = 1; callAgain.test(made) && failure.get() == null; made++) {
      Caller.Answer answer = caller.call(() -> {});
      sink.take(answer);
      sink.takeGap(answer.startNanos() - answeredNanos);
      answeredNanos = answer.endNanos();
    }
  }
}
