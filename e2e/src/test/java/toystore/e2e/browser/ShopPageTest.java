package toystore.e2e.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;

import com.deque.html.axecore.args.AxeRunOptions;
import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.PlaywrightException;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.BoundingBox;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.FormData;
import com.microsoft.playwright.options.ReducedMotion;
import com.microsoft.playwright.options.RequestOptions;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpHandlers;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import toystore.e2e.StoreFixture;

/// What customers see and do. Screenshots are in `target/screenshots`.
@Tag("long")
@ExtendWith(BrowserFixture.Shared.class)
class ShopPageTest {
  private static final Path SCREENSHOTS = Path.of("target/screenshots");
  private static final Pattern ORDER = Pattern.compile("Order (\\d+) placed");

  private final BrowserFixture browser;
  private final String home;

  ShopPageTest(BrowserFixture browser) {
    this.browser = browser;
    this.home = browser.home;
  }

  @Test
  void productsAreShownWithPriceAndStock() {
    Page page = browser.visit(asUsual(), "");

    assertThat(page.locator("h1")).hasCount(1);
    assertThat(page.locator(".toy")).hasCount(24);
    assertThat(card(page, "Bath Duck")).containsText("€4.95");
    assertThat(card(page, "Bath Duck").locator(".stock")).containsText("in stock");
    check(page, "toys-light");
    assertThat(page.locator("#count")).hasText(Pattern.compile("\\d+ results, page 1 of \\d+"));
    page.getByText("Next page").click();
    assertThat(page.locator("#count")).containsText("page 2 of");
    page.getByText("Previous page").click();
    assertThat(page.locator("#count")).containsText("page 1 of");
    card(page, "Bath Duck").locator("h2 a").click();
    assertThat(page.locator("h1")).hasText("Bath Duck");
  }

  @Test
  void searchUpdatesWhileTyping() {
    Page page = browser.visit(asUsual(), "");

    page.getByLabel("Words").pressSequentially("hedgeh");

    assertThat(page.locator(".toy")).hasCount(1);
    assertThat(page.locator(".toy h2")).hasText("Hedgehog");
    assertThat(page.getByLabel("Words")).isFocused();
    assertThat(page.locator("#count")).hasText("1 result");
    assertThat(page).hasURL(Pattern.compile(".*\\?q=hedgeh&category="));
    page.getByLabel("Words").fill("");
    page.getByLabel("Category").selectOption("Puzzles");
    assertThat(page.locator(".toy h2").first()).hasText("Burr Puzzle");
    check(page, "search");
    page.getByLabel("Words").fill("no such toy anywhere");
    assertThat(page.locator("#results")).containsText("No toys match your search.");
    check(page, "nothing-found");
  }

  @Test
  void purchaseShowsOrderNumberAndNewStockInPlace() {
    Page page = browser.visit(asUsual(), "?q=Whale");
    page.evaluate("window.stayed = true");
    int stock = stock("Whale");
    Locator whale = card(page, "Whale");

    button(whale).click();

    assertThat(whale.locator(".note")).hasText(ORDER);
    assertThat(whale.locator(".note")).isFocused();
    assertThat(whale.locator(".stock")).hasText(stock - 1 + " in stock");
    assertThat(page.locator("#news[role=status]"))
        .hasText(Pattern.compile("Whale: Order \\d+ placed, total €34.99, .* in stock"));
    assertThat(page.evaluate("window.stayed")).isEqualTo(true);
    assertThat(stock("Whale")).isEqualTo(stock - 1);
    check(page, "bought");
    String order = number(whale);
    whale.getByText("See order").click();
    assertThat(page.locator("h1")).hasText("Order " + order);
    assertThat(page.locator("table")).containsText("Whale");
    check(page, "order");
  }

  @Test
  void secondButtonMakesSecondPurchase() {
    Page page = browser.visit(asUsual(), "?q=Elephant");
    int stock = stock("Elephant");
    Locator elephant = card(page, "Elephant");

    button(elephant).click();
    String first = number(elephant);
    elephant.getByText("Buy another").click();
    assertThat(elephant.locator(".note")).not().containsText("Order " + first + " placed");
    String second = number(elephant);

    assertThat(stock("Elephant")).isEqualTo(stock - 2);
    page.reload();
    assertThat(page.locator("h1")).hasText("Order " + second);
    assertThat(page.locator("tfoot")).containsText("€29.99");
    page.goBack();
    assertThat(page.locator("h1")).hasText("Order " + first);
  }

  @Test
  void doubleClickBuysOnce() {
    Page page = browser.visit(asUsual(), "?q=Dolphin");
    int stock = stock("Dolphin");
    Locator dolphin = card(page, "Dolphin");

    button(dolphin).dblclick();

    number(dolphin);
    assertThat(stock("Dolphin")).isEqualTo(stock - 1);
  }

  /// The second click hits the element that replaced the button.
  @Test
  void slowDoubleClickBuysOnce() {
    Page page = browser.visit(asUsual(), "?q=Octopus");
    int stock = stock("Octopus");
    Locator octopus = card(page, "Octopus");
    BoundingBox box = button(octopus).boundingBox();
    double x = box.x + box.width / 2;
    double y = box.y + box.height / 2;

    page.mouse().click(x, y);
    String order = number(octopus);
    page.mouse().click(x, y);
    page.mouse().dblclick(x, y);
    page.keyboard().press("Enter");
    page.keyboard().press("Space");
    page.reload();

    assertThat(stock("Octopus")).isEqualTo(stock - 1);
    assertThat(page).hasURL(home + "find?number=" + order);
    assertThat(page.locator("h1")).hasText("Order " + order);
  }

  @Test
  void pageWorksWithoutJavaScript() {
    Page page = browser.visit(asUsual().setJavaScriptEnabled(false), "");
    page.getByLabel("Words").fill("teddy bears");
    page.getByText("Search", exactly()).click();
    assertThat(page.locator(".toy h2")).hasText("Teddy Bear");
    int stock = stock("Teddy Bear");
    card(page, "Teddy Bear").locator("h2 a").click();
    assertThat(page).hasTitle("Teddy Bear – Toystore");
    page.navigate(page.url() + "?quantity=2"); // the link of the button in <noscript>
    assertThat(page.locator(".total")).hasText("€55.00");
    String key = page.locator("input[name=key]").getAttribute("value");
    String price = page.locator("input[name=price]").getAttribute("value");

    button(page.locator(".toy")).dblclick();

    assertThat(page).hasURL(Pattern.compile(".*/find\\?number=\\d+"));
    assertThat(page.locator("table")).containsText("Teddy Bear");
    assertThat(page.locator("tfoot")).containsText("€55.00");
    assertThat(stock("Teddy Bear")).isEqualTo(stock - 2);
    APIResponse again =
        browser.api.post(
            home + "buy",
            RequestOptions.create()
                .setForm(
                    FormData.create()
                        .set("key", key)
                        .set("name", "Teddy Bear")
                        .set("price", price)
                        .set("quantity", "2")));
    assertThat(again.url()).isEqualTo(page.url());
    assertThat(stock("Teddy Bear")).isEqualTo(stock - 2);
    page.reload();
    page.getByText("Back to the toys").click();
    assertThat(page.locator(".toy")).hasCount(24);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void soldOutProductShowsRefusalMessage(boolean script) {
    String name = "Last Panda " + script;
    add(name, 1);
    Page page = browser.visit(asUsual().setJavaScriptEnabled(script), "?q=panda+" + script);
    Page other = page.context().newPage();
    other.navigate(home + "?q=panda+" + script);
    button(card(other, name)).click();
    assertThat(other.locator("body")).containsText(Pattern.compile("Order \\d+"));

    button(card(page, name)).click();

    assertThat(page.locator(".note")).hasText("Sorry, it has just been sold out.");
    assertThat(button(card(page, name))).isDisabled();
    assertThat(page.locator(".stock")).hasText("sold out");
    if (script) { // axe is a script too
      check(page, "sold-out");
    } else {
      picture(page, "sold-out-without-script");
    }
    browser.expectComplaint("409");
  }

  /// Without a script, only the key makes a double click one order.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void basketIsOneOrder(boolean script) {
    Page page =
        browser.visit(
            asUsual()
                .setViewportSize(390, 844)
                .setColorScheme(script ? ColorScheme.DARK : ColorScheme.LIGHT)
                .setJavaScriptEnabled(script),
            "");
    int ludo = stock("Ludo");
    int halma = stock("Halma");
    for (String toy : List.of("Ludo", "Halma")) {
      page.navigate(home + "?q=" + toy);
      card(page, toy).getByText("Add to basket").click();
      if (script) {
        assertThat(page.locator("#news")).hasText(toy + ": 1 in your basket");
        assertThat(card(page, toy).getByText("Add to basket")).isFocused();
      }
    }
    page.locator("header").getByText("Basket").click();
    assertThat(page.locator("#in-basket")).hasText("(2)");
    page.getByLabel("Quantity of Halma").fill("3");
    page.keyboard().press("Enter");
    assertThat(page.locator(".price")).hasText("Total €69.84");
    if (script) { // axe is a script too
      check(page, "basket");
    } else {
      picture(page, "basket-without-script");
    }

    page.getByText("Order all for €69.84").dblclick();

    assertThat(page.locator("h1")).hasText(Pattern.compile("Order \\d+"));
    assertThat(page.locator("tbody tr")).hasCount(2);
    assertThat(page.locator("tfoot")).containsText("€69.84");
    assertThat(page.locator("#in-basket")).hasText("");
    assertThat(stock("Ludo")).isEqualTo(ludo - 1);
    assertThat(stock("Halma")).isEqualTo(halma - 3);
  }

  @Test
  void refusedBasketSaysWhichToyAndStays() {
    add("Last Koala", 1);
    Page page = browser.visit(asUsual(), "?q=koala");
    card(page, "Last Koala").getByText("Add to basket").click();
    assertThat(page.locator("#in-basket")).hasText("(1)");
    page.getByLabel("Words").fill("mancala");
    card(page, "Mancala").getByText("Add to basket").click();
    assertThat(page.locator("#in-basket")).hasText("(2)");
    order("{\"name\":\"Last Koala\",\"quantity\":1}");
    int mancala = stock("Mancala");
    page.locator("header").getByText("Basket").click();

    page.getByText("Order all").click();

    assertThat(page.locator(".problem")).isFocused();
    assertThat(page.locator(".problem")).containsText("\"Last Koala\" has 0 left, 1 wanted");
    assertThat(stock("Mancala")).isEqualTo(mancala);
    check(page, "basket-refused");
    page.getByText("Remove Last Koala").click();
    page.getByText("Order all for €21.99").click();
    assertThat(page.locator("table")).containsText("Mancala");
    browser.expectComplaint("409");
  }

  @Test
  void orderIsFoundByNumber() {
    Page page = browser.visit(asUsual(), "?q=Sloth");
    button(card(page, "Sloth")).click();
    String order = number(card(page, "Sloth"));

    page.locator("#number").fill(order);
    page.locator("#number").press("Enter");
    assertThat(page.locator("h1")).hasText("Order " + order);
    assertThat(page.locator("td").first()).hasText("Sloth");

    page.locator("#number").fill("987654321");
    page.getByText("Find", exactly()).click();
    assertThat(page.locator("[role=alert]")).hasText("There is no order 987654321.");
    check(page, "no-such-order");
    browser.expectComplaint("404");
  }

  @Test
  void quantityUpdatesTheTotal() {
    Page page = browser.visit(asUsual(), "?q=Chess");
    int stock = stock("Chess Set");
    Locator chess = card(page, "Chess Set");
    assertThat(button(chess)).hasText("Buy Chess Set for €45.00");

    page.getByLabel("Quantity of Chess Set").fill("30");
    assertThat(button(chess)).hasText("Buy Chess Set for €1,350.00");
    page.getByLabel("Quantity of Chess Set").fill("0");
    assertThat(button(chess)).hasText("Buy Chess Set for …");
    button(chess).click();
    page.getByLabel("Quantity of Chess Set").fill("3");
    button(chess).click();

    assertThat(chess.locator(".note")).hasText(ORDER);
    assertThat(stock("Chess Set")).isEqualTo(stock - 3);
  }

  @Test
  void stockIsBoughtAndSold() {
    Page page = browser.visit(asUsual(), "products/GameStart");
    int stock = stock("GameStart");
    Locator card = page.locator(".toy");
    assertThat(card.locator(".volume")).hasText("0 of at most 1,000,000 traded");
    page.getByLabel("Quantity of GameStart").fill("5");

    card.locator("button[value=sell]").click();

    assertThat(card.locator(".note")).hasText(Pattern.compile("Trade \\d+: 5 sold"));
    assertThat(card.locator(".note")).isFocused();
    assertThat(card.locator(".volume")).hasText("5 of at most 1,000,000 traded");
    assertThat(stock("GameStart")).isEqualTo(stock + 5);
    card.locator("button[value=buy]").click();
    assertThat(card.locator(".note")).hasText(Pattern.compile("Trade \\d+: 1 bought"));
    assertThat(stock("GameStart")).isEqualTo(stock + 4);
    check(page, "traded");
    page.navigate(home + "products/GameStart");
    assertThat(page.locator(".chart title")).hasText("The last 2 trades");
    page.getByText("Show these trades as a table").click();
    assertThat(page.locator("tbody tr")).hasCount(2);
    check(page, "stock-chart");
    page.navigate(home + "products/GameStart");
    card.locator("button[value=buy]").click();
    card.getByText("See trade").click();
    assertThat(page.locator("h1")).hasText(Pattern.compile("Trade \\d+"));
    assertThat(page.locator(".slip")).containsText("You bought:");
    check(page, "trade");
  }

  @Test
  void startPageFitsEveryWidth() {
    Page page = browser.visit(asUsual(), "?q=bear");
    button(page.locator(".toy").first()).click();
    number(page.locator(".toy").first());
    for (int width = 320; width <= 1_280; width += 20) {
      page.setViewportSize(width, 800);
      assertFitsWidth(page, width + " px");
    }
  }

  /// All kinds of pages. 320 px is the narrowest width that WCAG 2.2 requires (1.4.10 Reflow).
  @ParameterizedTest
  @ValueSource(ints = {320, 1_280})
  void everyPageFitsItsWidth(int width) {
    add("A product with anunbrokenwordoffortysevencharactersinitsname " + width, 1_234_567);
    String order = "orders/" + order("{\"name\":\"Tux\",\"quantity\":2}");
    String trade = "orders/" + order("{\"name\":\"FishCo\",\"quantity\":1000,\"type\":\"sell\"}");
    Page page = browser.visit(asUsual().setViewportSize(width, 800), "");
    var paths =
        new LinkedHashMap<String, String>(
            Map.of(
                "", "Find a toy, take it home",
                "?q=bears&category=&page=1", "Find a toy, take it home",
                "?category=Stocks", "Find a toy, take it home",
                "?q=anunbroken", "Find a toy, take it home",
                "products/Tux?quantity=80", "Tux",
                "products/MenhirCo", "MenhirCo",
                "find", "Find an order",
                "orders/987654321", "Find an order",
                "products/Dodo", "Page not found",
                "no/such/address", "Page not found"));
    paths.put("basket", "Basket");
    paths.put("products/FishCo", "FishCo");
    paths.put(order, "Order " + order.replaceAll("\\D", ""));
    paths.put(trade, "Trade " + trade.replaceAll("\\D", ""));
    paths.forEach((path, heading) -> {
      page.navigate(home + path);
      assertThat(page.locator("h1")).hasText(heading);
      check(page, path.replaceAll("\\W+", "-") + "-" + width);
    });
    page.navigate(home + "?q=Tux");
    button(card(page, "Tux")).click();
    number(card(page, "Tux"));
    check(page, "bought-" + width);
    browser.expectComplaint("404");
  }

  @Test
  void darkModeChangesColours() {
    Page light = browser.visit(asUsual(), "");
    String paper = colour(light, "body", "backgroundColor");
    String ink = colour(light, "body", "color");
    Page dark = browser.visit(asUsual().setColorScheme(ColorScheme.DARK), "?q=bear");

    assertThat(colour(dark, "body", "backgroundColor")).isNotEqualTo(paper);
    assertThat(colour(dark, "body", "color")).isNotEqualTo(ink);
    button(dark.locator(".toy").first()).click();
    number(dark.locator(".toy").first());
    check(dark, "dark-bought");
    dark.navigate(home);
    check(dark, "toys-dark");
    dark.locator("#number").fill("0");
    dark.locator("#number").press("Enter");
    check(dark, "dark-order");
  }

  @Test
  void pageIsUsableByKeyboardOnly() {
    Page page = browser.visit(asUsual(), "?q=Fox");
    int stock = stock("Fox");

    page.keyboard().press("Tab");
    assertThat(page.locator(".skip")).isFocused();
    assertThat(page.locator(".skip")).isInViewport();
    page.keyboard().press("Enter");
    assertThat(page.locator("main")).isFocused();
    for (int tab = 0; tab < 6; tab++) { // words, category, search, product, quantity, buy
      page.keyboard().press("Tab");
    }
    assertThat(button(card(page, "Fox"))).isFocused();
    assertThat(colour(page, ":focus", "outlineStyle")).isEqualTo("solid");
    page.keyboard().press("Enter");

    assertThat(page.locator(".note")).isFocused();
    assertThat(stock("Fox")).isEqualTo(stock - 1);
    page.keyboard().press("Tab");
    page.keyboard().press("Tab");
    assertThat(button(card(page, "Fox"))).isFocused();
    assertThat(button(card(page, "Fox"))).hasText("Buy another Fox for €24.99");
  }

  @Test
  void productNameIsEscapedAsText() {
    String name = "\"Tom\" & 'Jerry' 🧸 <script>alert(1)<img src=x onerror=alert(2)> 100#?&=+";
    add(name, 9);
    Page page = browser.visit(asUsual(), "?q=jerry");

    assertThat(page.locator(".toy h2")).hasText(name);
    button(page.locator(".toy")).click();
    assertThat(page.locator(".note")).hasText(ORDER);
    assertThat(page.locator("#news")).containsText(name);
    page.getByText("See order").click();
    assertThat(page.locator("td").first()).hasText(name);
    check(page, "odd-name");
  }

  @Test
  void unavailableStoreShowsMessageAndButtonKeepsKey() {
    Page page = browser.visit(asUsual(), "?q=Hedgehog");
    int stock = stock("Hedgehog");
    try (ConfigurableApplicationContext alone =
        StoreFixture.startFrontend(
            "--toystore.admin-token=" + BrowserFixture.TOKEN,
            "--toystore.frontend.catalog-target=static://127.0.0.1:1",
            "--toystore.frontend.order-target=static://127.0.0.1:1")) {
      String away =
          "http://127.0.0.1:" + alone.getEnvironment().getProperty("local.server.port") + "/";
      page.route(
          home + "buy",
          route ->
              route.fulfill(
                  new Route.FulfillOptions()
                      .setResponse(
                          route.fetch(
                              new Route.FetchOptions()
                                  .setUrl(away + "buy")
                                  .setHeaders(Map.of("HX-Request", "true"))))));
      String key = page.locator("input[name=key]").getAttribute("value");

      button(card(page, "Hedgehog")).click();

      assertThat(page.locator(".note")).containsText("nothing was bought. Please try again.");
      assertThat(page.locator("input[name=key]")).hasValue(key);
      assertThat(button(card(page, "Hedgehog"))).isFocused();
      assertThat(button(card(page, "Hedgehog"))).containsText("Try again");
      check(page, "away");
      page.unroute(home + "buy");
      page.keyboard().press("Enter");
      assertThat(page.locator(".note")).hasText(ORDER);
      assertThat(stock("Hedgehog")).isEqualTo(stock - 1);

      page.navigate(away);
      assertThat(page.locator("[role=alert]"))
          .hasText("The shop is temporarily unavailable. Please try again.");
      check(page, "away-page");
      browser.expectComplaint("503");
    }
  }

  @Test
  void lostAnswerShowsMessageAndRetryBuysOnce() {
    Page page = browser.visit(asUsual(), "?q=Dragon");
    int stock = stock("Dragon");
    page.route(
        home + "buy",
        route -> {
          route.fetch();
          route.abort();
        });
    button(card(page, "Dragon")).click();
    assertThat(page.locator("#news")).containsText("nothing will be bought twice");
    page.unroute(home + "buy");

    button(card(page, "Dragon")).click();

    assertThat(page.locator(".note")).hasText(ORDER);
    assertThat(stock("Dragon")).isEqualTo(stock - 1);
    browser.expectComplaint("ERR_FAILED");
    browser.expectComplaint("htmx:");
  }

  @Test
  void crossSiteFormBuysNothing() throws IOException {
    int stock = stock("Tux");
    String trap =
        format(
            "<form method=post action='%sbuy'><input name=key value=k><input name=name value=Tux><button>Win",
            home);
    HttpServer elsewhere =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    elsewhere.createContext(
        "/", HttpHandlers.of(200, Headers.of("Content-Type", "text/html"), trap));
    elsewhere.start();
    try {
      Page page = browser.visit(asUsual(), "");
      for (String host : List.of("localhost", "127.0.0.1")) {
        page.navigate("http://" + host + ":" + elsewhere.getAddress().getPort() + "/");
        page.getByText("Win").click();

        assertThat(page.locator("[role=alert]"))
            .containsText("This request came from another site, so nothing was bought.");
      }
      assertThat(stock("Tux")).isEqualTo(stock);
      browser.expectComplaint("403");
      browser.expectComplaint("404");
    } finally {
      elsewhere.stop(0);
    }
  }

  @Test
  void reducedMotionDisablesAnimations() {
    Page page = browser.visit(asUsual().setReducedMotion(ReducedMotion.REDUCE), "");

    assertThat(colour(page, ".deal button", "transitionDuration")).isEqualTo("0s");
  }

  private static Browser.NewContextOptions asUsual() {
    return new Browser.NewContextOptions().setViewportSize(1_200, 900);
  }

  private static Locator card(Page page, String name) {
    return page.locator(
        ".toy", new Page.LocatorOptions().setHas(page.locator("h2").getByText(name, exact())));
  }

  private static Page.GetByTextOptions exactly() {
    return new Page.GetByTextOptions().setExact(true);
  }

  private static Locator.GetByTextOptions exact() {
    return new Locator.GetByTextOptions().setExact(true);
  }

  private static Locator button(Locator card) {
    return card.locator("button[id]");
  }

  private static String number(Locator card) {
    assertThat(card.locator(".note")).hasText(ORDER);
    return card.locator(".note").textContent().replaceAll("Order (\\d+) placed.*", "$1");
  }

  private int stock(String name) {
    String body = browser.api.get(home + "products/" + name.replace(" ", "%20")).text();
    return Integer.parseInt(body.replaceAll(".*\"quantity\":(\\d+).*", "$1"));
  }

  private String order(String json) {
    return browser
        .api
        .post(home + "orders", RequestOptions.create().setData(json))
        .text()
        .replaceAll("\\D", "");
  }

  private void add(String name, int quantity) {
    APIResponse added =
        browser.api.post(
            home + "products",
            RequestOptions.create()
                .setHeader("Authorization", "Bearer " + BrowserFixture.TOKEN)
                .setData(Map.of("name", name, "price", 9.5, "quantity", quantity)));
    assertThat(added.status()).as(added.text()).isEqualTo(201);
  }

  private static String colour(Page page, String element, String property) {
    return (String)
        page.evaluate(
            "([e, p]) => getComputedStyle(document.querySelector(e))[p]",
            List.of(element, property));
  }

  /// Takes a screenshot, and checks accessibility with axe and that nothing is wider than the page.
  static void check(Page page, String name) {
    picture(page, name);
    assertAccessible(page, name);
  }

  static void assertAccessible(Page page, String name) {
    var violationsOnly = new AxeRunOptions(); // half the time on a long page
    violationsOnly.setResultTypes(List.of("violations"));
    assertFitsWidth(page, name);
    assertThat(
            new AxeBuilder(page)
                    .setLegacyMode(true) // faster; the pages have no frames
                    .options(violationsOnly)
                    .analyze()
                    .getViolations()
                    .stream()
                    .map(rule -> rule.getId() + ": " + rule.getHelp() + " " + rule.getNodes())
                    .toList())
        .as(name)
        .isEmpty();
  }

  private static void assertFitsWidth(Page page, String name) {
    assertThat(page.evaluate("document.documentElement.scrollWidth"))
        .as("scrollWidth of " + name)
        .isEqualTo(page.evaluate("document.documentElement.clientWidth"));
  }

  /// Screenshots are for readers only: a timeout on a busy machine is not a failure of the page.
  private static void picture(Page page, String name) {
    try {
      page.screenshot(
          new Page.ScreenshotOptions()
              .setFullPage(true)
              .setPath(SCREENSHOTS.resolve(name + ".png")));
    } catch (PlaywrightException noFrame) {
      System.err.println("no picture of " + name + ": " + noFrame.getMessage());
    }
  }
}
