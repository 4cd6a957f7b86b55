package toystore.bazaarlab;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// Clients that call at the same time, a platform thread each:
///
/// ```
/// all threads are there
///   ask                    all have asked before one asks again
///   wait for the answer    no waiting for each other: one may not be served before another leaves
///   call, call, call …
///   leave
/// ```
///
/// The model is closed: a client makes its next call when it has checked the answer.
final class ConcurrentClients {
  private final List<? extends Caller> callers;
  private final IntPredicate more;
  private final Sink sink;
  private final FirstAnswers firstAnswers;
  private final CountDownLatch there;
  private final CountDownLatch asked;
  private final AtomicReference<@Nullable Throwable> trouble = new AtomicReference<>();

  /// Where answers go. Any thread.
  interface Sink {
    void take(Caller.Answer answer);

    /// @param nanos between an answer and the same client's next call
    default void takeGap(long nanos) {}
  }

  /// @param more whether a client that has made so many calls makes another one
  ConcurrentClients(List<? extends Caller> callers, IntPredicate more, Sink sink) {
    this.callers = callers;
    this.more = more;
    this.sink = sink;
    this.firstAnswers = new FirstAnswers(callers.size());
    this.there = new CountDownLatch(callers.size());
    this.asked = new CountDownLatch(callers.size());
  }

  /// Lets them call until they have left.
  ///
  /// @throws IOException where a call got no answer
  /// @throws WrongAnswer where it was wrong
  FirstAnswers run() throws IOException, InterruptedException {
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < callers.size(); i++) {
      int client = i;
      threads.add(Thread.ofPlatform().name("client-" + i).start(() -> visit(client)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    switch (trouble.get()) {
      case null -> {}
      case IOException noAnswer -> throw noAnswer;
      case RuntimeException wrong -> throw wrong;
      case Throwable bug -> throw new IllegalStateException(bug);
    }
    return firstAnswers;
  }

  private void visit(int client) {
    Caller caller = callers.get(client);
    try (caller) {
      there.countDown();
      there.await();
      Caller.Answer answer = caller.call(asked::countDown);
      firstAnswers.answered(client, answer.endNanos() - answer.startNanos());
      sink.take(answer);
      asked.await();
      call(caller);
      firstAnswers.leaves(client, other -> callers.get(other).isAnswerHere());
    } catch (IOException | InterruptedException | RuntimeException wrong) {
      if (trouble.compareAndSet(null, wrong)) { // what follows comes of it
        callers.forEach(Caller::close);
        for (int i = 0; i < callers.size(); i++) {
          asked.countDown();
        }
      }
    }
  }

  private void call(Caller caller) throws IOException {
    long answeredNanos = System.nanoTime(); // the wait for others was no gap
    for (int made = 1; more.test(made) && trouble.get() == null; made++) {
      Caller.Answer answer = caller.call(() -> {});
      sink.take(answer);
      sink.takeGap(answer.startNanos() - answeredNanos);
      answeredNanos = answer.endNanos();
    }
  }
}
