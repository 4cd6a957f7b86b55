package toystore.lab.load;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// Requests at random times (a Poisson process of a given rate), however many are outstanding. A
/// latency begins when a request was intended to be sent, so that it includes the wait for a store
/// that stalls. One thread sends; one thread per outstanding request waits for its response.
final class OpenLoop implements AutoCloseable {
  /// Before the time of a request, the sender stops sleeping and spins, because a sleep ends up to
  /// 0.1 ms late.
  private static final long SPIN_NANOS = 150_000;

  private static final int BACKLOG_SAMPLES = 20;

  private final URI url;
  private final Wait wait;
  private final Deque<LoadConnection> idle = new ArrayDeque<>(); // guarded by itself
  private final CallRecorder settled = new CallRecorder(); // of calls that are not measured
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /// The course of an open loop.
  ///
  /// @param sent number of requests sent in the measured time
  /// @param completed number of responses that arrived in it
  /// @param seconds the measured time
  /// @param backlog number of outstanding requests at regular times
  record Course(long sent, long completed, double seconds, List<Long> backlog) {}

  /// What the sender does between requests.
  interface Wait {
    /// @param time by `System.nanoTime()`
    void until(long time);
  }

  OpenLoop(URI url) {
    this(url, OpenLoop::waitUntil);
  }

  OpenLoop(URI url, Wait wait) {
    this.url = url;
    this.wait = wait;
  }

  /// @param onMeasuring called once, beside the requests, when the settling is over
  /// @param perSecond mean rate of requests
  /// @param seed of the times between requests and of the requests
  Course call(
      CallSource kind,
      double perSecond,
      Duration settling,
      Duration measuring,
      long seed,
      CallRecorder recorder,
      Runnable onMeasuring)
      throws InterruptedException {
    var random = new SplittableRandom(seed);
    var outstanding = new AtomicLong();
    var completed = new AtomicLong();
    var backlog = new ArrayList<Long>();
    long from = System.nanoTime() + settling.toNanos();
    long until = from + measuring.toNanos();
    long sent = 0;
    boolean begun = false;
    double due = System.nanoTime();
    while (due < until) {
      due += -Math.log(1 - random.nextDouble()) * 1e9 / perSecond;
      long intended = (long) due;
      wait.until(intended);
      boolean measured = intended >= from && intended < until;
      if (measured && !begun) {
        begun = true;
        threads.execute(onMeasuring);
      }
      if (measured) {
        sent++;
        recorder.addLateness(System.nanoTime() - intended);
        long step = measuring.toNanos() / BACKLOG_SAMPLES;
        if ((intended - from) / step >= backlog.size()) {
          backlog.add(outstanding.get());
        }
      }
      CallSource.Call call = kind.next(random, false);
      outstanding.incrementAndGet();
      threads.execute(() -> {
        send(kind, call, intended, measured ? recorder : settled);
        outstanding.decrementAndGet();
        if (measured && System.nanoTime() < until) {
          completed.incrementAndGet();
        }
      });
    }
    while (outstanding.get() > 0) {
      LockSupport.parkNanos(1_000_000);
    }
    return new Course(sent, completed.get(), measuring.toNanos() / 1e9, List.copyOf(backlog));
  }

  static void waitUntil(long time) {
    for (long left = time - System.nanoTime(); left > 0; left = time - System.nanoTime()) {
      if (left > SPIN_NANOS) {
        LockSupport.parkNanos(left - SPIN_NANOS);
      } else {
        Thread.onSpinWait();
      }
    }
  }

  private void send(CallSource kind, CallSource.Call call, long intended, CallRecorder recorder) {
    try {
      LoadConnection connection = connection();
      try {
        LoadConnection.Response response = connection.send(call);
        long nanos = System.nanoTime() - intended;
        String fault = kind.fault(call, response);
        if (fault == null) {
          recorder.add(nanos);
        } else {
          recorder.addError(fault);
        }
        putBack(connection);
      } catch (IOException e) {
        connection.close();
        throw e;
      }
    } catch (IOException e) {
      recorder.addError(e.toString());
    }
  }

  private LoadConnection connection() throws IOException {
    synchronized (idle) {
      LoadConnection connection = idle.pollLast(); // the last used is warm
      if (connection != null) {
        return connection;
      }
    }
    return LoadConnection.open(url);
  }

  private void putBack(LoadConnection connection) {
    if (connection.isEnded()) {
      connection.close();
    } else {
      synchronized (idle) {
        idle.addLast(connection);
      }
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    synchronized (idle) {
      idle.forEach(LoadConnection::close);
    }
  }
}
