package toystore.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.cli.shop.FakeMarketplace;
import toystore.clients.PseudoTerminal;

/// Runs the shop in a pseudo-terminal, against a fake marketplace.
final class ShopTerminalTest {
  @TempDir Path folder;
  private FakeMarketplace shop;

  @BeforeAll
  static void needsScript() {
    assumeTrue(Files.exists(PseudoTerminal.SCRIPT), "script of util-linux is not installed");
  }

  @BeforeEach
  void open() throws IOException {
    shop = new FakeMarketplace();
    shop.answers(
        "GET /api/items/search", 200, "{\"items\":[{\"item_id\":5,\"item_name\":\"Lego\"}]}");
    shop.answers("POST /api/purchases", 201, "{\"message\":\"bought\",\"items_purchased\":3}");
  }

  @AfterEach
  void close() {
    shop.close();
  }

  private PseudoTerminal terminal(String arguments) throws IOException {
    return new PseudoTerminal(folder, ToystoreCommand.class.getName() + " " + arguments);
  }

  @Test
  void sessionHidesSecretsCompletesCommandsAndKeepsAHistoryWithoutSecrets() throws Exception {
    try (var terminal = terminal("shop --url " + shop.url())) {
      terminal.see("nobody> ");
      terminal.type("login buyer Ada\n");
      terminal.see("password: ");
      terminal.type("geheim\n");
      terminal.see("buyer Ada> ");
      terminal.type("sea\t--category 3 lego\n");
      terminal.see("ITEM ID  ITEM NAME");
      terminal.see("      5  Lego");
      terminal.type("buy\n");
      terminal.see("name on the card: ");
      terminal.type("Ada L\n");
      terminal.see("card number: ");
      terminal.type("4242424242424242\n");
      terminal.see("expires (MM/YY): ");
      terminal.type("12/30\n");
      terminal.see("security code: ");
      terminal.type("987\n");
      terminal.see("ITEMS PURCHASED: 3");
      assertThat(terminal.shown()).doesNotContain("geheim", "4242", "987");
      terminal.type("login buyer Ada geheim\n"); // not a valid line, so not kept
      terminal.see("Unmatched argument");
      terminal.type("exit\n");
      assertThat(terminal.awaitExit()).isZero();
    }
    assertThat(shop.asked.stream().map(FakeMarketplace.Asked::body))
        .contains("{\"username\":\"Ada\",\"password\":\"geheim\"}")
        .anyMatch(body -> body.contains("4242424242424242") && body.contains("987"));
    var history = folder.resolve("toystore/shop-history");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(history)))
        .isEqualTo("rw-------");
    assertThat(Files.readAllLines(history).stream().map(line -> line.replaceFirst("^\\d+:", "")))
        .containsExactly("login buyer Ada", "search --category 3 lego", "buy");
  }

  @Test
  void singleCommandAsksForThePasswordWithoutShowingIt() throws Exception {
    try (var terminal = terminal("shop login buyer Ada --url " + shop.url())) {
      terminal.see("password: ");
      terminal.type("geheim\n");
      terminal.see("logged in");
      assertThat(terminal.shown()).doesNotContain("geheim");
      assertThat(terminal.awaitExit()).isZero();
    }
  }
}
