package toystore.clients.load;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Clients that send their next request after the response to the previous one, as all published
/// load clients do. Each has a thread and a connection of its own, which it closes when its calls
/// are made, so that a client that waits for it is served. One thread.
public final class ClosedLoop implements AutoCloseable {
  private static final Duration READY = Duration.ofMillis(500);
  private static final long AT_ONCE = Long.MAX_VALUE;
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(100);
  private static final long MAX_IDLE_NANOS = 3_000_000_000L; // the exchange closes after 5 s

  private final List<Client> clients = new ArrayList<>();
  private final CallRecorder settled = new CallRecorder(); // of calls that are not measured
  private final List<Future<?>> running = new CopyOnWriteArrayList<>();
  private final AtomicLong begunCalls = new AtomicLong();
  private volatile boolean stopped;
  private long begun; // when the clients began; written while none of them runs

  public ClosedLoop(int clients, long seed) {
    var random = new SplittableRandom(seed);
    for (int i = 0; i < clients; i++) {
      this.clients.add(new Client(i, random.split()));
    }
  }

  /// Which of several kinds a client calls.
  public enum Order {
    IN_TURNS,
    /// The first client only the first kind, and so on in turns.
    APART
  }

  /// Calls for a time. Calls that began before `settling` was over are not recorded, unless they
  /// outlast the measured time: then their client got no response in it.
  ///
  /// @param recorders one for each kind
  /// @param onMeasuring called once, when the settling is over
  /// @return seconds from the end of the settling to the last response
  public double callFor(
      Order order,
      List<CallSource> kinds,
      Duration settling,
      Duration measuring,
      List<CallRecorder> recorders,
      Runnable onMeasuring)
      throws InterruptedException {
    long from = System.nanoTime() + settling.toNanos();
    long until = from + measuring.toNanos();
    return secondsOf(
        from,
        onMeasuring,
        client -> {
          for (int i = 0; System.nanoTime() < until; i++) {
            int next = (order == Order.IN_TURNS ? i : client.number) % kinds.size();
            client.call(kinds.get(next), AT_ONCE, from, until, recorders.get(next));
          }
        });
  }

  /// What a client calls after some of its calls.
  ///
  /// @param probability that the second kind is called, with the same values, after a correct
  ///   response to the first
  /// @param keep what a client keeps of each correct response to the second, for [#callKept]
  public record FollowUp(
      CallSource first, CallSource second, double probability, Map<String, String> keep) {}

  /// Calls for a time, as [#callFor]. Clients that have kept values stay connected.
  ///
  /// @param recorders of the first kind and of the second
  public double callWithFollowUp(
      FollowUp followUp,
      Duration settling,
      Duration measuring,
      List<CallRecorder> recorders,
      Runnable onMeasuring)
      throws InterruptedException {
    long from = System.nanoTime() + settling.toNanos();
    long until = from + measuring.toNanos();
    return secondsOf(
        from,
        onMeasuring,
        client -> {
          while (System.nanoTime() < until) {
            client.call(followUp, from, until, recorders);
          }
        });
  }

  /// Calls a kind once for all values of each response that [#callWithFollowUp] has kept.
  ///
  /// @return seconds for all of them
  public double callKept(CallSource kind, CallRecorder recorder) throws InterruptedException {
    long from = System.nanoTime();
    return secondsOf(from, () -> {}, client -> client.callKept(kind, from, recorder));
  }

  /// Makes a number of calls with each client, as published.
  ///
  /// @return seconds for all of them
  public double callCount(CallSource kind, int callsPerClient, CallRecorder recorder)
      throws InterruptedException {
    long from = System.nanoTime();
    return secondsOf(
        from,
        () -> {},
        client -> {
          for (int i = 0; i < callsPerClient; i++) {
            client.call(kind, AT_ONCE, from, from, recorder);
          }
        });
  }

  /// Makes one call with each client, all at once: a latency begins when all are released, and
  /// includes the wait for a connection.
  ///
  /// @param onMeasuring called once, before that
  /// @return seconds for all of them
  public double callAtOnce(CallSource kind, CallRecorder recorder, Runnable onMeasuring)
      throws InterruptedException {
    onMeasuring.run();
    long release = System.nanoTime() + READY.toNanos(); // all clients are waiting by then
    double seconds =
        secondsOf(
            System.nanoTime(),
            () -> {},
            client -> {
              LockSupport.parkNanos(release - System.nanoTime());
              client.callOnce(kind, release, recorder);
            });
    return seconds - READY.toNanos() / 1e9;
  }

  /// Makes a number of calls, each with the client that is free first, until they are made or the
  /// loop is stopped.
  ///
  /// @param perSecond 0: no pause; else the rate of all clients together, as long as they keep up.
  ///   A latency begins then when a call was due, so that it includes the wait for a free client
  /// @return seconds until the last response
  public double callTotal(CallSource kind, long total, double perSecond, CallRecorder recorder)
      throws InterruptedException {
    long from = System.nanoTime();
    return secondsOf(
        from,
        () -> {},
        client -> {
          for (long next = next(total); next < total; next = next(total)) {
            long due = from + (perSecond == 0 ? 0 : (long) (next * 1e9 / perSecond));
            for (long left = due - System.nanoTime(); left > 0 && !stopped; ) {
              LockSupport.parkNanos(left);
              left = due - System.nanoTime();
            }
            try {
              client.call(kind, perSecond == 0 ? AT_ONCE : due, from, from, recorder);
            } catch (UncheckedIOException refused) {
              client.addMissing(refused, recorder);
            }
          }
        });
  }

  /// Is told of responses, by the client that received them.
  public interface ResponseListener {
    default void onCorrect(CallSource.Call call, LoadConnection.Response response) {}

    default void onRefused(CallSource.Call call) {}
  }

  /// Calls until the loop is stopped or finished. What cannot be sent counts as without a response.
  ///
  /// @param kinds one, or two
  /// @param shareOfSecond the probability that a call is of the second kind
  /// @param pause of a client after each response; after a missing or wrong one at least 100 ms
  /// @param recorders one for each kind
  public void callUntilStopped(
      List<CallSource> kinds,
      double shareOfSecond,
      Duration pause,
      List<? extends CallRecorder> recorders,
      ResponseListener listener)
      throws InterruptedException {
    long from = System.nanoTime();
    secondsOf(
        from,
        () -> {},
        client -> {
          while (!stopped) {
            int next = kinds.size() > 1 && client.random.nextDouble() < shareOfSecond ? 1 : 0;
            boolean isAnswered = client.call(kinds.get(next), from, recorders.get(next), listener);
            long least = isAnswered ? 0 : PAUSE_AFTER_FAILURE.toNanos();
            LockSupport.parkNanos(Math.max(least, pause.toNanos()));
          }
        });
  }

  /// Ends [#callUntilStopped] after the responses to what was sent. Any thread.
  public void finish() {
    stopped = true;
  }

  private long next(long total) {
    return stopped ? total : begunCalls.getAndIncrement();
  }

  /// The number of calls of [#callTotal] that were begun. Any thread.
  public long begunCalls() {
    return begunCalls.get();
  }

  /// Ends [#callTotal] and [#callUntilStopped]; calls without a response are not recorded. Any
  /// thread.
  public void stop() {
    stopped = true;
    running.forEach(client -> client.cancel(true));
  }

  public boolean isStopped() {
    return stopped;
  }

  /// The number of responses of each client: a starved one has few.
  public LongSummaryStatistics responsesPerClient() {
    return clients.stream().mapToLong(it -> it.responses).summaryStatistics();
  }

  /// Lets each client work, and an action run at a time beside them, so that they do not wait for
  /// it.
  private double secondsOf(long from, Runnable action, Consumer<Client> work)
      throws InterruptedException {
    begun = System.nanoTime();
    running.clear();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Client client : clients) {
        running.add(
            threads.submit(() -> {
              work.accept(client);
              if (client.kept.isEmpty()) {
                client.disconnect();
              }
            }));
      }
      running.add(
          threads.submit(() -> {
            LockSupport.parkNanos(from - System.nanoTime());
            action.run();
          }));
      for (Future<?> each : running) {
        each.get();
      }
    } catch (CancellationException stopping) {
      // the clients end, which closing the executor has waited for
    } catch (ExecutionException e) {
      throw new IllegalStateException("a load client failed", e.getCause());
    }
    return (System.nanoTime() - from) / 1e9;
  }

  private record Answer(Verdict verdict, LoadConnection.Response response) {}

  private final class Client {
    private final int number; // from 0
    private final SplittableRandom random;
    private final Map<URI, LoadConnection> connections = new HashMap<>();
    private final List<Map<String, String>> kept = new ArrayList<>();
    private long responses;
    private long used; // when the last response arrived

    Client(int number, SplittableRandom random) {
      this.number = number;
      this.random = random;
    }

    /// @param due when the call was due; its latency begins then, or else when it is sent
    /// @param from a call that ends before `until` is recorded if it begins from then on
    void call(CallSource kind, long due, long from, long until, CallRecorder recorder) {
      send(kind, kind.next(number, random), due, from, until, recorder);
    }

    void call(FollowUp followUp, long from, long until, List<CallRecorder> recorders) {
      CallSource.Call first = followUp.first.next(number, random);
      Answer answer = send(followUp.first, first, AT_ONCE, from, until, recorders.getFirst());
      if (answer == null
          || !(answer.verdict instanceof Verdict.Correct)
          || random.nextDouble() >= followUp.probability) {
        return;
      }
      CallSource.Call second = followUp.second.next(number, random, first.chosen());
      answer = send(followUp.second, second, AT_ONCE, from, until, recorders.getLast());
      if (answer != null && answer.verdict instanceof Verdict.Correct) {
        try {
          kept.add(followUp.second.kept(followUp.keep, second, answer.response));
        } catch (IOException e) { // a correct response was read before
          throw new UncheckedIOException(e);
        }
      }
    }

    void callKept(CallSource kind, long from, CallRecorder recorder) {
      for (Map<String, String> values : kept) {
        CallSource.Call call = kind.next(number, random, values);
        send(kind, call, AT_ONCE, from, from, recorder);
      }
      kept.clear();
    }

    /// @return whether the response was correct, or a refusal
    boolean call(CallSource kind, long from, CallRecorder recorder, ResponseListener listener) {
      CallSource.Call call = kind.next(number, random);
      try {
        Answer answer = send(kind, call, AT_ONCE, from, from, recorder);
        if (answer == null || answer.verdict instanceof Verdict.Wrong) {
          return false;
        }
        if (answer.verdict instanceof Verdict.Correct) {
          listener.onCorrect(call, answer.response);
        } else {
          listener.onRefused(call);
        }
        return true;
      } catch (UncheckedIOException refused) {
        addMissing(requireNonNull(refused.getCause()), recorder);
        return false;
      }
    }

    /// @return null: there was no response
    private @Nullable Answer send(
        CallSource kind,
        CallSource.Call call,
        long due,
        long from,
        long until,
        CallRecorder recorder) {
      LoadConnection connection = connection(kind);
      long begin = Math.min(due, System.nanoTime());
      try {
        LoadConnection.Response response = kind.send(connection, call);
        long end = System.nanoTime();
        if (responses == 0) {
          recorder.addFirstResponse(end - begun);
        }
        responses++;
        used = end;
        Verdict verdict = kind.verdict(call, response, true);
        (begin >= from || end >= until ? recorder : settled).add(verdict, end - begin);
        if (connection.isEnded()) {
          disconnect();
        }
        return new Answer(verdict, response);
      } catch (IOException e) {
        addMissing(e, begin >= from || System.nanoTime() >= until ? recorder : settled);
        if (!(e instanceof UnexpectedResponseException)) {
          disconnect();
        }
        return null;
      }
    }

    void addMissing(Exception why, CallRecorder recorder) {
      if (!stopped) {
        recorder.addMissing(why);
      }
    }

    /// @param begin of its latency
    void callOnce(CallSource kind, long begin, CallRecorder recorder) {
      CallSource.Call call = kind.next(number, random);
      try (LoadConnection connection = kind.open()) {
        LoadConnection.Response response = kind.send(connection, call);
        recorder.add(kind.verdict(call, response, true), System.nanoTime() - begin);
      } catch (IOException e) {
        recorder.addMissing(e);
      }
    }

    private LoadConnection connection(CallSource kind) {
      if (System.nanoTime() - used > MAX_IDLE_NANOS) {
        disconnect(); // the server may have closed the connections
      }
      return connections.computeIfAbsent(
          kind.url(),
          url -> {
            try {
              return kind.open();
            } catch (IOException e) {
              throw new UncheckedIOException("cannot connect to " + url, e);
            }
          });
    }

    private void disconnect() {
      connections.values().forEach(LoadConnection::close);
      connections.clear();
    }
  }

  @Override
  public void close() {
    clients.forEach(Client::disconnect);
  }
}
