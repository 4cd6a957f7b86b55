package toystore.frontend.page.market;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import toystore.frontend.http.IdempotencyKey;

/// Adds to each page who is logged in, an idempotency key for its forms, and a message, which is a
/// [Notice] of the request before if there is one. Answers what [SessionInterceptor] refuses.
@Order(0) // before the handler of all other exceptions
@ControllerAdvice(basePackageClasses = MarketAdvice.class)
final class MarketAdvice {
  static final String MESSAGE = "message";
  static final String KEY = "key";

  /// A page was requested, or a form sent, without a session.
  static final class NotLoggedIn extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final @Nullable Notice notice;

    NotLoggedIn(@Nullable Notice notice) {
      super("no session", null, false, false);
      this.notice = notice;
    }
  }

  /// A form was not made for this session: forged, or of a session before this one.
  static final class ForeignForm extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ForeignForm() {
      super("form of another session", null, false, false);
    }
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

  @ExceptionHandler
  ModelAndView notLoggedIn(NotLoggedIn refused, RedirectAttributes next) {
    return refused.notice == null
        ? MarketPage.redirect("/market/login")
        : MarketPage.redirect("/market/login", refused.notice, next);
  }

  @ExceptionHandler
  ModelAndView foreignForm(ForeignForm refused, HttpServletRequest request) {
    String text =
        "This form belongs to another session, which has ended, so nothing was done. Please open the"
            + " page again.";
    return MarketPage.of(new PageMessage(403, text, true), "refused", Map.of())
        .addObject("user", user(request));
  }
}
