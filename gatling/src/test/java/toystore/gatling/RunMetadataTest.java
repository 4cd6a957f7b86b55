package toystore.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RunMetadataTest {
  @Test
  void placementSaysWhetherTheStoreIsOnThisMachine() {
    assertThat(placement("http://127.0.0.1:8080"))
        .isEqualTo("on this machine: http://127.0.0.1:8080, round trip 1.500 ms");
    assertThat(placement("http://192.0.2.1:8080"))
        .isEqualTo("on another host: http://192.0.2.1:8080, round trip 1.500 ms");
  }

  private static String placement(String url) {
    return RunMetadata.placement(URI.create(url), Duration.ofNanos(1_500_000));
  }

  @Test
  void auditWithoutResultIsUnknownInsteadOfWrong() {
    assertThat(RunMetadata.verdict(() -> audit("true"))).isEqualTo("ok: 3 sales");
    assertThat(RunMetadata.verdict(() -> audit("false"))).isEqualTo("wrong: 3 sales");
    assertThat(RunMetadata.verdict(() -> audit("null"))).isEqualTo("unknown: 3 sales");
  }

  private static String audit(String ok) {
    return "{\"ok\":%s,\"checks\":[{\"detail\":\"3 sales\"}]}".formatted(ok);
  }
}
