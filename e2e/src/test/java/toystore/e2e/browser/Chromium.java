package toystore.e2e.browser;

import com.microsoft.playwright.APIRequestContext;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// This machine's installed Chromium, headless.
final class Chromium implements AutoCloseable {
  private final Playwright playwright;
  private final Browser browser;

  private Chromium(Path program) {
    playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(program)
                    .setArgs(
                        List.of(
                            "--headless",
                            "--no-sandbox",
                            "--disable-gpu",
                            "--disable-quic",
                            "--no-first-run",
                            "--disable-background-networking",
                            "--disable-component-update",
                            "--disable-sync")));
  }

  /// Empty if Chromium is not on the PATH.
  static Optional<Chromium> open() {
    return Stream.of(System.getenv("PATH").split(":"))
        .flatMap(folder ->
            Stream.of("chromium", "chromium-browser", "google-chrome")
                .map(Path.of(folder)::resolve))
        .filter(Files::isExecutable)
        .findFirst()
        .map(Chromium::new);
  }

  /// Sends a request without a browser.
  APIRequestContext request() {
    return playwright.request().newContext();
  }

  Browser browser() {
    return browser;
  }

  @Override
  public void close() {
    playwright.close();
  }
}
