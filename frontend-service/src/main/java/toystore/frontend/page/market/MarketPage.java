package toystore.frontend.page.market;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.IdempotencyKey;

/// The answers of the controllers: a page, a page with a form that was refused, or a redirect after
/// a form. [MarketController] adds what all pages have.
final class MarketPage {
  private MarketPage() {}

  static ModelAndView of(String template, Map<String, ? extends @Nullable Object> model) {
    return new ModelAndView("market/" + template, model);
  }

  static ModelAndView of(
      PageMessage message, String template, Map<String, ? extends @Nullable Object> model) {
    var page = of(template, model).addObject(MarketController.MESSAGE, message);
    page.setStatus(HttpStatusCode.valueOf(message.status()));
    return page;
  }

  /// Shows a form with an idempotency key again. If its outcome is open (5xx), it keeps its key, so
  /// that it can be sent again.
  static ModelAndView again(
      String template,
      ApiException error,
      @Nullable IdempotencyKey key,
      Map<String, ? extends @Nullable Object> model) {
    ModelAndView page = of(PageMessage.of(error), template, model);
    return error.status() >= 500 && key != null
        ? page.addObject(MarketController.KEY, key.value())
        : page;
  }

  /// @param notice shown at the top of the next page
  static ModelAndView redirect(String path, Notice notice, RedirectAttributes next) {
    next.addFlashAttribute(MarketController.MESSAGE, notice);
    return redirect(path);
  }

  static ModelAndView redirect(String path) {
    return new ModelAndView("redirect:" + path);
  }
}
