package toystore.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sells and buys with `./toystore shop` at a real store.
final class ShopIT {
  @TempDir Path folder;

  @Test
  void itemIsOfferedFoundBoughtAndRated() throws Exception {
    try (var store = StoreFixture.in(folder.resolve("data"))) {
      var seller =
          shop(
              store,
              "register seller Sue\nsecret-of-sue\nsecret-of-sue\nlogin seller Sue\nsecret-of-sue\n"
                  + "sell Lego --category 3 --keyword lego --price 12.50 --quantity 4\nlogout\n");
      assertThat(seller).contains("seller registered", "logged in", "ITEM ID: ", "logged out");
      var id = seller.replaceAll("(?s).*ITEM ID: (\\d+).*", "$1");
      var buyer =
          shop(
              store,
              ("register buyer Ada\nsecret-of-ada\nsecret-of-ada\nlogin buyer Ada\nsecret-of-ada\n"
                      + "search --category 3 LEGO\nadd ID 3\ncart\n"
                      + "buy\nAda L\n4242424242424242\n12/40\n123\n"
                      + "buy\nAda L\n4242424242424242\n12/40\n123\n"
                      + "purchases\nfeedback ID up\nitem ID\nadd ID 2\n")
                  .replace("ID", id));
      assertThat(buyer)
          .contains("ITEM ID  SELLER ID  ITEM NAME", "Lego", "added to the cart")
          .contains("ITEMS PURCHASED: 3", "feedback counted", "QUANTITY: 1", "THUMBS UP: 1")
          .containsIgnoringCase("empty"); // the second purchase
      var oneShot = run(store, "", "search", "--category=3", "--json");
      assertThat(oneShot).contains("{\"items\":[{", "\"quantity\":1");
      try (var files = Files.walk(folder.resolve("state"))) {
        for (var file : files.filter(Files::isRegularFile).toList()) {
          assertThat(file).content().doesNotContain("secret-of", "4242");
        }
      }
    }
  }

  /// An interactive session whose input is not a terminal.
  private String shop(StoreFixture store, String typed) throws IOException, InterruptedException {
    return run(store, typed);
  }

  private String run(StoreFixture store, String typed, String... command)
      throws IOException, InterruptedException {
    var all =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "toystore.cli.ToystoreCommand",
                "shop",
                "--url=http://127.0.0.1:" + store.store().port("local.server.port")));
    all.addAll(List.of(command));
    var builder = new ProcessBuilder(all).redirectErrorStream(true);
    builder.environment().put("XDG_STATE_HOME", folder.resolve("state").toString());
    var process = builder.start();
    try (var input = process.getOutputStream()) {
      input.write(typed.getBytes(UTF_8));
    }
    var output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
