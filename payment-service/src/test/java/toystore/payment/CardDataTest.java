package toystore.payment;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static toystore.payment.SandboxFixture.DECLINED_CARD;
import static toystore.payment.SandboxFixture.GOOD_CARD;
import static toystore.payment.SandboxFixture.UNCAPTURABLE_CARD;
import static toystore.payment.SandboxFixture.authorisation;
import static toystore.payment.SandboxFixture.error;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.clients.GrpcTestClient;
import toystore.payment.v1.PaymentServiceGrpc;
import toystore.payment.v1.SetFaultsRequest;

/// Searches the bytes of all files of the service for card data, at the log level TRACE.
class CardDataTest {
  private static final String INVALID_NUMBER = "41112222333355x5";

  @TempDir Path folder;

  @Test
  void noFileOfTheServiceContainsCardData() throws Exception {
    Path log = folder.resolve("payment.log");
    try (var sandbox =
            new SandboxFixture(
                folder.resolve("data"),
                "--logging.level.root=trace",
                "--logging.file.name=" + log);
        var client = new GrpcTestClient(sandbox.port())) {
      var payments =
          PaymentServiceGrpc.newBlockingStub(client.channel())
              .withInterceptors(SandboxFixture.token());
      var _ = payments.authorise(authorisation("marker-1", 5, GOOD_CARD));
      var _ = payments.authorise(authorisation("marker-2", 5, DECLINED_CARD));
      var _ = payments.authorise(authorisation("marker-3", 5, UNCAPTURABLE_CARD));
      var _ = error(() -> payments.authorise(authorisation("marker-1", 6, GOOD_CARD)));
      String message =
          error(() -> payments.authorise(authorisation("a", 5, INVALID_NUMBER))).message();
      assertThat(message).doesNotContain(INVALID_NUMBER);
      sandbox.faults(SetFaultsRequest.newBuilder().setLostAnswers(1));
      var impatient = payments.withDeadlineAfter(Duration.ofMillis(200));
      var _ = error(() -> impatient.authorise(authorisation("b", 5, GOOD_CARD)));

      assertThat(contents(log)).as("the log is at TRACE").contains("TRACE");
      assertThat(contents(folder.resolve("data/payment/payment.db-wal"))).contains("marker-3");
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          assertThat(secrets()).as(file.toString()).noneMatch(contents(file)::contains);
        }
      }
    }
  }

  /// The security code has too few characters to be searched for as it is: any number might contain
  /// it.
  private static List<String> secrets() {
    return Stream.concat(
            Stream.of(
                    GOOD_CARD,
                    DECLINED_CARD,
                    UNCAPTURABLE_CARD,
                    INVALID_NUMBER,
                    SandboxFixture.HOLDER,
                    SandboxFixture.EXPIRATION_DATE,
                    SandboxFixture.SECURITY_CODE)
                .map(it -> HexFormat.of().formatHex(it.getBytes(ISO_8859_1))),
            Stream.of(
                GOOD_CARD,
                DECLINED_CARD,
                UNCAPTURABLE_CARD,
                INVALID_NUMBER,
                SandboxFixture.HOLDER,
                "\"" + SandboxFixture.SECURITY_CODE,
                "=" + SandboxFixture.SECURITY_CODE))
        .toList();
  }

  private static String contents(Path file) throws IOException {
    return Files.readString(file, ISO_8859_1);
  }
}
