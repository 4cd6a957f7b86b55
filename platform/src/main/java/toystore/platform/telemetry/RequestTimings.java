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

/// The durations of the parts of a request, by name, in the order in which they were added. The
/// text form is that of the `Server-Timing` header (W3C): `queue;dur=0.042, commit;dur=1.310`, in
/// ms. The object is part of the gRPC context; calls in that context request the timings of the
/// called services.
///
/// Any thread.
public final class RequestTimings {
  private static final int MAX_PARTS = 10;
  private static final Pattern PART = Pattern.compile("([a-z]{1,20});dur=(\\d{1,9})\\.(\\d{3})");

  private static final Context.Key<RequestTimings> KEY = Context.key("toystore-timings");

  private final long began = System.nanoTime();
  private final Map<String, Long> micros = new LinkedHashMap<>();

  /// The timings of the current request, or null if they were not requested.
  public static @Nullable RequestTimings current() {
    return of(Context.current());
  }

  static @Nullable RequestTimings of(Context request) {
    return KEY.get(request);
  }

  /// A context with these timings.
  public Context in(Context request) {
    return request.withValue(KEY, this);
  }

  /// Adds a duration. Durations of the same part are summed.
  public synchronized void add(String part, long nanos) {
    addMicros(part, TimeUnit.NANOSECONDS.toMicros(nanos));
  }

  /// Adds the timings of another service. Invalid text is ignored.
  synchronized void add(String text) {
    Matcher part = PART.matcher(text);
    while (part.find()) {
      addMicros(
          part.group(1), Long.parseLong(part.group(2)) * 1_000 + Long.parseLong(part.group(3)));
    }
  }

  /// The header value. It starts with a part for the total time since this object was created.
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
    if (micros.size() < MAX_PARTS || micros.containsKey(part)) {
      micros.merge(part, more, Long::sum);
    }
  }

  private static String text(String part, long micros) {
    return String.format(Locale.ROOT, "%s;dur=%d.%03d", part, micros / 1_000, micros % 1_000);
  }
}
