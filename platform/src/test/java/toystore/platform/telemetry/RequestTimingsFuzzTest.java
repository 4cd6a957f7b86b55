package toystore.platform.telemetry;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

/// Adds arbitrary text as the timings of another service. The resulting header contains only valid
/// timings.
class RequestTimingsFuzzTest {
  @FuzzTest
  void anyTextBecomesTimesOrNothing(byte[] text) {
    var timings = new RequestTimings();
    timings.add(new String(text, ISO_8859_1));
    String header = timings.toString();

    assertThat(header).matches("([a-z]{1,20};dur=\\d{1,16}\\.\\d{3}(, |$)){0,10}");
    var again = new RequestTimings();
    again.add(header);
    assertThat(again.toString().split(",")).hasSameSizeAs(header.split(","));
  }
}
