package toystore.platform.text;

import java.util.regex.Pattern;

/// The fields of a payment card as a buyer types them. Only their form is checked, here and nowhere
/// else: whether the card is valid, only the payment provider knows. Neither an error nor the text
/// of it repeats a field, so that none gets into a log or a message.
public record CardFields(
    String holderName, String number, String expirationDate, String securityCode) {
  private static final Pattern HOLDER_NAME = Pattern.compile("[^\\p{Cc}\\p{Cs}]{1,100}");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{13,19}");
  private static final Pattern EXPIRATION_DATE = Pattern.compile("(0[1-9]|1[0-2])/[0-9]{2}");
  private static final Pattern SECURITY_CODE = Pattern.compile("[0-9]{3,4}");

  /// @throws IllegalArgumentException that names the invalid field and what was expected
  public CardFields {
    check(
        HOLDER_NAME.matcher(holderName).matches() && !holderName.isBlank(),
        "card_holder_name must have 1 to 100 characters, not only spaces");
    check(NUMBER.matcher(number).matches(), "card_number must have 13 to 19 digits");
    check(
        EXPIRATION_DATE.matcher(expirationDate).matches(),
        "expiration_date must be MM/YY with a month from 01 to 12");
    check(SECURITY_CODE.matcher(securityCode).matches(), "security_code must have 3 or 4 digits");
  }

  private static void check(boolean valid, String message) {
    if (!valid) {
      throw new IllegalArgumentException(message + "; card data is never repeated");
    }
  }

  @Override
  public String toString() {
    return "CardFields";
  }
}
