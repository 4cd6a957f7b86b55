package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.clients.PseudoTerminal;

/// Sells and buys with `./toystore shop` in a terminal, at a real store.
final class ShopIT {
  @TempDir Path folder;

  @BeforeAll
  static void needsScript() {
    assumeTrue(Files.exists(PseudoTerminal.SCRIPT), "script of util-linux is not installed");
  }

  @Test
  void itemIsOfferedFoundBoughtAndRated() throws Exception {
    StoreFixture store = SharedStore.open().store();
    try (var shop =
        new PseudoTerminal(
            folder.resolve("state"), "toystore.cli.ToystoreCommand shop --url=" + url(store))) {
      register(shop, "seller Sonja");
      type(shop, "sell Lego --category 3 --keyword lego --price 12.50 --quantity 4", "ITEM ID: ");
      shop.see("\n");
      var id = shop.shown().replaceAll("(?s).*ITEM ID: (\\d+)\\s*", "$1");
      type(shop, "logout", "logged out");
      register(shop, "buyer Adele");
      type(shop, "sea\t--category 3 LEGO", "Lego");
      type(shop, "add " + id + " 3", "added to the cart");
      buy(shop);
      shop.see("ITEMS PURCHASED: 3");
      type(shop, "feedback " + id + " up", "feedback counted");
      type(shop, "item " + id, "QUANTITY: 1");
      shop.see("THUMBS UP: 1");
      buy(shop); // the cart is empty now
      shop.see("mpty");
      type(shop, "login buyer Adele geheim", "Unmatched argument");
      type(shop, "exit", "");
      assertThat(shop.awaitExit()).isZero();
      assertNoSecret(shop.shown(), url(store));
      try (var files = Files.walk(folder.resolve("state"))) {
        for (var file : files.filter(Files::isRegularFile).toList()) {
          assertNoSecret(Files.readString(file), url(store));
        }
      }
      var history = folder.resolve("state/toystore/shop-history");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(history)))
          .isEqualTo("rw-------");
      assertThat(Files.readString(history))
          .contains("search --category 3 LEGO", "feedback " + id)
          .doesNotContain("geheim");
    }
  }

  private static String url(StoreFixture store) {
    return "http://127.0.0.1:" + store.store().port("local.server.port");
  }

  /// Without the URL, because its port may have the digits of the card.
  private static void assertNoSecret(String text, String url) {
    assertThat(text.replace(url, "")).doesNotContain("secret-of", "4242");
  }

  private static void register(PseudoTerminal shop, String account) throws Exception {
    shop.see("nobody> ");
    type(shop, "register " + account, "password: ");
    type(shop, "secret-of-" + account.replace(' ', '-'), "password");
    type(shop, "secret-of-" + account.replace(' ', '-'), "registered");
    type(shop, "login " + account, "password: ");
    type(shop, "secret-of-" + account.replace(' ', '-'), "logged in");
  }

  private static void buy(PseudoTerminal shop) throws Exception {
    type(shop, "buy", "name on the card: ");
    type(shop, "Ada L", "card number: ");
    type(shop, "4242424242424242", "expires (MM/YY): ");
    type(shop, "12/40", "security code: ");
    type(shop, "123", "");
  }

  private static void type(PseudoTerminal shop, String line, String answer) throws Exception {
    shop.type(line + "\n");
    shop.see(answer);
  }
}
