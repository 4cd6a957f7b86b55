package toystore.frontend.openapi;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ClassPathResource;
import org.springframework.stereotype.Controller;
import org.springframework.util.DigestUtils;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.context.request.WebRequest;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.json.JsonMapper;
import toystore.frontend.http.BytesResponse;

/// Serves `/openapi.json`. The document is maintained by hand in `openapi.yaml`.
@Controller
final class OpenApiController {
  /// Converted at the first request.
  private final Supplier<BytesResponse> document = SingletonSupplier.of(OpenApiController::asJson);

  private final Supplier<String> etag =
      SingletonSupplier.of(() -> DigestUtils.md5DigestAsHex(document.get().bytes()));

  /// Returns null after Spring has answered 304, because the client has this document.
  @GetMapping("/openapi.json")
  @Nullable BytesResponse document(WebRequest request, HttpServletResponse response) {
    response.setHeader("Cache-Control", "no-cache");
    return request.checkNotModified(etag.get()) ? null : document.get();
  }

  private static BytesResponse asJson() {
    try (InputStream text = new ClassPathResource("openapi.yaml").getInputStream()) {
      Object document = new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
      return new BytesResponse(
          200, "application/json", JsonMapper.shared().writeValueAsBytes(document), Map.of());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
