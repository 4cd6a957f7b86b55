package toystore.frontend.page;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.BytesResponse;
import toystore.frontend.http.ErrorPage;

/// A page with the text of an error and a link to the shop. Any thread.
@Component
final class MessagePage implements ErrorPage {
  private final TemplateRenderer renderer;

  MessagePage(TemplateRenderer renderer) {
    this.renderer = renderer;
  }

  @Override
  public BytesResponse render(HttpServletRequest request, ApiException error) {
    return renderer.render(
        request.getContextPath(),
        error.status(),
        "message",
        Map.of("title", ErrorTexts.title(error), "message", ErrorTexts.of(error)),
        Optional.empty());
  }
}
