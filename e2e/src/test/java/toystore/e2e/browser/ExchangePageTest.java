package toystore.e2e.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static com.microsoft.playwright.assertions.PlaywrightAssertions.setDefaultAssertionTimeout;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import toystore.store.StoreApplication;

/// What buyers and sellers see and do on the exchange's page, with the real services.
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(180)
class ExchangePageTest {
  private static final Pattern REFUSAL = Pattern.compile(".*status of 4\\d\\d.*");

  private final List<String> complaints = new ArrayList<>();
  private final List<BrowserContext> contexts = new ArrayList<>();
  private Chromium chromium;
  private StoreApplication store;
  private String home;

  @BeforeAll
  void open(@TempDir Path data) {
    chromium = Chromium.open().orElseGet(() -> abort("no chromium"));
    setDefaultAssertionTimeout(20_000); // CI machines are busy
    store =
        StoreApplication.start(
            "--toystore.data=" + data,
            "--toystore.frontend.deadline=20s",
            "--toystore.frontend.port=0",
            "--toystore.frontend.management-port=0",
            "--toystore.catalog.port=0",
            "--toystore.order.port=0",
            "--toystore.account.port=0",
            "--toystore.payment.port=0",
            "--toystore.exchange.port=0",
            "--toystore.exchange.xml-port=0");
    home = "http://127.0.0.1:" + store.port("local.server.port") + "/";
  }

  @AfterAll
  void close() {
    if (store != null) {
      store.close();
    }
    if (chromium != null) {
      chromium.close();
    }
  }

  @AfterEach
  void theBrowserComplainedOfRefusalsOnly() {
    contexts.forEach(BrowserContext::close);
    contexts.clear();
    complaints.removeIf(it -> REFUSAL.matcher(it).matches());
    var heard = List.copyOf(complaints);
    complaints.clear();
    assertThat(heard).isEmpty();
  }

  /// The seller's page is never loaded again: depth, trades and the seller's own order change there
  /// when the buyer orders.
  @Test
  void pageIsLive() {
    Page seller = trader("seller", "lea", "0");
    addShares(seller, "LIVE", "10.5");
    placeOrder(seller, "Sell", "LIVE", "10", "12.5");
    assertThat(notice(seller)).hasText("Your order was placed.");
    assertThat(seller.locator("#asks")).hasText("12.5101");
    assertThat(seller.locator("#exchange-own")).containsText("0.5 shares (and 10 reserved)");
    assertThat(seller.locator("#feed-state")).hasText("Live.");
    Page buyer = trader("buyer", "lou", "1000");

    placeOrder(buyer, "Buy", "LIVE", "4", "13");

    assertThat(buyer.locator("#exchange-own")).containsText("4 executed, 0 open");
    assertThat(seller.locator("#asks")).hasText("12.561");
    assertThat(seller.locator("#trades tr")).hasCount(1);
    assertThat(seller.locator("#trades td").first()).hasText("12.5");
    assertThat(seller.locator("#exchange-own")).containsText("4 executed, 6 open");
    assertThat(seller.locator("#own-cash")).hasText("50");

    placeOrder(buyer, "Buy", "LIVE", "1", "11");
    assertThat(seller.locator("#bids")).hasText("1111");
    buyer.getByText(Pattern.compile("Cancel order \\d+")).click();
    assertThat(notice(buyer)).hasText("The rest of the order is canceled.");
    assertThat(seller.locator("#bids tr")).hasCount(0);
  }

  @Test
  void pageWorksWithoutAScript() {
    Page page = trader(visit(false), "seller", "nell", "5");
    addShares(page, "PLAIN", "3");
    placeOrder(page, "Sell", "PLAIN", "3", "2");

    assertThat(page.locator("#asks")).hasText("231");
    assertThat(page.locator("#feed-state")).containsText("Reload the page");
  }

  @Test
  void refusedOrderShowsWhyAndKeepsItsFields() {
    Page page = trader("buyer", "ray", "10");
    addShares(page, "POOR", "0");
    placeOrder(page, "Buy", "POOR", "1", "10.0001");

    assertThat(page.locator(".problem")).containsText("the account has too little cash");
    assertThat(page.locator(".problem")).isFocused();
    assertThat(page.getByLabel("Limit: the price of one share")).hasValue("10.0001");
    assertThat(page.locator("#exchange-own")).containsText("This account has no orders yet.");
    ShopPageTest.check(page, "exchange-refused");
  }

  @ParameterizedTest
  @ValueSource(ints = {320, 1_280})
  void pageFitsItsWidthAndIsAccessible(int width) {
    Page page = visit(true);
    page.setViewportSize(width, 800);
    register(page, "seller", "wim" + width);
    page.locator("header").getByText("Exchange").click();
    ShopPageTest.check(page, "exchange-new-" + width);
    openAccount(page, "1234567890.12345678");
    String symbol = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123" + (width == 320 ? "AB" : "CD");
    addShares(page, symbol, "100000000000000.0001");
    placeOrder(page, "Sell", symbol, "100000.1234", "98765.4321");
    placeOrder(page, "Sell", symbol, "1", "0.0001");
    placeOrder(page, "Buy", symbol, "0.5", "1");
    assertThat(page.locator("#trades tr")).hasCount(1);
    assertThat(page.locator("#feed-state")).hasText("Live.");
    ShopPageTest.check(page, "exchange-" + width);
  }

  private Page trader(String role, String name, String cash) {
    return trader(visit(true), role, name, cash);
  }

  private Page trader(Page page, String role, String name, String cash) {
    register(page, role, name);
    page.locator("header").getByText("Exchange").click();
    openAccount(page, cash);
    return page;
  }

  private Page visit(boolean script) {
    BrowserContext context =
        chromium.browser().newContext(new Browser.NewContextOptions().setJavaScriptEnabled(script));
    contexts.add(context);
    context.setDefaultTimeout(20_000);
    context.onConsoleMessage(message -> {
      if (message.type().equals("error") || message.type().equals("warning")) {
        complaints.add(message.text());
      }
    });
    context.onWebError(error -> complaints.add(error.error()));
    return context.newPage();
  }

  private void register(Page page, String role, String name) {
    page.navigate(home + "market/register");
    page.getByLabel(role.equals("seller") ? "Seller" : "Buyer").check();
    page.getByLabel("Username").fill(name);
    page.getByLabel("Password").fill("correct horse");
    press(page, "Register");
    assertThat(page.locator("h1")).hasText(role.equals("seller") ? "My items" : "Find items");
  }

  private static void openAccount(Page page, String cash) {
    page.getByLabel("Cash").fill(cash);
    press(page, "Open account");
    assertThat(notice(page)).hasText("Your account is open.");
  }

  private static void addShares(Page page, String symbol, String shares) {
    page.getByLabel("Symbol of the shares").fill(symbol);
    page.getByLabel("Number of shares").fill(shares);
    press(page, "Add shares");
    assertThat(notice(page)).hasText("The shares were added.");
  }

  private static void placeOrder(
      Page page, String side, String symbol, String shares, String limit) {
    page.getByLabel(side).check();
    page.getByLabel("Symbol of the order").fill(symbol);
    page.getByLabel("Shares", new Page.GetByLabelOptions().setExact(true)).fill(shares);
    page.getByLabel("Limit: the price of one share").fill(limit);
    press(page, "Place order");
  }

  private static void press(Page page, String name) {
    page.locator("main")
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(name).setExact(true))
        .click();
  }

  private static Locator notice(Page page) {
    return page.locator(".note.good");
  }
}
