package toystore.payment.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SandboxCardTest {
  private static final String NAME = "Erika Mustermann";
  private static final String NUMBER = "4111222233334444";
  private static final String DATE = "01/20";
  private static final String CODE = "123";

  @ParameterizedTest
  @CsvSource({"1234567890123, 01/00, 000", "9999999999999999999, 12/99, 1234"})
  void cardOfAValidFormIsAuthorisedWhateverItsCheckDigitAndDate(
      String number, String date, String code) {
    assertThat(new SandboxCard("é".repeat(100), number, date, code).newPaymentState())
        .isEqualTo(Payment.State.AUTHORISED);
  }

  @ParameterizedTest
  @CsvSource({
    "4000000000000002, DECLINED",
    "4000000000009995, DECLINED",
    "4000000000000341, AUTHORISED_NOT_CAPTURABLE"
  })
  void testNumbersHaveTheirDocumentedOutcome(String number, Payment.State state) {
    assertThat(new SandboxCard(NAME, number, DATE, CODE).newPaymentState()).isEqualTo(state);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "123456789012",
        "12345678901234567890",
        "4111 2222 3333 4444",
        "411122223333444x",
        "٤١١١٢٢٢٢٣٣٣٣٤٤٤٤"
      })
  void invalidNumberIsRefusedWithoutQuotingIt(String number) {
    assertThat(refusal(NAME, number, DATE, CODE))
        .isEqualTo("card.number must have 13 to 19 digits; card data is never repeated");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "00/30", "13/30", "1/30", "01/2030", "01-30", "01/30\n"})
  void invalidExpirationDateIsRefusedWithoutQuotingIt(String date) {
    assertThat(refusal(NAME, NUMBER, date, CODE))
        .isEqualTo(
            "card.expiration_date must be MM/YY with a month from 01 to 12; card data is never repeated");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "12", "12345", "12a"})
  void invalidSecurityCodeIsRefusedWithoutQuotingIt(String code) {
    assertThat(refusal(NAME, NUMBER, DATE, code))
        .isEqualTo("card.security_code must have 3 or 4 digits; card data is never repeated");
  }

  @Test
  void missingOrLongHolderNameIsRefusedWithoutQuotingIt() {
    String expected = "card.holder_name must have 1 to 100 characters; card data is never repeated";
    assertThat(refusal("", NUMBER, DATE, CODE)).isEqualTo(expected);
    assertThat(refusal("  ", NUMBER, DATE, CODE)).isEqualTo(expected);
    assertThat(refusal("x".repeat(101), NUMBER, DATE, CODE)).isEqualTo(expected);
  }

  @Test
  void textOfACardContainsNoneOfItsFields() {
    assertThat(new SandboxCard(NAME, NUMBER, DATE, CODE)).hasToString("SandboxCard");
  }

  private static String refusal(String name, String number, String date, String code) {
    var refusal =
        catchThrowableOfType(
            IllegalArgumentException.class, () -> new SandboxCard(name, number, date, code));
    return String.valueOf(refusal.getMessage());
  }
}
