package toystore.frontend.page;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import toystore.frontend.FrontendSettings;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.BytesResponse;

/// The latest lab report: one self-contained HTML file in the folder from the settings, with a link
/// to the shop added. It may contain inline styles, but scripts are blocked. Any thread.
@Component
final class LabReport {
  private static final long MAX_BYTES = 10_000_000;
  private static final Map<String, String> HEADERS =
      TemplateRenderer.headers(
          "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:");

  private final @Nullable Path folder;

  LabReport(FrontendSettings settings) {
    this.folder = settings.labReport();
  }

  boolean exists() {
    return file().isPresent();
  }

  Optional<BytesResponse> read() {
    return file().map(LabReport::toResponse);
  }

  private Optional<Path> file() {
    return folder == null
        ? Optional.empty()
        : Stream.of("index.html", "report.html")
            .map(folder::resolve)
            .filter(Files::isRegularFile)
            .findFirst();
  }

  private static BytesResponse toResponse(Path file) {
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw ApiException.of(404, "lab report is larger than " + MAX_BYTES + " bytes");
      }
      String shop = TemplateRenderer.contextPath() + "/";
      String body =
          "<body>\n<nav aria-label=\"Shop\"><a href=\"" + shop + "\">Back to the shop</a></nav>";
      String html = Files.readString(file).replaceFirst("<body>", body);
      return new BytesResponse(
          200, TemplateRenderer.HTML, html.getBytes(StandardCharsets.UTF_8), HEADERS);
    } catch (IOException e) {
      throw ApiException.of(404, "lab report cannot be read");
    }
  }
}
