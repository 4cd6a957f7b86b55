package toystore.payment.domain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import toystore.platform.text.CardFields;

class SandboxCardTest {
  @ParameterizedTest
  @CsvSource({
    "1234567890123, AUTHORISED",
    "9999999999999999999, AUTHORISED",
    "4000000000000002, DECLINED",
    "4000000000009995, DECLINED",
    "4000000000000341, AUTHORISED_NOT_CAPTURABLE"
  })
  void testNumbersHaveTheirDocumentedOutcome(String number, Payment.State state) {
    assertThat(card(number).newPaymentState()).isEqualTo(state);
  }

  @Test
  void textOfACardContainsNoneOfItsFields() {
    assertThat(card("1234567890123")).hasToString("SandboxCard[fields=CardFields]");
  }

  private static SandboxCard card(String number) {
    return new SandboxCard(new CardFields("Erika Mustermann", number, "01/20", "123"));
  }
}
