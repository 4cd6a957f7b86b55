package toystore.frontend.openapi;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.util.DigestUtils;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.bind.annotation.GetMapping;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.json.JsonMapper;

/// Serves `/openapi.json`. The document is maintained by hand in `openapi.yaml`. Behind the path
/// prefix of a reverse proxy, its server URL is that prefix.
@Controller
final class OpenApiController {
  /// Parsed at the first request.
  private final Supplier<Map<String, Object>> document =
      SingletonSupplier.of(OpenApiController::read);

  /// Spring answers 304 if the client has this document.
  @GetMapping("/openapi.json")
  ResponseEntity<byte[]> document(HttpServletRequest request) {
    var all = new LinkedHashMap<>(document.get());
    String prefix = request.getContextPath();
    if (!prefix.isEmpty()) {
      all.put(
          "servers",
          List.of(Map.of("url", prefix, "description", "The store that served this document.")));
    }
    byte[] json = JsonMapper.shared().writeValueAsBytes(all);
    return ResponseEntity.ok()
        .contentType(MediaType.APPLICATION_JSON)
        .cacheControl(CacheControl.noCache())
        .eTag(DigestUtils.md5DigestAsHex(json))
        .body(json);
  }

  private static Map<String, Object> read() {
    try (InputStream text = new ClassPathResource("openapi.yaml").getInputStream()) {
      return new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
