package toystore.frontend.page;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.springframework.web.servlet.resource.ResourceUrlProvider;

/// The URLs of the files that templates name, each with the hash of the file's content, which is
/// computed once. Any thread.
public final class AssetUrls {
  private final ResourceUrlProvider files;
  private final ConcurrentMap<String, String> urls = new ConcurrentHashMap<>();

  AssetUrls(ResourceUrlProvider files) {
    this.files = files;
  }

  /// @param path written in a template, such as `/assets/shop.css`
  public String of(String path) {
    return urls.computeIfAbsent(path, it -> requireNonNull(files.getForLookupPath(it), it));
  }
}
