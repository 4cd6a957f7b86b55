package toystore.e2e.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.Cookie;
import com.microsoft.playwright.options.FilePayload;
import com.microsoft.playwright.options.SameSiteAttribute;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the administrator sees and does, with the real services.
@Tag("long")
@ExtendWith(BrowserFixture.Shared.class)
class AdministrationTest {
  private static final int MOST_TABS = 40;

  private final BrowserFixture browser;
  private final String home;

  AdministrationTest(BrowserFixture browser) {
    this.browser = browser;
    this.home = browser.home;
    browser.expectRefusals();
  }

  /// Nothing but the keyboard is used from the login to the list of changes.
  @Test
  void importIsMadeByKeyboardAlone() {
    Page page = browser.visit(new Browser.NewContextOptions().setViewportSize(390, 800), "admin");
    assertThat(page.locator("h1")).hasText("Administration");
    type(page, "token", BrowserFixture.TOKEN);
    page.keyboard().press("Enter");
    assertThat(page.locator("h1")).hasText("Products");
    tabTo(page, "a[href$='/admin/import']");
    page.keyboard().press("Enter");
    assertThat(page.locator("h1")).hasText("Import products");

    type(page, "csv", "name,price,quantity\nKeyboard toy,12.5,seven");
    tabTo(page, "main form.fields button");
    page.keyboard().press("Enter");
    assertThat(page.locator(".problem")).containsText("line 2: quantity must be");
    assertThat(page.locator(".problem")).isFocused();
    ShopPageTest.check(page, "admin-import-refused");

    tabTo(page, "#csv");
    page.keyboard().press("Control+End");
    for (int i = 0; i < "seven".length(); i++) {
      page.keyboard().press("Backspace");
    }
    page.keyboard().type("7");
    tabTo(page, "main form.fields button");
    page.keyboard().press("Enter");
    assertThat(page.locator("h2").first()).hasText("1 product differs");
    assertThat(page.locator("main .lines"))
        .containsText("Keyboard toy new, price 12.50, quantity 7");
    assertThat(page.locator("main form.pages button")).isFocused();
    ShopPageTest.check(page, "admin-import-differences");
    assertThat(browser.api.get(home + "products/Keyboard%20toy").status()).isEqualTo(404);

    page.keyboard().press("Enter");
    assertThat(page.locator(".note.good")).hasText("The products were imported.");
    assertThat(page.locator("main .lines li").first())
        .containsText("Keyboard toy new, price 12.50, quantity 7");
    assertThat(page.locator("main .lines li").first())
        .containsText("administrator, page 127.0.0.1");
    assertThat(browser.api.get(home + "products/Keyboard%20toy").text()).contains("12.5");
  }

  @Test
  void fileIsCopiedIntoTheTextOfAnImport() {
    Page page = browser.visit(new Browser.NewContextOptions(), "admin/login");
    page.locator("#token").fill(BrowserFixture.TOKEN);
    page.keyboard().press("Enter");
    assertThat(page.locator("h1")).hasText("Products");
    page.navigate(home + "admin/import");

    assertThat(page.locator("#file")).isVisible(); // the script runs
    page.locator("#file")
        .setInputFiles(file("name,price,quantity\nFile toy é,1.5,2".getBytes(UTF_8)));

    assertThat(page.locator("#csv")).hasValue("name,price,quantity\nFile toy é,1.5,2");
    page.locator("main form.fields button").click();
    assertThat(page.locator("main .lines")).containsText("File toy é new, price 1.50, quantity 2");

    assertThat(page.locator("#file")).isVisible();
    page.locator("#file").setInputFiles(file(new byte[] {-1}));
    page.waitForCondition(
        () -> !(boolean) page.evaluate("document.querySelector('#file').checkValidity()"));
  }

  private static FilePayload file(byte[] text) {
    return new FilePayload("toys.csv", "text/csv", text);
  }

  @ParameterizedTest
  @CsvSource({"390, DARK", "1280, LIGHT"})
  void everyPageIsAccessibleAndFitsItsWidth(int width, ColorScheme colors) {
    Page page =
        browser.visit(
            new Browser.NewContextOptions().setViewportSize(width, 800).setColorScheme(colors),
            "admin/login");
    ShopPageTest.check(page, "admin-login-" + width);
    page.locator("#token").fill("wrong");
    page.keyboard().press("Enter");
    assertThat(page.locator(".problem")).isFocused();
    page.locator("#token").fill(BrowserFixture.TOKEN);
    page.keyboard().press("Enter");
    assertThat(page.locator("h1")).hasText("Products");

    Cookie cookie = page.context().cookies().getFirst();
    assertThat(cookie.httpOnly).isTrue();
    assertThat(cookie.sameSite).isEqualTo(SameSiteAttribute.STRICT);
    ShopPageTest.check(page, "admin-products-" + width);
    for (String path :
        new String[] {"import", "orders", "stocks", "symbols", "audit?run=new", "changes"}) {
      page.navigate(home + "admin/" + path);
      ShopPageTest.check(page, "admin-" + path.replaceAll("\\W.*", "") + "-" + width);
    }
    page.locator("nav.market button").click();
    assertThat(page.locator(".note.good")).hasText("You are logged out.");
    assertThat(page.context().cookies()).isEmpty();
  }

  private static void type(Page page, String field, String text) {
    tabTo(page, "#" + field);
    page.keyboard().type(text);
  }

  /// Presses the tab key until an element has the focus.
  private static void tabTo(Page page, String selector) {
    for (int i = 0; i < MOST_TABS; i++) {
      if ((boolean) page.evaluate("it => document.activeElement.matches(it)", selector)) {
        return;
      }
      page.keyboard().press("Tab");
    }
    throw new AssertionError(selector + " is not reached with the tab key");
  }
}
