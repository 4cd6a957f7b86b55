package toystore.service.watch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.grpc.Metadata;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import java.util.regex.Pattern;

/// A trace that comes from outside is gone on with or begun afresh, and never more than that.
class WireFuzzTest {
  private static final Pattern TRACEPARENT =
      Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}.*", Pattern.DOTALL);

  @FuzzTest
  void anyTraceparentIsGoneOnWithOrIgnored(byte[] header) {
    String given = new String(header, ISO_8859_1);
    SpanContext span = span(Wire.parent(given, null));
    if (span.isValid()) {
      var parts = TRACEPARENT.matcher(given);
      assertThat(parts.matches()).isTrue();
      assertThat(span.getTraceId()).isEqualTo(parts.group(1)).isNotEqualTo("0".repeat(32));
      assertThat(span.getSpanId()).isEqualTo(parts.group(2)).isNotEqualTo("0".repeat(16));
      assertThat(span(Wire.parent(asked(span)))).isEqualTo(span);
    }
  }

  @FuzzTest
  void anyTracestateIsHandedOnOrDropped(byte[] header) {
    String parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    SpanContext span = span(Wire.parent(parent, new String(header, ISO_8859_1)));
    assertThat(span.getTraceId()).isEqualTo("0af7651916cd43dd8448eb211c80319c");
    assertThat(span(Wire.parent(asked(span)))).isEqualTo(span);
  }

  private static SpanContext span(Context parent) {
    return Span.fromContext(parent).getSpanContext();
  }

  private static Metadata asked(SpanContext span) {
    var request = new Metadata();
    Wire.ask(request, Span.wrap(span), false);
    return request;
  }
}
