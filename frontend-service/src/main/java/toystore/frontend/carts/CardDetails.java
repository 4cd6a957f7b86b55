package toystore.frontend.carts;

import jakarta.validation.constraints.Pattern;
import toystore.frontend.http.Secret;

/// A card as typed by a buyer. Only its form is checked: the payment provider knows whether it is
/// valid. Errors do not quote it, and its text does not show it.
public record CardDetails(
    @Pattern(
            regexp = "[^\\p{Cc}\\p{Cs}]{1,100}",
            message = "must be a string of 1 to 100 characters",
            payload = Secret.class)
        String cardHolderName,
    @Pattern(
            regexp = "[0-9]{13,19}",
            message = "must be a string of 13 to 19 digits",
            payload = Secret.class)
        String cardNumber,
    @Pattern(
            regexp = "(0[1-9]|1[0-2])/[0-9]{2}",
            message = "must be a month and a year as MM/YY",
            payload = Secret.class)
        String expirationDate,
    @Pattern(
            regexp = "[0-9]{3,4}",
            message = "must be a string of 3 or 4 digits",
            payload = Secret.class)
        String securityCode) {
  @Override
  public String toString() {
    return "CardDetails";
  }
}
