package toystore.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.testkit.Conditions;

/// Runs the shop in a pseudo-terminal, which `script` of util-linux makes.
final class ShopTerminalTest {
  @TempDir Path folder;
  private final StringBuffer screen = new StringBuffer();
  private FakeMarketplace shop;
  private Process terminal;

  @BeforeEach
  void open() throws IOException {
    assumeTrue(Files.exists(Path.of("/usr/bin/script")), "script of util-linux is not installed");
    shop = new FakeMarketplace();
    shop.answers(
        "GET /api/items/search", 200, "{\"items\":[{\"item_id\":5,\"item_name\":\"Lego\"}]}");
    shop.answers("POST /api/purchases", 201, "{\"message\":\"bought\",\"items_purchased\":3}");
  }

  @AfterEach
  void close() throws InterruptedException {
    terminal.destroyForcibly().waitFor();
    shop.close();
  }

  @Test
  void sessionHidesSecretsCompletesCommandsAndKeepsAHistoryWithoutSecrets() throws Exception {
    start("shop");
    see("nobody> ");
    type("login buyer Ada\n");
    see("password: ");
    type("geheim\n");
    see("logged in");
    see("buyer Ada> ");
    type("sea\t--category 3 lego\n");
    see("ITEM ID  ITEM NAME");
    see("      5  Lego");
    type("buy\n");
    see("name on the card: ");
    type("Ada L\n");
    see("card number: ");
    type("4242424242424242\n");
    see("expires (MM/YY): ");
    type("12/30\n");
    see("security code: ");
    type("987\n");
    see("ITEMS PURCHASED: 3");
    var beforeMistake = seen;
    type("login buyer Ada geheim\n"); // not a valid line, so not kept
    see("Unmatched argument");
    type("exit\n");
    assertThat(terminal.waitFor()).isZero();
    assertThat(shop.asked.stream().map(FakeMarketplace.Asked::body))
        .contains("{\"username\":\"Ada\",\"password\":\"geheim\"}")
        .anyMatch(body -> body.contains("4242424242424242") && body.contains("987"));
    assertThat(screen.substring(0, beforeMistake)).doesNotContain("geheim", "4242", "987");
    var history = folder.resolve("toystore/shop-history");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(history)))
        .isEqualTo("rw-------");
    assertThat(Files.readAllLines(history).stream().map(line -> line.replaceFirst("^\\d+:", "")))
        .containsExactly("login buyer Ada", "search --category 3 lego", "buy");
  }

  @Test
  void singleCommandAsksForThePasswordWithoutShowingIt() throws Exception {
    start("shop login buyer Ada");
    see("password: ");
    type("geheim\n");
    see("logged in");
    assertThat(terminal.waitFor()).isZero();
    assertThat(screen.toString()).doesNotContain("geheim");
  }

  private void start(String arguments) throws IOException {
    var java =
        "stty cols 120 rows 40; %s -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp '%s' %s %s --url %s"
            .formatted(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                System.getProperty("java.class.path"),
                ToystoreCommand.class.getName(),
                arguments,
                shop.url());
    var script = new ProcessBuilder("/usr/bin/script", "-qec", java, "/dev/null");
    script.environment().put("XDG_STATE_HOME", folder.toString());
    script.environment().put("TERM", "xterm");
    terminal = script.redirectErrorStream(true).start();
    Thread.ofVirtual().start(this::readScreen);
  }

  private void readScreen() {
    try (var output = terminal.inputReader(StandardCharsets.UTF_8)) {
      for (var next = output.read(); next >= 0; next = output.read()) {
        screen.append((char) next);
      }
    } catch (IOException ended) {
      screen.append("[end]");
    }
  }

  private int seen;

  /// Waits until a text appears after what was seen before.
  private void see(String text) {
    Conditions.patiently().untilAsserted(() -> assertThat(screen.substring(seen)).contains(text));
    seen = screen.indexOf(text, seen) + text.length();
  }

  private void type(String keys) {
    try {
      terminal.getOutputStream().write(keys.getBytes(StandardCharsets.UTF_8));
      terminal.getOutputStream().flush();
    } catch (IOException ended) {
      throw new UncheckedIOException(screen.toString(), ended);
    }
  }
}
