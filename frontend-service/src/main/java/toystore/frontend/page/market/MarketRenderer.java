package toystore.frontend.page.market;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.BytesResponse;
import toystore.frontend.http.FormBody;
import toystore.frontend.http.HttpReply;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.page.TemplateRenderer;

/// Renders the templates in `resources/page/market`. Any thread.
@Component
final class MarketRenderer {
  private final TemplateRenderer renderer;

  MarketRenderer(TemplateRenderer renderer) {
    this.renderer = renderer;
  }

  /// Renders a page whose forms have a new key.
  ///
  /// @param user absent: nobody is logged in
  HttpReply page(
      @Nullable PageSession user,
      PageMessage message,
      String template,
      Map<String, ? extends @Nullable Object> model) {
    return page(user, message, newKey(), template, model);
  }

  /// @param key idempotency key of the page's forms
  HttpReply page(
      @Nullable PageSession user,
      PageMessage message,
      String key,
      String template,
      Map<String, ? extends @Nullable Object> model) {
    var all = new HashMap<String, @Nullable Object>(model);
    all.put("user", user);
    all.put("message", message);
    all.put("key", key);
    return renderer.render(message.status(), "market/" + template, all);
  }

  /// Answers a form that was not made for this session: forged, or of a session before this one.
  HttpReply foreignForm(PageSession user) {
    String text =
        "This form does not belong to your session, so nothing was done. Please open the page again.";
    return page(user, new PageMessage(403, text, true), "refused", Map.of());
  }

  /// Returns the key of the form that is shown after an error. A form whose outcome is open (5xx)
  /// keeps its key, so that it can be sent again.
  static String keyAfter(ApiException error, FormBody form) {
    return error.status() >= 500 ? form.key().value() : newKey();
  }

  /// @param notice shown at the top of the next page; absent: none
  static BytesResponse redirect(String path, @Nullable Notice notice) {
    return redirect(path, notice, Map.of());
  }

  static BytesResponse redirect(String path, @Nullable Notice notice, Map<String, String> more) {
    String separator = path.contains("?") ? "&" : "?";
    return TemplateRenderer.redirect(
        notice == null ? path : path + separator + "done=" + notice.code(), more);
  }

  private static String newKey() {
    return IdempotencyKey.generate().value();
  }
}
