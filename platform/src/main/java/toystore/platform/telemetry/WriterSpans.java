package toystore.platform.telemetry;

import io.grpc.Context;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import toystore.platform.storage.CommandTimings;

/// What the writer did for a call, as spans and times of that call: `queue`, `decide` and `commit`.
/// The commit is that of the whole batch; calls that share it bear its number. Any thread.
public final class WriterSpans {
  private static final Context.Key<Call> KEY = Context.key("toystore-span");
  private static final Consumer<CommandTimings> NONE = _ -> {};

  /// A call that is traced.
  ///
  /// @param span that of the call
  private record Call(Tracer tracer, Span span) {}

  private WriterSpans() {}

  /// What to hand a writer along with the call of this context.
  public static Consumer<CommandTimings> of(Context context) {
    RequestTimings timings = RequestTimings.of(context);
    Call call = KEY.get(context);
    return timings == null && call == null
        ? NONE
        : steps -> {
          if (timings != null) {
            time(timings, steps);
          }
          if (call != null && call.span.isRecording()) {
            trace(call, steps);
          }
        };
  }

  /// A context that bears the current span: the writer's thread has no other way to know it.
  static Context underCurrentSpan(Tracer tracer) {
    return Context.current().withValue(KEY, new Call(tracer, Span.current()));
  }

  private static void time(RequestTimings timings, CommandTimings steps) {
    timings.add("queue", steps.queueNanos());
    timings.add("decide", steps.decideNanos());
    timings.add("commit", steps.commit().nanos());
  }

  private static void trace(Call call, CommandTimings steps) {
    CommandTimings.Commit commit = steps.commit();
    Instant now = Instant.now();
    long zero = // the moment at which System.nanoTime was 0, in nanoseconds since 1970
        TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano() - System.nanoTime();
    end(start(call, "queue", zero + steps.submitted()), zero + steps.taken());
    end(start(call, "decide", zero + steps.taken()), zero + steps.decided());
    Span span = start(call, "commit", zero + commit.began());
    span.setAttribute("toystore.batch.number", commit.number());
    span.setAttribute("toystore.batch.size", commit.size());
    span.setAttribute("toystore.sync.us", TimeUnit.NANOSECONDS.toMicros(commit.syncNanos()));
    end(span, zero + commit.ended());
  }

  private static Span start(Call call, String name, long epochNanos) {
    return call.tracer
        .spanBuilder(name)
        .setParent(io.opentelemetry.context.Context.root().with(call.span))
        .setStartTimestamp(epochNanos, TimeUnit.NANOSECONDS)
        .startSpan();
  }

  private static void end(Span span, long epochNanos) {
    span.end(epochNanos, TimeUnit.NANOSECONDS);
  }
}
