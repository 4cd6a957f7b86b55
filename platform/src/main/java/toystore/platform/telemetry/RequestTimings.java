package toystore.platform.telemetry;

import io.grpc.Context;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What the parts of a request took, by name, in the order in which they became known. Their text
/// is that of the `Server-Timing` header (W3C): `queue;dur=0.042, commit;dur=1.310`, in ms. They
/// travel in gRPC's context; calls made in it ask the services behind for theirs.
///
/// Any thread.
public final class RequestTimings {
  private static final int MOST = 10;
  private static final Pattern PART = Pattern.compile("([a-z]{1,20});dur=(\\d{1,9})\\.(\\d{3})");

  private static final Context.Key<RequestTimings> KEY = Context.key("toystore-timings");

  private final long began = System.nanoTime();
  private final Map<String, Long> micros = new LinkedHashMap<>();

  /// Those of the request this thread works on; null: nobody asked.
  public static @Nullable RequestTimings current() {
    return of(Context.current());
  }

  static @Nullable RequestTimings of(Context request) {
    return KEY.get(request);
  }

  /// A context that bears them.
  public Context in(Context request) {
    return request.withValue(KEY, this);
  }

  /// Adds to a part: one that is asked twice takes its times together.
  public synchronized void add(String part, long nanos) {
    addMicros(part, TimeUnit.NANOSECONDS.toMicros(nanos));
  }

  /// Adds what another service says. What is not of this form is passed over.
  synchronized void add(String text) {
    Matcher part = PART.matcher(text);
    while (part.find()) {
      addMicros(
          part.group(1), Long.parseLong(part.group(2)) * 1_000 + Long.parseLong(part.group(3)));
    }
  }

  /// The header's value, with a part in front that contains the others: from when these times were
  /// begun until now.
  public String within(String whole) {
    return within(whole, System.nanoTime() - began);
  }

  synchronized String within(String whole, long nanos) {
    String outer = text(whole, TimeUnit.NANOSECONDS.toMicros(nanos));
    return micros.isEmpty() ? outer : outer + ", " + this;
  }

  @Override
  public synchronized String toString() {
    return micros.entrySet().stream()
        .map(part -> text(part.getKey(), part.getValue()))
        .collect(Collectors.joining(", "));
  }

  private void addMicros(String part, long more) {
    if (micros.size() < MOST || micros.containsKey(part)) {
      micros.merge(part, more, Long::sum);
    }
  }

  private static String text(String part, long micros) {
    return String.format(Locale.ROOT, "%s;dur=%d.%03d", part, micros / 1_000, micros % 1_000);
  }
}
