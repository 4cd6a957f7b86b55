package toystore.e2e.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.setDefaultAssertionTimeout;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.microsoft.playwright.APIRequestContext;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.support.TypeBasedParameterResolver;
import toystore.e2e.StoreFixture;
import toystore.store.StoreApplication;

/// A store in this JVM and a browser, which all tests of its pages share, because each takes
/// seconds to start. Passwords are hashed quickly. One thread.
final class BrowserFixture {
  static final String TOKEN = "a-token-for-tests";

  private static final Pattern REFUSAL = Pattern.compile(".*status of 4\\d\\d.*");

  private final List<String> complaints = new ArrayList<>();
  private final List<BrowserContext> contexts = new ArrayList<>();
  private final Chromium chromium;
  private boolean expectsRefusals;

  /// The address of the start page.
  final String home;

  /// Sends requests without a browser.
  final APIRequestContext api;

  private BrowserFixture(Chromium chromium) {
    this.chromium = chromium;
    setDefaultAssertionTimeout(20_000); // CI machines are busy
    StoreApplication store =
        StoreFixture.starting(
                Path.of(System.getProperty("java.io.tmpdir"), "browser-" + UUID.randomUUID()),
                "--toystore.admin-token=" + TOKEN,
                "--toystore.account.bcrypt-strength=4")
            .store();
    home = "http://127.0.0.1:" + store.port("local.server.port") + "/";
    api = chromium.request();
  }

  /// Passes the fixture to the constructors of tests. It lasts until the JVM ends, because Surefire
  /// starts a JUnit run for each class. Skips the tests if there is no Chromium. Closes the pages
  /// of each test.
  static final class Shared extends TypeBasedParameterResolver<BrowserFixture>
      implements AfterEachCallback {
    private static @Nullable BrowserFixture opened;

    @Override
    public BrowserFixture resolveParameter(ParameterContext parameter, ExtensionContext context) {
      if (opened == null) {
        opened = new BrowserFixture(Chromium.open().orElseGet(() -> abort("no chromium")));
      }
      return opened;
    }

    @Override
    public void afterEach(ExtensionContext context) {
      if (opened != null) {
        opened.closePages();
      }
    }
  }

  /// Opens the start page in a new browser context.
  Page visit(boolean script) {
    return visit(new Browser.NewContextOptions().setJavaScriptEnabled(script), "");
  }

  /// Opens a page in a new browser context.
  Page visit(Browser.NewContextOptions options, String path) {
    BrowserContext context = chromium.browser().newContext(options);
    contexts.add(context);
    context.setDefaultTimeout(20_000);
    context.onConsoleMessage(message -> {
      if (message.type().equals("error") || message.type().equals("warning")) {
        complaints.add(message.text());
      }
    });
    context.onWebError(error -> complaints.add(error.error()));
    context.onDialog(dialog -> {
      complaints.add("a dialog: " + dialog.message());
      dialog.dismiss();
    });
    Page page = context.newPage();
    page.navigate(home + path);
    return page;
  }

  /// Accepts complaints of the browser that contain this text.
  void expectComplaint(String text) {
    complaints.removeIf(it -> it.contains(text));
  }

  /// Accepts complaints about the status of refused forms in this test.
  void expectRefusals() {
    expectsRefusals = true;
  }

  /// Closes all pages, and checks that the browser complained of nothing else: no violation of our
  /// Content-Security-Policy and no other error.
  private void closePages() {
    contexts.forEach(BrowserContext::close);
    contexts.clear();
    complaints.removeIf(it -> expectsRefusals && REFUSAL.matcher(it).matches());
    expectsRefusals = false;
    var heard = List.copyOf(complaints);
    complaints.clear();
    assertThat(heard).isEmpty();
  }
}
