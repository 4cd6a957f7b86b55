package toystore.clients.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// Requests at random times (a Poisson process of a given rate), however many are outstanding. A
/// latency begins when a request was intended to be sent, so that it includes the wait for a store
/// that stalls. One thread sends; one thread per outstanding request waits for its response. The
/// sender must not wait for a core, therefore [#takePrecedence].
public final class OpenLoop implements AutoCloseable {
  /// Before the time of a request, the sender stops sleeping and spins, because a sleep ends up to
  /// 0.1 ms late.
  private static final long SPIN_NANOS = 100_000;

  private static final int BACKLOG_SAMPLES = 20;

  private final CallSource kind;
  private final SplittableRandom random;
  private final LongConsumer wait;
  private final Deque<LoadConnection> idle = new ConcurrentLinkedDeque<>();
  private final CallRecorder settled = new CallRecorder(); // of calls that are not measured
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /// The course of an open loop.
  ///
  /// @param sent number of requests sent in the measured time
  /// @param completed number of responses that arrived in it
  /// @param seconds the measured time
  /// @param backlog number of outstanding requests at regular times
  public record Course(long sent, long completed, double seconds, List<Integer> backlog) {}

  /// @param seed of the times between requests and of the requests
  public OpenLoop(CallSource kind, long seed) {
    this(kind, seed, OpenLoop::waitUntil);
  }

  /// @param wait what the sender does until a time by `System.nanoTime()`
  OpenLoop(CallSource kind, long seed, LongConsumer wait) {
    this.kind = kind;
    this.random = new SplittableRandom(seed);
    this.wait = wait;
  }

  /// @param onMeasuring called once, beside the requests, when the settling is over
  /// @param perSecond mean rate of requests
  public Course call(
      double perSecond,
      Duration settling,
      Duration measuring,
      CallRecorder recorder,
      Runnable onMeasuring) {
    var outstanding = new AtomicInteger();
    var completed = new AtomicLong();
    var backlog = new ArrayList<Integer>();
    long from = System.nanoTime() + settling.toNanos();
    long until = from + measuring.toNanos();
    long sent = 0;
    boolean begun = false;
    double due = System.nanoTime();
    while (due < until) {
      due += -Math.log(1 - random.nextDouble()) * 1e9 / perSecond;
      long intended = (long) due;
      CallSource.Call call = kind.next(0, random);
      wait.accept(intended);
      boolean measured = intended >= from && intended < until;
      if (measured && !begun) {
        begun = true;
        threads.execute(onMeasuring);
      }
      LoadConnection connection = send(call, measured ? recorder : settled);
      if (measured) {
        sent++;
        recorder.addLateness(System.nanoTime() - intended);
        long step = measuring.toNanos() / BACKLOG_SAMPLES;
        if ((intended - from) / step >= backlog.size()) {
          backlog.add(outstanding.get());
        }
      }
      if (connection == null) {
        continue;
      }
      outstanding.incrementAndGet();
      threads.execute(() -> {
        await(connection, call, intended, measured ? recorder : settled);
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

  /// Lets the current thread run before all others of the machine (`SCHED_FIFO` of Linux, see
  /// sched(7)), if the user may do that. Threads that it starts do not inherit this.
  ///
  /// @return whether it does
  public static boolean takePrecedence() throws InterruptedException {
    try {
      Path thread = Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName();
      return new ProcessBuilder(
                  "chrt", "--fifo", "--reset-on-fork", "--pid", "1", thread.toString())
              .start()
              .waitFor()
          == 0;
    } catch (IOException notLinux) {
      return false;
    }
  }

  static void waitUntil(long time) {
    waitUntil(time, SPIN_NANOS);
  }

  /// Waits until a time by `System.nanoTime()`: sleeps, and spins at the end, as a sleep ends late.
  public static void waitUntil(long time, long spinNanos) {
    for (long left = time - System.nanoTime(); left > 0; left = time - System.nanoTime()) {
      if (left > spinNanos) {
        LockSupport.parkNanos(left - spinNanos);
      } else {
        Thread.onSpinWait();
      }
    }
  }

  /// Sends a request.
  ///
  /// @return its connection; null if it could not be sent
  private @Nullable LoadConnection send(CallSource.Call call, CallRecorder recorder) {
    LoadConnection connection = null;
    try {
      connection = connection();
      connection.write(call);
      return connection;
    } catch (IOException e) {
      if (connection != null) {
        connection.close();
      }
      recorder.addMissing(e);
      return null;
    }
  }

  private void await(
      LoadConnection connection, CallSource.Call call, long intended, CallRecorder recorder) {
    try {
      LoadConnection.Response response = connection.read();
      long nanos = System.nanoTime() - intended;
      recorder.add(kind.verdict(call, response, false), nanos);
      putBack(connection);
    } catch (IOException e) {
      connection.close();
      recorder.addMissing(e);
    }
  }

  private LoadConnection connection() throws IOException {
    LoadConnection connection = idle.pollLast(); // the last used is warm
    return connection == null ? kind.open() : connection;
  }

  private void putBack(LoadConnection connection) {
    if (connection.isEnded()) {
      connection.close();
    } else {
      idle.addLast(connection);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    idle.forEach(LoadConnection::close);
  }
}
