package toystore.service.watch;

import io.grpc.Context;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import toystore.writer.Steps;

/// Notes on a request's trail what the writer did for it: the spans and times `queue`, `decide` and
/// `commit`. The commit is that of the whole batch; requests that share it bear its number.
public final class WriterTrail {
  private static final Consumer<Steps> NONE = _ -> {};

  private WriterTrail() {}

  /// What to hand a writer along with the request of this context.
  public static Consumer<Steps> of(Context request) {
    Trail trail = Trail.of(request);
    return trail == null ? NONE : steps -> note(trail, steps);
  }

  private static void note(Trail trail, Steps steps) {
    Steps.Commit commit = steps.commit();
    trail.took("queue", steps.queueNanos());
    trail.took("decide", steps.decideNanos());
    trail.took("commit", commit.nanos());
    if (trail.span().isRecording()) {
      span(trail, "queue", steps.submitted(), steps.taken());
      span(trail, "decide", steps.taken(), steps.decided());
      Span span = trail.child("commit", SpanKind.INTERNAL, commit.began());
      span.setAttribute("toystore.batch.number", commit.number());
      span.setAttribute("toystore.batch.size", commit.size());
      span.setAttribute("toystore.sync.us", TimeUnit.NANOSECONDS.toMicros(commit.syncNanos()));
      trail.end(span, commit.ended());
    }
  }

  private static void span(Trail trail, String name, long from, long to) {
    trail.end(trail.child(name, SpanKind.INTERNAL, from), to);
  }
}
