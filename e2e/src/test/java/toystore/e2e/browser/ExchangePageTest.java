package toystore.e2e.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static toystore.e2e.browser.MarketplacePageTest.notice;
import static toystore.e2e.browser.MarketplacePageTest.press;

import com.microsoft.playwright.Page;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What buyers and sellers see and do on the exchange's page, with the real services.
@Tag("long")
@ExtendWith(BrowserFixture.Shared.class)
class ExchangePageTest {

  private final BrowserFixture browser;
  private final String home;

  ExchangePageTest(BrowserFixture browser) {
    this.browser = browser;
    this.home = browser.home;
    browser.expectRefusals();
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
    assertThat(seller.locator("#prices-title")).hasText("The only trade");
    assertThat(seller.locator("#depth .asks")).isVisible();
    assertThat(seller.locator("#trades td").first()).hasText("12.5");
    assertThat(seller.locator("#exchange-own")).containsText("4 executed, 6 open");
    assertThat(seller.locator("#own-cash")).hasText("50");

    placeOrder(buyer, "Buy", "LIVE", "1", "11");
    assertThat(seller.locator("#bids")).hasText("1111");
    assertThat(seller.locator("#depth .bids")).isVisible();
    buyer.getByText(Pattern.compile("Cancel order \\d+")).click();
    assertThat(notice(buyer)).hasText("The rest of the order is canceled.");
    assertThat(seller.locator("#bids tr")).hasCount(0);
  }

  @Test
  void pageWorksWithoutAScript() {
    Page page = trader(browser.visit(false), "seller", "nell", "5");
    addShares(page, "PLAIN", "3");
    placeOrder(page, "Sell", "PLAIN", "3", "2");

    assertThat(page.locator("#asks")).hasText("231");
    assertThat(page.locator("#feed-state")).containsText("Reload the page");
  }

  @ParameterizedTest
  @ValueSource(ints = {320, 1_280})
  void pageFitsItsWidthAndIsAccessible(int width) {
    Page page = browser.visit(true);
    page.setViewportSize(width, 800);
    MarketplacePageTest.register(page, home, "seller", "wim" + width);
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
    return trader(browser.visit(true), role, name, cash);
  }

  private Page trader(Page page, String role, String name, String cash) {
    MarketplacePageTest.register(page, home, role, name);
    page.locator("header").getByText("Exchange").click();
    openAccount(page, cash);
    return page;
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
}
