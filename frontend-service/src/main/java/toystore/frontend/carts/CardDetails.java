package toystore.frontend.carts;

import toystore.frontend.http.ApiException;
import toystore.frontend.http.JsonBody;
import toystore.platform.text.CardFields;

/// The card in a request. Errors do not quote it.
public final class CardDetails {
  private CardDetails() {}

  static CardFields of(JsonBody body) {
    return of(
        body.secret("card_holder_name", "a string", _ -> true),
        body.secret("card_number", "a string", _ -> true),
        body.secret("expiration_date", "a string", _ -> true),
        body.secret("security_code", "a string", _ -> true));
  }

  /// @throws ApiException (400) that names the invalid field
  public static CardFields of(
      String holderName, String number, String expirationDate, String securityCode) {
    try {
      return new CardFields(holderName, number, expirationDate, securityCode);
    } catch (IllegalArgumentException e) {
      throw ApiException.badRequest(String.valueOf(e.getMessage()));
    }
  }
}
