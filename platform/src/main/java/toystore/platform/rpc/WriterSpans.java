package toystore.platform.rpc;

import io.grpc.Context;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import toystore.platform.storage.CommandTimings;

/// The writer's steps of a call as spans: `queue`, `decide` and `commit`. The commit is that of the
/// whole batch; all calls in the batch have its number. Any thread.
public final class WriterSpans {
  private static final Context.Key<Call> KEY = Context.key("toystore-span");
  private static final Consumer<CommandTimings> NONE = _ -> {};

  /// A traced call.
  ///
  /// @param span span of the call
  private record Call(Tracer tracer, Span span) {}

  private WriterSpans() {}

  /// The callback for [toystore.platform.storage.SingleWriter#submit] that records the steps of the
  /// call in this context.
  public static Consumer<CommandTimings> of(Context context) {
    Call call = KEY.get(context);
    return call == null || !call.span.isRecording() ? NONE : command -> trace(call, command);
  }

  /// A context with the current span. The writer's thread cannot access it otherwise.
  public static Context withCurrentSpan(Tracer tracer) {
    return Context.current().withValue(KEY, new Call(tracer, Span.current()));
  }

  private static void trace(Call call, CommandTimings command) {
    CommandTimings.Commit commit = command.commit();
    Instant now = Instant.now();
    long nanoTimeOrigin = // the moment at which System.nanoTime was 0, in nanoseconds since 1970
        TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano() - System.nanoTime();
    end(
        start(call, "queue", nanoTimeOrigin + command.submitted()),
        nanoTimeOrigin + command.taken());
    end(
        start(call, "decide", nanoTimeOrigin + command.taken()),
        nanoTimeOrigin + command.decided());
    Span span = start(call, "commit", nanoTimeOrigin + commit.began());
    span.setAttribute("toystore.batch.number", commit.number());
    span.setAttribute("toystore.batch.size", commit.size());
    span.setAttribute("toystore.sync.us", TimeUnit.NANOSECONDS.toMicros(commit.syncNanos()));
    end(span, nanoTimeOrigin + commit.ended());
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
