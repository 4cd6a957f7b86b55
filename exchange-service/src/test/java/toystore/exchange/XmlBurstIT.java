package toystore.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import toystore.clients.Project;
import toystore.common.v1.AuditCheck;

/// Many sockets at once, as published load tests open them: a thread and a socket for each request,
/// released together. Two client processes, because one may open 20,000 files here.
@Tag("long")
class XmlBurstIT {
  private static final int IDS = 1_000_000;

  @TempDir Path data;

  @ParameterizedTest
  @ValueSource(strings = {"HALF_CLOSED", "READ_TO_END", "CONNECTED_FIRST"})
  void twentyThousandSocketsAreAnswered(String style) throws Exception {
    allAreAnswered(style, 10_000);
  }

  @Test
  void allSocketsAreAnsweredThatWereConnectedFirst() throws Exception {
    allAreAnswered("CONNECTED_FIRST", 1_000);
  }

  /// @param clients of each process
  private void allAreAnswered(String style, int clients) throws Exception {
    try (var service = new ExchangeFixture(data)) {
      List<Process> processes = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        processes.add(
            new ProcessBuilder(
                    Project.JAVA,
                    "-Xmx512m",
                    "-cp",
                    System.getProperty("java.class.path"),
                    "toystore.exchange.xml.ConnectionBurst",
                    String.valueOf(service.xmlPort),
                    style,
                    String.valueOf(1 + i * IDS),
                    String.valueOf(clients))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
      }
      for (Process it : processes) {
        assertThat(new String(it.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
            .startsWith(format("%d of %d answered", clients, clients));
      }
      assertThat(service.audit(true)).extracting(AuditCheck::getOk).doesNotContain(false);
    }
  }
}
