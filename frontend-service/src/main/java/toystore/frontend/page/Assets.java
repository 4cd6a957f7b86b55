package toystore.frontend.page;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;
import toystore.frontend.http.Content;

/// The files that pages refer to, and no others. A file's path bears its hash, so that a browser
/// may keep it for ever. Any thread.
@Lazy
@Component
final class Assets {
  private static final int HASH_BYTES = 6;

  private final Map<String, String> paths = new HashMap<>();
  private final Map<String, Content> contents = new HashMap<>();

  Assets() {
    add("shop.css", "text/css;charset=UTF-8", "page/shop.css");
    add("shop.js", "text/javascript;charset=UTF-8", "page/shop.js");
    add("icon.svg", "image/svg+xml", "page/icon.svg");
    add(
        "htmx.js",
        "text/javascript;charset=UTF-8",
        "META-INF/resources/webjars/htmx.org/2.0.8/dist/htmx.min.js");
  }

  /// Where a browser finds the file.
  public String path(String file) {
    String path = paths.get(file);
    if (path == null) {
      throw new IllegalArgumentException("no asset " + file);
    }
    return path;
  }

  Optional<Content> at(String path) {
    return Optional.ofNullable(contents.get(path));
  }

  private void add(String file, String type, String resource) {
    byte[] bytes = read(resource);
    String path = "/assets/" + hash(bytes) + "/" + file;
    paths.put(file, path);
    contents.put(
        path,
        new Content(
            200,
            type,
            bytes,
            Map.of(
                "Cache-Control",
                "public, max-age=31536000, immutable",
                "X-Content-Type-Options",
                "nosniff")));
  }

  private static byte[] read(String resource) {
    try (InputStream in = Assets.class.getClassLoader().getResourceAsStream(resource)) {
      if (in == null) {
        throw new FileNotFoundException(resource);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String hash(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
