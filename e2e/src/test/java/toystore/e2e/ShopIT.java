package toystore.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static toystore.common.RootLocale.format;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import toystore.cli.command.CommandLines;
import toystore.cli.shop.ShopCommand;
import toystore.cli.shop.ShopFolder;

/// Sells and buys with `./toystore shop` at a real store.
final class ShopIT {
  private static final Path SCRIPT = Path.of("/usr/bin/script");

  @TempDir Path folder;

  @Test
  void itemIsOfferedFoundBoughtAndRated() throws Exception {
    logIn("seller", "Sonja");
    String offered = run("", "sell", "Lego", "--category=3", "--keyword=lego", "--price=12.50");
    String id = offered.replaceAll("(?s).*ITEM ID: (\\d+)\\s*", "$1");
    assertThat(run("", "logout")).contains("logged out");
    logIn("buyer", "Žofie");
    assertThat(run("", "search", "--category=3", "LEGO")).contains("Lego");
    assertThat(run("", "add", id)).contains("added to the cart");
    assertThat(run(MarketplaceStore.CARD, "buy", "--card-stdin")).contains("ITEMS PURCHASED: 1");
    assertThat(run("", "feedback", id, "up")).contains("feedback counted");
    assertThat(run("", "item", id)).contains("QUANTITY: 0", "THUMBS UP: 1");
  }

  @Test
  void passwordIsNotShownAtATerminal() throws Exception {
    assumeTrue(Files.exists(SCRIPT), "script of util-linux is not installed");
    var command =
        format(
            "%s -cp '%s' toystore.cli.ToystoreCommand shop register buyer Ada --url=%s",
            Path.of(System.getProperty("java.home"), "bin", "java"),
            System.getProperty("java.class.path"),
            url());
    var terminal = new ProcessBuilder(SCRIPT.toString(), "-qec", command, "/dev/null");
    Process process = terminal.redirectErrorStream(true).start();
    var shown = new StringBuilder();
    try (var screen = process.inputReader(UTF_8);
        var keys = process.outputWriter(UTF_8)) {
      for (String prompt : List.of("password: ", "password again: ")) {
        while (!shown.toString().endsWith(prompt)) {
          int next = screen.read();
          assertThat(next).as(shown.toString()).isNotNegative();
          shown.append((char) next);
        }
        keys.write("geheim\n");
        keys.flush();
      }
      screen.lines().forEach(shown::append);
    }
    assertThat(process.waitFor()).as(shown.toString()).isZero();
    assertThat(shown.toString()).contains("registered").doesNotContain("geheim");
  }

  private void logIn(String role, String name) throws Exception {
    run("secret of " + name, "register", role, name, "--password-stdin");
    run("secret of " + name, "login", role, name, "--password-stdin");
  }

  /// Runs a command, which must succeed.
  ///
  /// @return its output
  private String run(String input, String... arguments) throws Exception {
    var out = new StringWriter();
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--url=" + url());
    InputStream stdin = System.in;
    System.setIn(new ByteArrayInputStream(input.getBytes(UTF_8)));
    try {
      int exitCode =
          CommandLines.configure(new CommandLine(new ShopCommand(new ShopFolder(folder), null)))
              .setOut(new PrintWriter(out))
              .execute(all.toArray(String[]::new));
      assertThat(exitCode).isZero();
    } finally {
      System.setIn(stdin);
    }
    return out.toString();
  }

  private static String url() throws Exception {
    return "http://127.0.0.1:" + SharedStore.open().store().http().port();
  }
}
