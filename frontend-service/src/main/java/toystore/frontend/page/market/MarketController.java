package toystore.frontend.page.market;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.beans.PropertyEditorSupport;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.InitBinder;
import org.springframework.web.bind.annotation.ModelAttribute;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.http.Json;

/// What the controllers of this package share. Adds to each page who is logged in, an idempotency
/// key for its forms, and a message, which is a [Notice] of the request before if there is one.
abstract class MarketController {
  static final String MESSAGE = "message";
  static final String KEY = "key";

  /// Spring's own editor accepts exponents.
  private static final class DecimalEditor extends PropertyEditorSupport {
    @Override
    public void setAsText(String text) {
      setValue(text.isBlank() ? null : Json.decimal(text.strip()));
    }
  }

  @InitBinder
  void readDecimalsStrictly(WebDataBinder binder) {
    binder.registerCustomEditor(BigDecimal.class, new DecimalEditor());
  }

  @ModelAttribute
  void keepPrivate(HttpServletResponse response) {
    response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
  }

  @ModelAttribute("user")
  @Nullable PageSession user(HttpServletRequest request) {
    return (PageSession) request.getAttribute(SessionInterceptor.SESSION);
  }

  @ModelAttribute(KEY)
  String key() {
    return IdempotencyKey.generate().value();
  }

  /// Used unless the request before has left a notice.
  @ModelAttribute(MESSAGE)
  PageMessage message() {
    return PageMessage.NONE;
  }
}
