package toystore.platform.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CardFieldsTest {
  private static final String NAME = "Erika Mustermann";
  private static final String NUMBER = "4111222233334444";
  private static final String DATE = "01/20";
  private static final String CODE = "123";

  @ParameterizedTest
  @CsvSource({"1234567890123, 01/00, 000", "9999999999999999999, 12/99, 1234"})
  void checkDigitAndDateAreNotVerified(String number, String date, String code) {
    assertThat(new CardFields("é".repeat(100), number, date, code).number()).isEqualTo(number);
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
        .isEqualTo("card_number must have 13 to 19 digits; card data is never repeated");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "00/30", "13/30", "1/30", "01/2030", "01-30", "01/30\n"})
  void invalidExpirationDateIsRefusedWithoutQuotingIt(String date) {
    assertThat(refusal(NAME, NUMBER, date, CODE))
        .isEqualTo(
            "expiration_date must be MM/YY with a month from 01 to 12; card data is never repeated");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "12", "12345", "12a"})
  void invalidSecurityCodeIsRefusedWithoutQuotingIt(String code) {
    assertThat(refusal(NAME, NUMBER, DATE, code))
        .isEqualTo("security_code must have 3 or 4 digits; card data is never repeated");
  }

  @Test
  void invalidHolderNameIsRefusedWithoutQuotingIt() {
    for (String name :
        new String[] {"", "  ", "x".repeat(101), "Erika\nMustermann", "Erika \ud800"}) {
      assertThat(refusal(name, NUMBER, DATE, CODE))
          .isEqualTo(
              "card_holder_name must have 1 to 100 characters, not only spaces; card data is never repeated");
    }
  }

  @Test
  void textContainsNoField() {
    assertThat(new CardFields(NAME, NUMBER, DATE, CODE)).hasToString("CardFields");
  }

  private static String refusal(String name, String number, String date, String code) {
    var refusal =
        catchThrowableOfType(
            IllegalArgumentException.class, () -> new CardFields(name, number, date, code));
    return String.valueOf(refusal.getMessage());
  }
}
