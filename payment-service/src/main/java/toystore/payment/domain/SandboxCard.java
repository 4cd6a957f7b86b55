package toystore.payment.domain;

import toystore.platform.text.CardFields;

/// Neither the check digit (Luhn) nor the expiry date is verified: published clients use arbitrary
/// ones, and the sandbox moves no money.
public record SandboxCard(CardFields fields) {
  /// `docs/how-to/payment-provider.md` lists the numbers.
  public Payment.State newPaymentState() {
    return switch (fields.number()) {
      case "4000000000000002", "4000000000009995" -> Payment.State.DECLINED;
      case "4000000000000341" -> Payment.State.AUTHORISED_NOT_CAPTURABLE;
      default -> Payment.State.AUTHORISED;
    };
  }
}
