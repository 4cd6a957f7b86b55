package toystore.frontend.page;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.web.header.HeaderWriter;
import org.springframework.stereotype.Component;
import toystore.frontend.FrontendSettings;
import toystore.frontend.http.ApiException;

/// The latest lab report: one self-contained HTML file in the folder from the settings, with a link
/// to the shop added. It may contain inline styles, but scripts are blocked. Any thread.
@Component
public final class LabReport {
  private static final long MAX_BYTES = 10_000_000;
  private static final String BODY =
      "<body>\n<nav aria-label=\"Shop\"><a href=\"%s/\">Back to the shop</a></nav>";
  static final HeaderWriter HEADERS =
      PageView.headers("sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:");

  private final @Nullable Path folder;

  LabReport(FrontendSettings settings) {
    this.folder = settings.labReport();
  }

  public boolean exists() {
    return file().isPresent();
  }

  Optional<ResponseEntity<byte[]>> read(String contextPath) {
    return file().map(it -> toResponse(it, contextPath));
  }

  private Optional<Path> file() {
    return folder == null
        ? Optional.empty()
        : Stream.of("index.html", "report.html")
            .map(folder::resolve)
            .filter(Files::isRegularFile)
            .findFirst();
  }

  private static ResponseEntity<byte[]> toResponse(Path file, String contextPath) {
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw ApiException.of(404, "lab report is larger than " + MAX_BYTES + " bytes");
      }
      String body = String.format(Locale.ROOT, BODY, contextPath);
      String html = Files.readString(file).replaceFirst("<body>", body);
      return ResponseEntity.ok()
          .contentType(new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8))
          .body(html.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw ApiException.of(404, "lab report cannot be read");
    }
  }
}
