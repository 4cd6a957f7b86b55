package toystore.frontend.page;

import org.jspecify.annotations.Nullable;
import toystore.frontend.http.ApiException;
import toystore.frontend.products.ProductView;

/// Error texts for people, by HTTP status and reason. Templates know it as `texts`.
public final class ErrorTexts {
  private static final String ADMINISTRATOR_ONLY =
      "This address is for the shop's administrator only.";

  ErrorTexts() {}

  public static String title(ApiException error) {
    return switch (error.status()) {
      case 401, 403 -> "Not allowed";
      case 404, 405 -> "Page not found";
      case 503, 504 -> "Temporarily unavailable";
      default -> "Request failed";
    };
  }

  public static String of(ApiException error) {
    return switch (error.status()) {
      case 401 -> ADMINISTRATOR_ONLY;
      case 403 ->
          switch (error.reason()) {
            case OTHER_TOKEN -> ADMINISTRATOR_ONLY;
            case OTHER_ROLE ->
                "Please log out, and log in with your other account: " + error.getMessage() + ".";
            default ->
                "This request came from another site, so nothing was bought. Please buy on the"
                    + " shop's own page.";
          };
      case 404 ->
          "The shop has no such page. The product may no longer be sold, or the address may contain"
              + " a typing error.";
      case 405 -> "This address cannot be opened as a page.";
      case 503 -> "The shop is temporarily unavailable. Please try again.";
      case 504 -> "The shop did not answer in time. Please try again.";
      case 500 -> "Something went wrong on our side. The error has been logged.";
      default -> "The request failed: " + error.getMessage() + ".";
    };
  }

  /// @param product state of the product after the error; null: it is not sold or unknown
  static String ofOrder(ApiException error, @Nullable ProductView product) {
    return switch (error.status()) {
      case 404 -> "This product is no longer sold.";
      case 409 -> conflict(error, product);
      case 422 -> "This form was already used for a different order. Please reload the page.";
      case 503 -> "The shop cannot sell right now, and nothing was bought. Please try again.";
      case 504 ->
          "The shop did not answer in time, so your order may or may not have been placed."
              + " Please try again: it will not be placed twice.";
      default -> of(error);
    };
  }

  private static String conflict(ApiException error, @Nullable ProductView product) {
    if (product != null && Boolean.TRUE.equals(product.suspended())) {
      return "Sorry, trading in this stock is suspended: its traded volume has reached the limit.";
    }
    return product != null && product.quantity() == 0
        ? "Sorry, it has just been sold out."
        : "Sorry: " + error.getMessage() + ".";
  }
}
