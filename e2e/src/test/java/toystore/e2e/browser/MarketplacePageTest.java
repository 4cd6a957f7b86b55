package toystore.e2e.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import toystore.clients.MarketplaceClient;

/// What buyers and sellers see and do in the marketplace, with the real services. The browser's
/// console may only contain the statuses of refused forms.
@Tag("long")
@ExtendWith(BrowserFixture.Shared.class)
class MarketplacePageTest {
  private static final String PASSWORD = "correct horse";

  private final BrowserFixture browser;
  private final String home;

  MarketplacePageTest(BrowserFixture browser) {
    this.browser = browser;
    this.home = browser.home;
    browser.expectRefusals();
  }

  /// Without a script, only the key makes a double click one purchase.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void itemIsListedFoundSavedBoughtOnceAndRated(boolean script) {
    int category = script ? 3 : 4;
    String keyword = script ? "Kašpárek" : "בובה";
    Page seller = browser.visit(script);
    seller.getByText("Marketplace").click();
    assertThat(seller.locator("h1")).hasText("Log in");
    register(seller, "seller", "sam" + category);
    addItem(seller, "Brick castle", category, "lego " + keyword, "12.50", 5);
    Page buyer = browser.visit(script);
    register(buyer, "buyer", "ann" + category);
    buyer.getByLabel("Keywords").fill(keyword.toUpperCase(Locale.ROOT) + ", moat");
    assertThat(buyer.getByLabel("Category")).hasValue(""); // all
    press(buyer, "Search");
    assertThat(buyer).hasURL(Pattern.compile(".*\\?keywords=.+&category="));
    assertThat(buyer.locator(".toy")).hasCount(1);
    buyer.getByText("Brick castle").click();
    buyer.getByLabel("Quantity").fill("2");
    press(buyer, "Add to cart");
    assertThat(notice(buyer)).hasText("Added to your cart.");
    assertThat(buyer.locator(".lines")).containsText("2 × €12.50, not saved");

    press(buyer, "Save cart");
    assertThat(buyer.locator(".lines")).containsText("2 × €12.50, saved");
    press(buyer, "Log out");
    assertThat(notice(buyer)).hasText("You are logged out.");
    logIn(buyer, "ann" + category, PASSWORD);
    buyer.locator("nav.market").getByText("Cart").click();
    assertThat(buyer.locator(".lines")).containsText("2 × €12.50, saved");
    buyer.getByText("Check out").click();
    fillCard(buyer, MarketplaceClient.GOOD_CARD);
    button(buyer, "Pay €25.00").dblclick();

    assertThat(notice(buyer)).hasText("Thank you! Your purchase is complete.");
    assertThat(buyer.locator(".lines li")).hasCount(1);
    assertThat(buyer.locator(".lines")).containsText("2 × €12.50 = €25.00");
    assertThat(buyer.locator(".slip .price")).hasText("Total €25.00");
    assertThat(buyer.locator("#items-purchased")).hasText("2");
    assertThat(buyer.locator(".receipt")).containsText("paid by card, payment ");
    button(buyer, "Good rating for Brick castle").click();
    assertThat(notice(buyer)).hasText("Thank you for your feedback.");
    buyer.locator("nav.market").getByText("Cart").click();
    assertThat(buyer.locator("main")).containsText("Your cart is empty.");
    seller.reload();
    assertThat(seller.locator("strong.thumbs")).hasText("1 up, 0 down");
    assertThat(seller.locator("#items-sold")).hasText("2");
    assertThat(seller.locator(".toy")).containsText("2 sold");
    assertThat(seller.locator(".toy .thumbs")).hasText("1 up, 0 down");
    assertThat(seller.locator(".toy .stock")).hasText("3 in stock");
  }

  @Test
  void refusedPurchaseShowsWhyAndLeavesTheCart() {
    Page seller = browser.visit(true);
    register(seller, "seller", "sue");
    addItem(seller, "Kite", 5, "air", "10.00", 2);
    Page buyer = browser.visit(true);
    register(buyer, "buyer", "bob");
    fillCart(buyer, "Kite", 5, 2);
    buyer.getByText("Check out").click();

    pay(buyer, MarketplaceClient.DECLINED_CARD);
    assertThat(problem(buyer)).containsText("Your card was declined. Nothing was charged");
    assertThat(problem(buyer)).isFocused();
    assertThat(buyer.getByLabel("Card number")).hasValue("");
    assertThat(buyer.locator("main .price")).containsText("€20.00");
    ShopPageTest.check(buyer, "market-declined");

    seller.getByLabel("New price of Kite").fill("11");
    press(seller, "Change price of Kite");
    assertThat(seller.locator(".toy .price")).containsText("€11.00");
    pay(buyer, MarketplaceClient.GOOD_CARD);
    assertThat(problem(buyer)).containsText("A price has changed");
    assertThat(buyer.locator("main .price")).containsText("€20.00");
    assertThat(buyer.locator(".lines")).containsText("2 × €10.00");
    assertThat(buyer.locator(".lines")).containsText("now €11.00");
    ShopPageTest.check(buyer, "market-price-changed");
    press(buyer, "Accept €11.00");
    assertThat(notice(buyer)).hasText("Your cart has the new price.");
    assertThat(buyer.locator("main .price")).containsText("€22.00");

    press(seller, "Remove units of Kite");
    assertThat(seller.locator(".toy .stock")).hasText("1 in stock");
    pay(buyer, MarketplaceClient.GOOD_CARD);
    assertThat(problem(buyer)).containsText("There is not enough left");

    buyer.getByText("Back to the cart").click();
    buyer.getByLabel("Units of Kite to remove").fill("1");
    press(buyer, "Remove Kite");
    buyer.getByText("Check out").click();
    pay(buyer, MarketplaceClient.GOOD_CARD);
    assertThat(notice(buyer)).hasText("Thank you! Your purchase is complete.");
  }

  @Test
  void purchaseWhoseAnswerIsLostIsMadeOnce() {
    Page seller = browser.visit(true);
    register(seller, "seller", "sid");
    addItem(seller, "Drum", 9, "loud", "10.00", 2);
    Page buyer = browser.visit(true);
    register(buyer, "buyer", "bea");
    fillCart(buyer, "Drum", 9, 1);
    buyer.getByText("Check out").click();
    fillCard(buyer, MarketplaceClient.GOOD_CARD);
    String key = buyer.locator("main > form input[name=key]").inputValue();
    buyer.route(
        home + "market/checkout",
        route -> {
          if (route.request().method().equals("POST")) {
            route.fetch();
            route.fulfill(new Route.FulfillOptions().setStatus(204));
          } else {
            route.resume();
          }
        });

    button(buyer, "Pay €10.00").click(); // 204: the page stays
    buyer.unroute(home + "market/checkout");
    assertThat(buyer.locator("main > form input[name=key]")).hasValue(key);
    assertThat(buyer.locator("main > form")).not().hasAttribute("data-sent", "yes");
    button(buyer, "Pay €10.00").click();

    assertThat(notice(buyer)).hasText("Thank you! Your purchase is complete.");
    assertThat(buyer.locator(".lines li")).hasCount(1);
  }

  @Test
  void wrongPasswordShowsAMessageAndNoPassword() {
    Page page = browser.visit(true);
    register(page, "buyer", "cat");
    press(page, "Log out");

    logIn(page, "cat", "wrong");

    assertThat(problem(page)).hasText("The username or the password is wrong.");
    assertThat(problem(page)).isFocused();
    assertThat(page.getByLabel("Username")).hasValue("cat");
    assertThat(page.getByLabel("Password")).hasValue("");
    page.getByLabel("Password").fill(PASSWORD);
    button(page, "Log in").click();
    assertThat(page.locator("h1")).hasText("Find items");
  }

  /// The order of price and quantity must not depend on the script of a name.
  @Test
  void nameInARightToLeftScriptKeepsItsPlace() {
    Page seller = browser.visit(true);
    register(seller, "seller", "hanna");
    addItem(seller, "צעצוע 7", 7, "", "3.50", 9);
    Page buyer = browser.visit(true);
    register(buyer, "buyer", "jan");
    fillCart(buyer, "צעצוע 7", 7, 5);

    double name = left(buyer.locator(".lines a bdi"));
    assertThat(left(buyer.locator(".lines .category"))).isGreaterThan(name);
    ShopPageTest.check(buyer, "market-right-to-left");
  }

  private static double left(Locator element) {
    return element.boundingBox().x;
  }

  @ParameterizedTest
  @ValueSource(ints = {320, 1_280})
  void everyPageFitsItsWidth(int width) {
    String name = "Unbrokenwordof26charactersx " + width;
    int category = width == 320 ? 10 : 11;
    Page page = browser.visit(true);
    page.setViewportSize(width, 800);
    page.navigate(home + "market/register");
    check(page, "register", width);
    register(page, "seller", "gus" + width);
    check(page, "no-items", width);
    addItem(page, name, category, "one two three four five", "123456789.99", 2_000_000_000);
    check(page, "selling", width);
    addItem(page, "Gone", category, "", "1", 1);
    press(page, "Remove units of Gone");
    assertThat(page.locator(".stock").last()).hasText("sold out");
    press(page, "Log out");
    check(page, "login", width);
    logIn(page, "gus" + width, "wrong");
    assertThat(problem(page)).isVisible();
    check(page, "wrong-password", width);
    register(page, "buyer", "gil" + width);
    check(page, "search", width);
    fillCart(page, name, category, 1_000_000_000);
    check(page, "cart", width);
    page.getByText("Check out").click();
    check(page, "checkout", width);
    page.navigate(home + "market?category=" + category);
    check(page, "found", width);
    page.getByText(name).click();
    check(page, "item", width);
    page.navigate(home + "market/cart");
    press(page, "Clear cart");
    check(page, "cart-cleared", width);
    fillCart(page, name, category, 3);
    page.getByText("Check out").click();
    pay(page, MarketplaceClient.GOOD_CARD);
    assertThat(notice(page)).isVisible();
    check(page, "purchases", width);
    page.navigate(home + "market/selling");
    check(page, "other-role", width);
  }

  private static void check(Page page, String name, int width) {
    ShopPageTest.check(page, "market-" + name + "-" + width);
  }

  private void register(Page page, String role, String name) {
    register(page, home, role, name);
  }

  /// @param home the address of the start page
  static void register(Page page, String home, String role, String name) {
    page.navigate(home + "market/register");
    page.getByLabel(role.equals("seller") ? "Seller" : "Buyer").check();
    page.getByLabel("Username").fill(name);
    page.getByLabel("Password").fill(PASSWORD);
    press(page, "Register");
    assertThat(page.locator("h1")).hasText(role.equals("seller") ? "My items" : "Find items");
  }

  private static void logIn(Page page, String name, String password) {
    page.getByLabel("Username").fill(name);
    page.getByLabel("Password").fill(password);
    press(page, "Log in");
  }

  private static void addItem(
      Page page, String name, int category, String keywords, String price, int units) {
    Locator form = page.locator("main > form");
    form.getByLabel("Name").fill(name);
    form.getByLabel("Category").selectOption("" + category);
    form.getByLabel("Keywords").fill(keywords);
    form.getByLabel("used").check();
    form.getByLabel("Price in euros").fill(price);
    form.getByLabel("Units").fill("" + units);
    press(page, "Add item");
    assertThat(notice(page)).hasText("The item is on sale.");
    assertThat(page.locator(".toys")).containsText(name);
  }

  private void fillCart(Page page, String item, int category, int units) {
    page.navigate(home + "market?category=" + category);
    page.getByText(item).click();
    page.getByLabel("Quantity").fill("" + units);
    press(page, "Add to cart");
    assertThat(page.locator("h1")).hasText("Cart");
  }

  private static void pay(Page page, String number) {
    fillCard(page, number);
    page.locator("main > form button").click();
  }

  private static void fillCard(Page page, String number) {
    page.getByLabel("Name on the card").fill("Holda Bear");
    page.getByLabel("Card number").fill(number.replaceAll("(\\d{4})(?=\\d)", "$1 "));
    page.getByLabel("Expires").fill("12/31");
    page.getByLabel("Security code").fill("123");
  }

  static void press(Page page, String name) {
    button(page, name).click();
  }

  private static Locator button(Page page, String name) {
    return page.locator("main")
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(name).setExact(true));
  }

  static Locator notice(Page page) {
    return page.locator(".note.good");
  }

  private static Locator problem(Page page) {
    return page.locator(".problem");
  }
}
