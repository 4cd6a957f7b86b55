package toystore.lab.load;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// The calls of one cell. Latencies are whole µs with three significant digits, at most one minute.
/// Any thread.
final class CallRecorder {
  private static final long MAX_MICROS = 60_000_000;
  private static final int DIGITS = 3;

  private final Histogram latencies = new ConcurrentHistogram(MAX_MICROS, DIGITS);
  private final Histogram lateness = new ConcurrentHistogram(MAX_MICROS, DIGITS);
  private final LongAdder errors = new LongAdder();
  private final AtomicReference<@Nullable String> firstError = new AtomicReference<>();
  private final Map<String, double[]> parts = new TreeMap<>(); // guarded by itself
  private final AtomicLong traced = new AtomicLong();
  private final LongAdder tracedNanos = new LongAdder();
  private final Queue<Long> firstResponses = new ConcurrentLinkedQueue<>();

  /// Adds a correct response.
  void add(long nanos) {
    latencies.recordValue(micros(nanos));
  }

  /// Adds a wrong or missing response.
  void addError(String fault) {
    errors.increment();
    firstError.compareAndSet(null, fault);
  }

  /// Adds a response.
  ///
  /// @param fault null: it is correct
  void add(@Nullable String fault, long nanos) {
    if (fault == null) {
      add(nanos);
    } else {
      addError(fault);
    }
  }

  /// Adds how long a client waited for its first response since all clients began.
  void addFirstResponse(long nanos) {
    firstResponses.add(micros(nanos));
  }

  /// Adds how much later than intended a request was sent.
  void addLateness(long nanos) {
    lateness.recordValue(micros(nanos));
  }

  /// Adds the parts of a sampled call from its header `Server-Timing`, such as `catalog;dur=0.120`
  /// (ms), with the time of the whole call.
  void addParts(String serverTiming, long nanos) {
    traced.incrementAndGet();
    tracedNanos.add(nanos);
    synchronized (parts) {
      for (String part : serverTiming.split(",")) {
        String[] fields = part.strip().split(";dur=");
        if (fields.length == 2) {
          parts.computeIfAbsent(fields[0], _ -> new double[1])[0] += Double.parseDouble(fields[1]);
        }
      }
    }
  }

  private static long micros(long nanos) {
    return Math.clamp((nanos + 500) / 1_000, 0, MAX_MICROS);
  }

  Histogram latencies() {
    return latencies.copy();
  }

  Histogram lateness() {
    return lateness.copy();
  }

  /// How long each client waited for its first response since all clients began, in µs, ascending.
  List<Long> firstResponseMicros() {
    return firstResponses.stream().sorted().toList();
  }

  long errors() {
    return errors.sum();
  }

  @Nullable String firstError() {
    return firstError.get();
  }

  /// The number of sampled calls.
  long traced() {
    return traced.get();
  }

  /// The mean time of the sampled calls and of their parts, in µs; the whole call is `total`.
  Map<String, Double> partsMicros() {
    var means = new TreeMap<String, Double>();
    long count = traced.get();
    if (count > 0) {
      means.put("total", tracedNanos.sum() / 1e3 / count);
      synchronized (parts) {
        parts.forEach((part, millis) -> means.put(part, millis[0] * 1e3 / count));
      }
    }
    return means;
  }
}
