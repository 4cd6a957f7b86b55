package toystore.order;

/// A card, only in the memory of the purchase that it pays. It has no text form, so that it gets
/// into no log and no message.
record PaymentCard(String holderName, String number, String expirationDate, String securityCode) {
  /// @throws IllegalArgumentException that names the invalid field, without its value
  PaymentCard {
    check("card.holder_name", holderName, ".{1,100}", "1 to 100 characters");
    check("card.number", number, "[0-9]{13,19}", "13 to 19 digits");
    check("card.expiration_date", expirationDate, "(0[1-9]|1[0-2])/[0-9]{2}", "MM/YY");
    check("card.security_code", securityCode, "[0-9]{3,4}", "3 or 4 digits");
  }

  private static void check(String field, String value, String pattern, String expected) {
    if (!value.matches(pattern)) {
      throw new IllegalArgumentException(field + " must be " + expected);
    }
  }

  @Override
  public String toString() {
    return "PaymentCard";
  }
}
