package toystore.payment;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;
import static toystore.payment.SandboxFixture.GOOD_CARD;
import static toystore.payment.SandboxFixture.error;

import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import toystore.common.v1.AuditCheck;
import toystore.platform.error.ErrorReason;

class PaymentAuditTest {
  @TempDir Path data;

  private SandboxFixture sandbox;

  @BeforeEach
  void start() {
    sandbox = new SandboxFixture(data);
    IntStream.range(0, 4).forEach(it -> sandbox.authorise("id-" + it, 5, GOOD_CARD));
  }

  @AfterEach
  void stop() {
    sandbox.close();
  }

  @Test
  void auditContinuesWithNewPayments() {
    assertThat(sandbox.audit(false)).isEqualTo(checkedUpTo(4));
    sandbox.voids("id-4");
    assertThat(sandbox.audit(false)).isEqualTo(checkedUpTo(5));
    assertThat(sandbox.audit(true)).isEqualTo(checkedUpTo(5));
  }

  private static AuditCheck checkedUpTo(long number) {
    return AuditCheck.newBuilder()
        .setName("payments")
        .setOk(true)
        .setDetail("numbers are consecutive and all rows are as written, checked up to " + number)
        .build();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "UPDATE payment SET amount_cents = 6 WHERE number = 1 | damaged row: checksum mismatch in table payment, number 1",
        "UPDATE payment SET state = 'CAPTURED' WHERE number = 1 | damaged row: checksum mismatch in table payment, number 1",
        "DELETE FROM payment WHERE number = 2 | damaged table: payment 2 is missing"
      })
  void fullAuditNamesADamagedRow(String damage, String expected) throws Exception {
    assertThat(sandbox.audit(false).getOk()).isTrue();
    damage(damage);
    AuditCheck check = sandbox.audit(true);
    assertThat(check.hasOk()).isTrue();
    assertThat(check.getOk()).isFalse();
    assertThat(check.getDetail()).contains(expected);
  }

  @Test
  void damagedPaymentIsRefusedAndTheOthersContinue() throws Exception {
    damage("UPDATE payment SET amount_cents = 6 WHERE number = 1");
    assertThat(error(() -> sandbox.capture("id-1")).reason()).isEqualTo(ErrorReason.INTERNAL_ERROR);
    assertThat(sandbox.capture("id-2").name()).isEqualTo("PAYMENT_STATE_CAPTURED");
  }

  @ParameterizedTest
  @ValueSource(strings = {"id-0x", "id-1x"}) // its row is before or after the place of id-1
  void paymentWhoseIdWasDamagedIsNotMadeAgain(String changed) throws Exception {
    damage(format("UPDATE payment SET payment_id = '%s' WHERE number = 1", changed));
    assertThat(error(() -> sandbox.authorise("id-1", 5, GOOD_CARD)).reason())
        .isEqualTo(ErrorReason.INTERNAL_ERROR);
    assertThat(sandbox.authorise("id-9", 5, GOOD_CARD).name())
        .isEqualTo("PAYMENT_STATE_AUTHORISED");
  }

  /// Changes the file behind the service's back.
  private void damage(String sql) throws SQLException {
    try (var connection =
            DriverManager.getConnection("jdbc:sqlite:" + data.resolve("payment/payment.db"));
        var statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }
}
