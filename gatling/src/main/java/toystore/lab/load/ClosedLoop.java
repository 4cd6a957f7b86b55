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

/// Clients that send their next request after the response to the previous one, as all published
/// load clients do. Each has a thread and a connection of its own, which it closes when its calls
/// are made, so that a client that waits for it is served. One thread.
final class ClosedLoop implements AutoCloseable {
  private final int traceEvery;
  private final List<Client> clients = new ArrayList<>();
  private final CallRecorder settled = new CallRecorder(); // of calls that are not measured

  /// @param traceEvery each client asks for the parts of every n-th call; 0: never
  ClosedLoop(int clients, long seed, int traceEvery) {
    this.traceEvery = traceEvery;
    var random = new SplittableRandom(seed);
    for (int i = 0; i < clients; i++) {
      this.clients.add(new Client(random.split()));
    }
  }

  /// Calls for a time. Calls that began before `settling` was over are not recorded, unless they
  /// outlast the measured time: then their client got no response in it.
  ///
  /// @param onMeasuring called once, when the settling is over
  /// @return seconds from the end of the settling to the last response
  double callFor(
      List<CallSource> kinds,
      Duration settling,
      Duration measuring,
      CallRecorder recorder,
      Runnable onMeasuring)
      throws InterruptedException {
    long from = System.nanoTime() + settling.toNanos();
    long until = from + measuring.toNanos();
    each(
        at(from, onMeasuring),
        client -> {
          long count = 0;
          for (long now = System.nanoTime(); now < until; now = System.nanoTime()) {
            client.call(
                kinds.get((int) (count++ % kinds.size())),
                (began, ended) -> began >= from || ended >= until ? recorder : settled);
          }
        });
    return (System.nanoTime() - from) / 1e9;
  }

  /// Makes a number of calls with each client, as published.
  ///
  /// @return seconds for all of them
  double callCount(CallSource kind, int callsPerClient, CallRecorder recorder)
      throws InterruptedException {
    long from = System.nanoTime();
    each(
        () -> {},
        client -> {
          for (int i = 0; i < callsPerClient; i++) {
            client.call(kind, (_, _) -> recorder);
          }
        });
    return (System.nanoTime() - from) / 1e9;
  }

  private interface Work {
    void by(Client client);
  }

  /// Runs beside the clients, so that they do not wait for it.
  private static Runnable at(long nanos, Runnable action) {
    return () -> {
      LockSupport.parkNanos(nanos - System.nanoTime());
      action.run();
    };
  }

  private void each(Runnable beside, Work work) throws InterruptedException {
    try (var threads = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().factory())) {
      List<Future<?>> running = new ArrayList<>();
      for (Client client : clients) {
        running.add(
            threads.submit(() -> {
              work.by(client);
              client.disconnect();
            }));
      }
      running.add(threads.submit(beside));
      for (Future<?> client : running) {
        client.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("a load client failed", e.getCause());
    }
  }

  /// Where a call is recorded, by the times of its begin and end.
  private interface Recording {
    CallRecorder of(long began, long ended);
  }

  private final class Client {
    private final SplittableRandom random;
    private final Map<URI, LoadConnection> connections = new HashMap<>();
    private long calls;

    Client(SplittableRandom random) {
      this.random = random;
    }

    void call(CallSource kind, Recording recording) {
      boolean traced = traceEvery > 0 && ++calls % traceEvery == 0;
      CallSource.Call call = kind.next(random, traced);
      LoadConnection connection = connection(kind.url());
      long begin = System.nanoTime();
      try {
        LoadConnection.Response response = connection.send(call);
        long end = System.nanoTime();
        long nanos = end - begin;
        CallRecorder record = recording.of(begin, end);
        String fault = kind.fault(call, response);
        if (fault != null) {
          record.addError(fault);
        } else {
          record.add(nanos);
          if (response.serverTiming() != null) {
            record.addParts(response.serverTiming(), nanos);
          }
        }
        if (connection.isEnded()) {
          disconnect();
        }
      } catch (IOException e) {
        recording.of(begin, System.nanoTime()).addError(e.toString());
        disconnect();
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
