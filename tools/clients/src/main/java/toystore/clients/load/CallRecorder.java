package toystore.clients.load;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// Records calls. Latencies are whole µs with three significant digits, at most one hour. Any
/// thread.
public class CallRecorder {
  private static final long MAX_MICROS = 3_600_000_000L;
  private static final int DIGITS = 3;

  private final Histogram latencies = new ConcurrentHistogram(MAX_MICROS, DIGITS);
  private final Histogram otherLatencies = new ConcurrentHistogram(MAX_MICROS, DIGITS);
  private final Histogram lateness = new ConcurrentHistogram(MAX_MICROS, DIGITS);
  private final Map<String, Long> refused = new ConcurrentSkipListMap<>();
  private final Map<String, WrongResponses> wrong = new ConcurrentSkipListMap<>();
  private final AtomicReference<@Nullable String> firstError = new AtomicReference<>();
  private final Queue<Long> firstResponses = new ConcurrentLinkedQueue<>();

  /// Wrong or missing responses of one kind: their number and an example.
  public record WrongResponses(long count, String example) {
    private WrongResponses and(WrongResponses other) {
      return new WrongResponses(count + other.count, example);
    }
  }

  /// Adds a response.
  public void add(Verdict verdict, long nanos) {
    boolean isCorrect = verdict instanceof Verdict.Correct;
    (isCorrect ? latencies : otherLatencies).recordValue(micros(nanos));
    switch (verdict) {
      case Verdict.Correct() -> {}
      case Verdict.Refused(var why, var text) -> {
        refused.merge(why, 1L, Long::sum);
        firstError.compareAndSet(null, why + ": " + text);
      }
      case Verdict.Wrong(var kind, var text) -> addFailure(kind, text);
    }
  }

  /// Adds a missing response.
  public void addMissing(Exception why) {
    if (why instanceof UnexpectedResponseException first) {
      addFailure(first.verdict().kind(), first.verdict().response());
    } else {
      addFailure("no response", why.toString());
    }
  }

  private void addFailure(String kind, String example) {
    wrong.merge(kind, new WrongResponses(1, example), WrongResponses::and);
    firstError.compareAndSet(null, kind + ": " + example);
  }

  /// Adds how long a client waited for its first response since all clients began.
  void addFirstResponse(long nanos) {
    firstResponses.add(micros(nanos));
  }

  /// Adds how much later than intended a request was sent.
  void addLateness(long nanos) {
    lateness.recordValue(micros(nanos));
  }

  private static long micros(long nanos) {
    return Math.clamp((nanos + 500) / 1_000, 0L, MAX_MICROS);
  }

  /// Of correct responses.
  public Histogram latencies() {
    return latencies.copy();
  }

  /// Of all responses, also refusals and wrong ones.
  public Histogram allLatencies() {
    Histogram all = latencies();
    all.add(otherLatencies);
    return all;
  }

  public Histogram lateness() {
    return lateness.copy();
  }

  /// How long each client waited for its first response since all clients began, in µs, ascending.
  public List<Long> firstResponseMicros() {
    return firstResponses.stream().sorted().toList();
  }

  public long correct() {
    return latencies.getTotalCount();
  }

  /// Number of refusals by name.
  public Map<String, Long> refused() {
    return refused;
  }

  public long refusals() {
    return refused.values().stream().mapToLong(Long::longValue).sum();
  }

  /// Wrong and missing responses by kind.
  public Map<String, WrongResponses> wrong() {
    return wrong;
  }

  public long failures() {
    return wrong.values().stream().mapToLong(WrongResponses::count).sum();
  }

  /// The first refusal, or wrong or missing response.
  public @Nullable String firstError() {
    return firstError.get();
  }
}
