package toystore.frontend.openapi;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.json.JsonMapper;
import toystore.frontend.http.Content;

/// `/openapi.json`: this page for programs, written by hand as YAML.
@Controller
final class OpenApiController {
  private final ObjectProvider<Document> document;

  OpenApiController(ObjectProvider<Document> document) {
    this.document = document;
  }

  @GetMapping("/openapi.json")
  Content document() {
    return document.getObject().json;
  }

  /// The document as JSON, made when it is first asked for. Any thread.
  @Lazy
  @Component
  static final class Document {
    private final Content json;

    Document() {
      Object document = new Yaml(new SafeConstructor(new LoaderOptions())).load(text());
      json =
          new Content(
              200,
              "application/json",
              JsonMapper.shared().writeValueAsBytes(document),
              Map.of("Cache-Control", "no-cache"));
    }

    private static String text() {
      try (InputStream in = Document.class.getResourceAsStream("/openapi.yaml")) {
        if (in == null) {
          throw new FileNotFoundException("openapi.yaml");
        }
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
