package toystore.platform.service;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.core.BasicStatusManager;
import ch.qos.logback.core.status.ErrorStatus;
import ch.qos.logback.core.status.InfoStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LogFailureListenerTest {
  @Test
  void firstFailureIsOneLineWithoutStackTrace() {
    var written = new ByteArrayOutputStream();
    var statuses = new BasicStatusManager();
    statuses.add(new LogFailureListener(new PrintStream(written, true, StandardCharsets.UTF_8)));
    statuses.add(new InfoStatus("started", this));
    for (int i = 0; i < 3; i++) {
      statuses.add(
          new ErrorStatus(
              "IO failure while writing to file [a.log]",
              this,
              new IOException("No space left on device")));
    }
    assertThat(written.toString(StandardCharsets.UTF_8))
        .isEqualTo(
            "logging failed, further failures are not reported: IO failure while writing to file [a.log]: No space left on device"
                + System.lineSeparator());
  }
}
