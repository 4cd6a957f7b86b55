package toystore.frontend.page.market;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.FormBody;
import toystore.frontend.http.HttpReply;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.page.TemplateRenderer;

/// Renders the templates in `resources/page/market`. A [Notice] of the request before is shown on
/// the first page that has no message of its own. Any thread that handles a request.
@Component
final class MarketRenderer {
  private static final String NOTICE = "toystore-notice";
  private static final Duration NOTICE_AGE = Duration.ofMinutes(1);

  private final TemplateRenderer renderer;
  private final HttpServletRequest request;

  /// @param request stands for the request of the calling thread
  MarketRenderer(TemplateRenderer renderer, HttpServletRequest request) {
    this.renderer = renderer;
    this.request = request;
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
    Optional<String> notice =
        message.equals(PageMessage.NONE) ? SessionCookie.value(request, NOTICE) : Optional.empty();
    var all = new HashMap<String, @Nullable Object>(model);
    all.put("user", user);
    all.put("message", notice.flatMap(Notice::of).map(PageMessage::of).orElse(message));
    all.put("key", key);
    HttpReply page = renderer.render(message.status(), "market/" + template, all);
    return notice.isEmpty() ? page : withCookie(page, SessionCookie.delete(request, NOTICE));
  }

  private static HttpReply withCookie(HttpReply reply, String cookie) {
    return response -> {
      response.addHeader(HttpHeaders.SET_COOKIE, cookie);
      reply.writeTo(response);
    };
  }

  /// Answers a form that was not made for this session: forged, or of a session before this one.
  HttpReply foreignForm(PageSession user) {
    String text =
        "This form belongs to another session, which has ended, so nothing was done. Please open the"
            + " page again.";
    return page(user, new PageMessage(403, text, true), "refused", Map.of());
  }

  /// Returns the key of the form that is shown after an error. A form whose outcome is open (5xx)
  /// keeps its key, so that it can be sent again.
  static String keyAfter(ApiException error, FormBody form) {
    return error.status() >= 500 ? form.key().value() : newKey();
  }

  /// @param notice shown at the top of the next page
  HttpReply redirect(String path, Notice notice) {
    return withCookie(
        redirect(path), SessionCookie.create(request, NOTICE, notice.code(), NOTICE_AGE));
  }

  static HttpReply redirect(String path) {
    return TemplateRenderer.redirect(path, Map.of());
  }

  private static String newKey() {
    return IdempotencyKey.generate().value();
  }
}
