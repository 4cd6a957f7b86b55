package toystore.platform.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Tests which timings a service accepts and forwards.
class RequestTimingsTest {
  @Test
  void timingsAreForwardedAndSummedAndInvalidTextIsIgnored() {
    var timings = new RequestTimings();
    timings.add("queue;dur=0.042, commit;dur=1.310, <script>, x;dur=99999999999999999999.000");
    timings.add("commit", 1_000_999);

    assertThat(timings.within("catalog", 12_345_678))
        .isEqualTo("catalog;dur=12.345, queue;dur=0.042, commit;dur=2.310");
  }

  @Test
  void numberOfTimingsIsBounded() {
    var timings = new RequestTimings();
    for (char part = 'a'; part <= 'z'; part++) {
      timings.add(part + ";dur=1.000");
    }
    assertThat(timings.toString().split(", ")).hasSize(10);
  }
}
