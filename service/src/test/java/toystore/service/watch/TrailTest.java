package toystore.service.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Metadata;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What a trail carries from one service to the next.
class TrailTest {
  private static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  @Test
  void aCallersPlaceInATraceGoesOnAsItCame() {
    assertThat(passedOn(PARENT, "vendor=x").get(key("traceparent"))).isEqualTo(PARENT);
    assertThat(passedOn(PARENT, "vendor=x").get(key("tracestate"))).isEqualTo("vendor=x");
  }

  @Test
  void aTracestateThatACallsMetadataCouldNotCarryIsLeftOut() {
    var state = new StringBuilder("a=b");
    for (int i = 0; i < 30; i++) {
      state.append(",k").append(i).append("=").append("x".repeat(200));
    }
    Metadata passedOn = passedOn(PARENT, state.toString());
    assertThat(passedOn.get(key("tracestate"))).isNull();
    assertThat(passedOn.get(key("traceparent"))).isEqualTo(PARENT);
  }

  @Test
  void headersOfAnotherFormAreNobodysTrace() {
    assertThat(passedOn("00-nonsense", null).keys()).isEmpty();
  }

  @Test
  void timesArePassedOnAndAddedUpAndOnlyTimes() {
    var timings = new Timings();
    timings.add("queue;dur=0.042, commit;dur=1.310, <script>, x;dur=99999999999999999999.000");
    timings.add("commit", 1_000_999);

    assertThat(timings.within("catalog", 12_345_678))
        .isEqualTo("catalog;dur=12.345, queue;dur=0.042, commit;dur=2.310");
  }

  @Test
  void timesAreAFewWhateverAServiceSays() {
    var timings = new Timings();
    for (char part = 'a'; part <= 'z'; part++) {
      timings.add(part + ";dur=1.000");
    }
    assertThat(timings.toString().split(", ")).hasSize(10);
  }

  private static Metadata passedOn(String parent, @Nullable String state) {
    Context context = Wire.parent(parent, state);
    var metadata = new Metadata();
    Wire.ask(metadata, Span.fromContext(context), false);
    return metadata;
  }

  private static Metadata.Key<String> key(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }
}
