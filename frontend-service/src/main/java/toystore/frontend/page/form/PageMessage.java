package toystore.frontend.page.form;

import toystore.frontend.http.error.ApiException;
import toystore.frontend.page.ErrorTexts;

/// The message at the top of a page, and the HTTP status of the page.
///
/// @param isProblem whether the page is the answer to a refused or failed form
public record PageMessage(int status, String text, boolean isProblem) {
  static PageMessage of(Notice notice) {
    return new PageMessage(200, ErrorTexts.of("notice." + notice), false);
  }

  /// @param isKeyed whether the form has an idempotency key
  public static PageMessage of(ApiException error, boolean isKeyed) {
    return new PageMessage(error.status(), ErrorTexts.ofForm(error, isKeyed), true);
  }
}
