package toystore.frontend.page;

import toystore.frontend.http.ApiError;

/// Error texts for people, by HTTP status.
final class ErrorTexts {
  private ErrorTexts() {}

  static String of(ApiError error) {
    return switch (error.status()) {
      case 403 ->
          "This request came from another site, so nothing was bought. Please buy on the shop's"
              + " own page.";
      case 503 -> "The shop is temporarily unavailable. Please try again.";
      case 504 -> "The shop did not answer in time. Please try again.";
      case 500 -> "Something went wrong on our side. The error has been logged.";
      default -> "The request failed: " + error.getMessage() + ".";
    };
  }

  /// @param soldOut whether the toy is out of stock now
  static String ofOrder(ApiError error, boolean soldOut) {
    return switch (error.status()) {
      case 404 -> "This toy is no longer sold.";
      case 409 ->
          soldOut ? "Sorry, it has just been sold out." : "Sorry: " + error.getMessage() + ".";
      case 422 -> "This form was already used for a different order. Please reload the page.";
      case 503 -> "The shop cannot sell right now, and nothing was bought. Please try again.";
      case 504 ->
          "The shop did not answer in time, so your order may or may not have been placed."
              + " Please try again: it will not be placed twice.";
      default -> of(error);
    };
  }
}
