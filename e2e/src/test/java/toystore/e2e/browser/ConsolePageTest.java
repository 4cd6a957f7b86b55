package toystore.e2e.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static com.microsoft.playwright.assertions.PlaywrightAssertions.setDefaultAssertionTimeout;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import toystore.clients.FreePorts;
import toystore.clients.Project;

/// What an operator sees and does on the console of a real `./toystore up`. With
/// `-Dtoystore.pictures=true` it also writes the README's pictures.
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // the fields are set before the tests, and by open
class ConsolePageTest {
  private static final Path PICTURES = Path.of("../docs/pictures");
  private static final Path FOLDER = Path.of("target/console").toAbsolutePath();
  private static final double PATIENCE_MILLIS = 180_000;

  private final List<String> complaints = new ArrayList<>();
  private Chromium chromium;
  private LauncherProcess launcher;
  private String address;
  private Page page;

  @BeforeAll
  void start() throws IOException {
    Project.remove(FOLDER);
    chromium = Chromium.open().orElseGet(() -> abort("no chromium"));
    launcher = new LauncherProcess(FOLDER, FreePorts.store());
    address = launcher.awaitConsole();
    setDefaultAssertionTimeout(PATIENCE_MILLIS);
  }

  @AfterAll
  void stopsWithTheStore() throws InterruptedException {
    setDefaultAssertionTimeout(20_000); // that of the other tests
    if (launcher != null) {
      int exitCode = launcher.stop();
      launcher.close();
      chromium.close();
      assertThat(exitCode).isZero();
    }
  }

  @AfterEach
  void browserComplainedOfNothing() {
    if (page.locator("#stop").isEnabled()) {
      press("Stop"); // the next test has no load
      assertThat(page.locator("#stop")).isDisabled();
    }
    page.context().close();
    assertThat(complaints).isEmpty();
  }

  @Test
  void killOfTheCatalogIsSeenAndAllPromisesHold() {
    open(ColorScheme.LIGHT, 1_280, address);
    assertThat(page.locator(".process")).hasCount(6);
    assertThat(page.locator(".process.ready")).hasCount(6);
    assertThat(page.locator("#lines path")).hasCount(8);
    page.getByLabel("Clients").fill("4");
    pictureOfTheShop();
    press("Start");
    assertThat(page.locator("#load-state"))
        .hasText(Pattern.compile("4 clients\\. queries: .* correct.*; buys: [1-9]\\d+ correct.*"));
    ShopPageTest.check(page, "console-load");

    Locator result = inject("kill", "catalog-service");

    Locator catalog = page.locator("[data-process=catalog-service]");
    assertThat(catalog.locator(".state")).containsText(Pattern.compile("down|starting"));
    assertThat(result).containsText(Pattern.compile("failed: .*status 50[34]"));
    pictureOfTheConsole();
    ShopPageTest.check(page, "console-fault");
    assertThat(result).containsText("observed.");
    assertThat(result)
        .containsText(Pattern.compile("Queries: longest time without an answer [1-9].* s"));
    assertThat(result).containsText(Pattern.compile("✓ held recovery: after \\d+\\.\\d s"));
    assertThat(result.locator(".held")).hasCount(4);
    assertThat(result)
        .containsText(Pattern.compile("✓ held orders: \\d+ acknowledged .* read back"));
    assertThat(result).containsText("✓ held audit: all");
    assertThat(catalog).containsText("restarts 1");
    press("Full audit");
    assertThat(page.locator("#audit-result")).containsText("Full audit: ok");
  }

  @Test
  void fullDiskOfTheCatalogRefusesBuysAndAnswersQueries() {
    open(ColorScheme.LIGHT, 1_280, address);
    Locator result = inject("full-disk", "catalog-service");

    assertThat(result).containsText(Pattern.compile("Buys: .* failed: \\d+ × status 503"));
    assertThat(page.locator("[data-process=catalog-service] .state"))
        .containsText("✕ cannot write");
    press("End the fault");

    assertThat(result).containsText("observed.");
    assertThat(result.locator(".held")).hasCount(5);
    assertThat(result).containsText(Pattern.compile("✓ held queries: [\\d,.]+ answered, 0 failed"));
    assertThat(result).containsText("✓ held audit: all");
    assertThat(page.locator("[data-process=catalog-service]")).hasClass("process ready");
  }

  @Test
  void cutBetweenFrontendAndAccountServiceLosesNoPurchase() {
    open(ColorScheme.LIGHT, 390, address);
    assertThat(page.locator("#peer")).isHidden();
    page.locator("#fault").selectOption("cut");
    page.locator("#process").selectOption("frontend-service");
    page.locator("#peer").selectOption("account");
    ShopPageTest.check(page, "console-cut-390");
    Locator result = inject("cut", "frontend-service");

    assertThat(result).containsText("cut frontend-service to account");
    assertThat(result).containsText(Pattern.compile("Purchases: .* failed: .*status 503"));
    assertThat(page.locator("#lines path.cut"))
        .hasAttribute("data-edge", "frontend-service account-service");
    assertThat(page.locator("[data-process=frontend-service] .calls"))
        .containsText(Pattern.compile("→ account [\\d.,]+/s, [\\d.,]+ failed ✕ cut"));
    ShopPageTest.check(page, "console-cut-edge-390");
    press("End the fault");

    assertThat(result).containsText("observed.");
    assertThat(result.locator(".held")).hasCount(3);
    assertThat(result).containsText("✓ held audit: all");
  }

  @Test
  void faultIsReportedForTheLoadThatItBeganIn() {
    open(ColorScheme.LIGHT, 1_280, address);
    press("Start");
    assertThat(page.locator("#load-state")).hasText(Pattern.compile(".*buys: [1-9].*"));
    page.locator("#fault").selectOption("cut");
    page.locator("#process").selectOption("order-service");
    page.locator("#peer").selectOption("payment");
    press("Inject");
    Locator result = page.locator("#fault-result");
    assertThat(result).containsText(Pattern.compile("Buys: .* [1-9]\\d* answered"));

    press("Start");

    assertThat(result).containsText("Its load ended before the fault was observed");
    press("End the fault");
    assertThat(result).containsText("observed.");
    assertThat(result)
        .containsText("– not tried responses: no call of order-service to payment was made");
    assertThat(result).not().containsText(Pattern.compile("-\\d+ answered"));
  }

  @Test
  void sweepIsShownBesideThePublishedFigures() {
    open(ColorScheme.DARK, 390, address);

    press("Sweep: 1 to 5 clients");

    assertThat(page.locator("#sweep-state")).hasText("done");
    Locator rows = page.locator("#sweep-table tbody tr");
    assertThat(rows).hasCount(7);
    assertThat(rows.first()).hasText(Pattern.compile("query, here(\\d[\\d.,]* ms){5}"));
    assertThat(rows.nth(1)).hasText(Pattern.compile("buy, here(\\d[\\d.,]* ms){5}"));
    assertThat(rows.nth(2)).hasText("query, remote (published)19 ms20 ms21 ms22 ms23 ms");
    assertThat(page.locator("#sweep-charts canvas")).hasCount(2);
    ShopPageTest.check(page, "console-sweep-390-dark");
  }

  @Test
  void processShowsItsLogAndSettings() {
    open(ColorScheme.LIGHT, 390, address);

    page.getByText("order-service", new Page.GetByTextOptions().setExact(true)).first().click();

    assertThat(page.locator("#log"))
        .containsText(Pattern.compile("order-service \\S+, data in .*order\\.db, gRPC port \\d+"));
    assertThat(page.locator("#log")).containsText(Pattern.compile("ready in \\d+\\.\\d s"));
    assertThat(page.locator("#log")).not().containsText("Failed to introspect");
    assertThat(page.locator("#settings")).containsText("toystore.order.catalog-target");
    ShopPageTest.check(page, "console-details-390");
    press("Close");
    assertThat(page.locator("#details")).isHidden();
  }

  @Test
  void pageWithoutTheTokenSaysWhatIsMissing() {
    open(ColorScheme.LIGHT, 1_280, address.replaceAll("#.*", ""));

    assertThat(page.locator("#problem")).containsText("the part after # is missing");
    assertThat(page.locator(".process")).hasCount(0);
  }

  /// As in GitHub Codespaces. The interception stands for the proxy, which sends localhost as
  /// `Host` and `Origin`.
  @Test
  void buttonsAndTheLinkToTheShopWorkBehindAForwardingProxy() {
    URI local = URI.create(address);
    String shown = "https://toys-" + local.getPort() + ".app.github.dev/";
    open(ColorScheme.LIGHT, 1_280, "about:blank");
    page.route(
        shown + "**",
        route -> {
          var headers = new HashMap<>(route.request().headers());
          headers.replace("origin", "https://localhost:" + local.getPort());
          headers.put("sec-fetch-site", "same-origin");
          String url = route.request().url().replace(shown, local.resolve("/").toString());
          var sent = new Route.FetchOptions().setUrl(url).setHeaders(headers);
          route.fulfill(new Route.FulfillOptions().setResponse(route.fetch(sent)));
        });
    page.navigate(shown + "#" + local.getFragment());
    press("Start");

    assertThat(page.locator("#load-state")).hasText(Pattern.compile(".*buys: [1-9].*"));
    assertThat(page.locator("#shop"))
        .hasAttribute("href", "https://toys-" + (local.getPort() + 1) + ".app.github.dev");
  }

  /// @return where the page says what it sees
  private Locator inject(String fault, String process) {
    page.locator("#fault").selectOption(fault);
    page.locator("#process").selectOption(process);
    press("Inject");
    return page.locator("#fault-result");
  }

  private void open(ColorScheme scheme, int width, String url) {
    complaints.clear();
    page =
        chromium
            .browser()
            .newContext(
                new Browser.NewContextOptions().setColorScheme(scheme).setViewportSize(width, 900))
            .newPage();
    page.setDefaultTimeout(PATIENCE_MILLIS);
    page.onConsoleMessage(message -> complaints.add(message.text()));
    page.onPageError(complaints::add);
    page.navigate(url);
  }

  private void press(String button) {
    page.getByText(button, new Page.GetByTextOptions().setExact(true)).click();
  }

  private void pictureOfTheShop() {
    if (Boolean.getBoolean("toystore.pictures")) {
      Page shop = page.context().newPage();
      shop.navigate(page.locator("#shop").getAttribute("href"));
      shop.screenshot(new Page.ScreenshotOptions().setPath(PICTURES.resolve("shop.png")));
      shop.close();
    }
  }

  /// The picture shows that nothing is answered.
  private void pictureOfTheConsole() {
    if (Boolean.getBoolean("toystore.pictures")) {
      assertThat(page.locator("#fault-result"))
          .containsText(
              Pattern.compile("Queries: longest time without an answer ([3-9]|\\d\\d)\\."));
      page.screenshot(
          new Page.ScreenshotOptions().setPath(PICTURES.resolve("console.png")).setFullPage(true));
    }
  }
}
