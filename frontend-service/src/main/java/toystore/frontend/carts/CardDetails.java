package toystore.frontend.carts;

import java.util.function.Predicate;
import java.util.regex.Pattern;
import toystore.frontend.http.JsonBody;

/// A card as typed by a buyer. Only its form is checked: the payment provider knows whether it is
/// valid. Errors do not quote it, and its text does not show it.
public record CardDetails(
    String holderName, String number, String expirationDate, String securityCode) {
  private static final Predicate<String> HOLDER =
      Pattern.compile("[^\\p{Cc}\\p{Cs}]{1,100}").asMatchPredicate();
  private static final Predicate<String> NUMBER =
      Pattern.compile("[0-9]{13,19}").asMatchPredicate();
  private static final Predicate<String> DATE =
      Pattern.compile("(0[1-9]|1[0-2])/[0-9]{2}").asMatchPredicate();
  private static final Predicate<String> CODE = Pattern.compile("[0-9]{3,4}").asMatchPredicate();

  static CardDetails of(JsonBody body) {
    body.allowOnly("card_holder_name", "card_number", "expiration_date", "security_code");
    return new CardDetails(
        body.secret("card_holder_name", "a string of 1 to 100 characters", HOLDER),
        body.secret("card_number", "a string of 13 to 19 digits", NUMBER),
        body.secret("expiration_date", "a month and a year as MM/YY", DATE),
        body.secret("security_code", "a string of 3 or 4 digits", CODE));
  }

  @Override
  public String toString() {
    return "CardDetails";
  }
}
