package toystore.frontend.page;

import java.util.Map;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;
import toystore.frontend.http.ApiError;
import toystore.frontend.http.BytesResponse;
import toystore.frontend.http.ErrorPage;

/// A page with the text of an error. Any thread.
@Component
final class MessagePage implements ErrorPage {
  private final LabReport lab;
  private final ObjectProvider<TemplateRenderer> renderer;

  MessagePage(LabReport lab, ObjectProvider<TemplateRenderer> renderer) {
    this.lab = lab;
    this.renderer = renderer;
  }

  @Override
  public BytesResponse render(ApiError error) {
    String title = error.isNotFound() ? "Not found" : "Request failed";
    return renderer
        .getObject()
        .render(
            error.status(),
            "message",
            Map.of("title", title, "message", ErrorTexts.of(error)),
            lab.exists(),
            Optional.empty());
  }
}
