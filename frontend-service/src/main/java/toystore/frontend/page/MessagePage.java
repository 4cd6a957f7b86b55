package toystore.frontend.page;

import java.util.Map;
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
  public BytesResponse render(ApiException error) {
    return renderer.render(
        error.status(),
        "message",
        Map.of("title", ErrorTexts.title(error), "message", ErrorTexts.of(error)));
  }
}
