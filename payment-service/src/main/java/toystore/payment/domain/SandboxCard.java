package toystore.payment.domain;

import java.util.regex.Pattern;

/// A card that passed the checks of its form. No message and no text of it contains card data.
///
/// Neither the check digit (Luhn) nor the expiry date is verified: published clients use arbitrary
/// numbers and dates, and the sandbox moves no money.
public record SandboxCard(
    String holderName, String number, String expirationDate, String securityCode) {
  private static final int MAX_HOLDER_NAME = 100;
  private static final Pattern NUMBER = Pattern.compile("[0-9]{13,19}");
  private static final Pattern EXPIRATION_DATE = Pattern.compile("(0[1-9]|1[0-2])/[0-9]{2}");
  private static final Pattern SECURITY_CODE = Pattern.compile("[0-9]{3,4}");

  public SandboxCard {
    int length = holderName.codePointCount(0, holderName.length());
    check(
        !holderName.isBlank() && length <= MAX_HOLDER_NAME,
        "card.holder_name must have 1 to 100 characters");
    check(NUMBER.matcher(number).matches(), "card.number must have 13 to 19 digits");
    check(
        EXPIRATION_DATE.matcher(expirationDate).matches(),
        "card.expiration_date must be MM/YY with a month from 01 to 12");
    check(
        SECURITY_CODE.matcher(securityCode).matches(),
        "card.security_code must have 3 or 4 digits");
  }

  /// The state of a new payment with this card. The numbers are listed in `docs/payments.md`.
  public Payment.State newPaymentState() {
    return switch (number) {
      case "4000000000000002", "4000000000009995" -> Payment.State.DECLINED;
      case "4000000000000341" -> Payment.State.AUTHORISED_NOT_CAPTURABLE;
      default -> Payment.State.AUTHORISED;
    };
  }

  private static void check(boolean valid, String message) {
    if (!valid) {
      throw new IllegalArgumentException(message + "; card data is never repeated");
    }
  }

  @Override
  public String toString() {
    return "SandboxCard";
  }
}
