package toystore.lab.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/// Clients that send their next request after the response to the previous one, as all published
/// load clients do. Each has a thread and a connection of its own, which it closes when its calls
/// are made, so that a client that waits for it is served. One thread.
final class ClosedLoop implements AutoCloseable {
  private static final Duration READY = Duration.ofMillis(500);

  private final int traceEvery;
  private final List<Client> clients = new ArrayList<>();
  private final CallRecorder settled = new CallRecorder(); // of calls that are not measured
  private long begun; // when the clients began; written while none of them runs

  /// @param traceEvery each client asks for the parts of every n-th call; 0: never
  ClosedLoop(int clients, long seed, int traceEvery) {
    this.traceEvery = traceEvery;
    var random = new SplittableRandom(seed);
    for (int i = 0; i < clients; i++) {
      this.clients.add(new Client(i, random.split()));
    }
  }

  /// Which of several kinds a client calls.
  enum Order {
    IN_TURNS,
    /// The first client only the first kind, and so on in turns.
    APART,
    AT_RANDOM
  }

  /// Calls for a time. Calls that began before `settling` was over are not recorded, unless they
  /// outlast the measured time: then their client got no response in it.
  ///
  /// @param recorders one for each kind
  /// @param onMeasuring called once, when the settling is over
  /// @return seconds from the end of the settling to the last response
  double callFor(
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
            int next =
                switch (order) {
                  case IN_TURNS -> i % kinds.size();
                  case APART -> client.number % kinds.size();
                  case AT_RANDOM -> client.random.nextInt(kinds.size());
                };
            client.call(kinds.get(next), from, until, recorders.get(next));
          }
        });
  }

  /// Makes a number of calls with each client, as published.
  ///
  /// @return seconds for all of them
  double callCount(CallSource kind, int callsPerClient, CallRecorder recorder)
      throws InterruptedException {
    long from = System.nanoTime();
    return secondsOf(
        from,
        () -> {},
        client -> {
          for (int i = 0; i < callsPerClient; i++) {
            client.call(kind, from, from, recorder);
          }
        });
  }

  /// Makes one call with each client, all at once: a latency begins when all are released, and
  /// includes the wait for a connection.
  ///
  /// @param onMeasuring called once, before that
  /// @return seconds for all of them
  double callAtOnce(CallSource kind, CallRecorder recorder, Runnable onMeasuring)
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

  /// Lets each client work, and an action run at a time beside them, so that they do not wait for
  /// it.
  private double secondsOf(long from, Runnable action, Consumer<Client> work)
      throws InterruptedException {
    begun = System.nanoTime();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (Client client : clients) {
        running.add(
            threads.submit(() -> {
              work.accept(client);
              client.disconnect();
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
    } catch (ExecutionException e) {
      throw new IllegalStateException("a load client failed", e.getCause());
    }
    return (System.nanoTime() - from) / 1e9;
  }

  private final class Client {
    private final int number; // from 0
    private final SplittableRandom random;
    private final Map<URI, LoadConnection> connections = new HashMap<>();
    private long calls;
    private boolean answered;

    Client(int number, SplittableRandom random) {
      this.number = number;
      this.random = random;
    }

    /// @param from a call that ends before `until` is recorded if it begins from then on
    void call(CallSource kind, long from, long until, CallRecorder recorder) {
      boolean traced = traceEvery > 0 && ++calls % traceEvery == 0;
      CallSource.Call call = kind.next(number, random, traced);
      LoadConnection connection = connection(kind.url());
      long begin = System.nanoTime();
      try {
        LoadConnection.Response response = kind.send(connection, call);
        long end = System.nanoTime();
        if (!answered) {
          recorder.addFirstResponse(end - begun);
          answered = true;
        }
        CallRecorder record = begin >= from || end >= until ? recorder : settled;
        String fault = kind.fault(call, response);
        record.add(fault, end - begin);
        if (fault == null && response.serverTiming() != null) {
          record.addParts(response.serverTiming(), end - begin);
        }
        if (connection.isEnded()) {
          disconnect();
        }
      } catch (IOException e) {
        CallRecorder record = begin >= from || System.nanoTime() >= until ? recorder : settled;
        record.addError(e.toString());
        disconnect();
      }
    }

    /// @param begin of its latency
    void callOnce(CallSource kind, long begin, CallRecorder recorder) {
      CallSource.Call call = kind.next(number, random, false);
      try (LoadConnection connection = LoadConnection.open(kind.url())) {
        LoadConnection.Response response = kind.send(connection, call);
        recorder.add(kind.fault(call, response), System.nanoTime() - begin);
      } catch (IOException e) {
        recorder.addError(e.toString());
      }
    }

    private LoadConnection connection(URI url) {
      return connections.computeIfAbsent(
          url,
          _ -> {
            try {
              return LoadConnection.open(url);
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
