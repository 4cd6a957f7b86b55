package toystore.frontend.carts;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.json.Expected;
import toystore.frontend.http.json.OptionalField;
import toystore.frontend.http.json.Secret;
import toystore.frontend.http.money.Decimal;
import toystore.frontend.http.money.DecimalAmounts;
import toystore.platform.text.CardFields;
import toystore.platform.text.Limits;

/// The body of a purchase. Errors do not quote the card, and its text does not show it.
///
/// @param cart what the buyer saw, as `GET /api/cart` returns it; absent: not compared
public record CardDetails(
    @NotNull(message = CardDetails.TEXT, payload = Secret.class) String cardHolderName,
    @NotNull(message = CardDetails.TEXT, payload = Secret.class) String cardNumber,
    @NotNull(message = CardDetails.TEXT, payload = Secret.class) String expirationDate,
    @NotNull(message = CardDetails.TEXT, payload = Secret.class) String securityCode,
    @OptionalField
        @Size(
            min = 1,
            max = Limits.MAX_LINES,
            message = "must be an array of {min} to {max} objects")
        @Nullable List<@Valid Line> cart) {
  private static final String TEXT = "must be a string";

  @JsonIgnoreProperties({"name", "saved"})
  record Line(
      @Min(value = 1, message = "must be an integer from 1 to 9223372036854775807") long itemId,
      @Min(value = 1, message = Expected.COUNT) int quantity,
      @Decimal BigDecimal price) {}

  CardFields card() {
    return card(cardHolderName, cardNumber, expirationDate, securityCode);
  }

  /// @throws ApiException (400) that names the invalid field
  public static CardFields card(
      String holderName, String number, String expirationDate, String securityCode) {
    try {
      return new CardFields(holderName, number, expirationDate, securityCode);
    } catch (IllegalArgumentException e) {
      throw ApiException.badRequest(String.valueOf(e.getMessage()));
    }
  }

  @Nullable SeenCart seen() {
    return cart == null
        ? null
        : new SeenCart(
            cart.stream()
                .map(it ->
                    new SeenCart.Line(it.itemId, it.quantity, DecimalAmounts.toCents(it.price)))
                .toList());
  }

  @Override
  public String toString() {
    return "CardDetails";
  }
}
