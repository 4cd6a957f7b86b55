package toystore.cli.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import toystore.cli.command.CommandLines;
import toystore.cli.command.CommandRefusal;
import toystore.clients.StoreHttpClient;

/// Runs commands of the shop against a fake marketplace.
final class ShopTest {
  private static final String CARD =
      "{\"card_holder_name\":\"Ada\",\"card_number\":\"4242424242424242\","
          + "\"expiration_date\":\"12/30\",\"security_code\":\"123\"}";

  private record Ended(int exitCode, String out, String err) {}

  /// Answers with prepared lines and records what it was asked for.
  private static final class FakeTyping implements ShopPrompt {
    final List<String> labels = new ArrayList<>();
    final List<String> typed = new ArrayList<>();

    @Override
    public String line(String label) {
      labels.add(label);
      return typed.removeFirst();
    }

    @Override
    public String readHidden(String label) {
      return line("hidden " + label);
    }
  }

  @TempDir Path temporary;
  private final FakeTyping typing = new FakeTyping();
  private FakeMarketplace shop;

  @BeforeEach
  void open() throws IOException {
    shop = new FakeMarketplace();
  }

  @AfterEach
  void close() {
    shop.close();
  }

  @Test
  void loginIsKeptForTheNextCommandInAFileOfTheOwner() throws IOException {
    logIn(ShopRole.BUYER, "Ada");
    assertThat(run("whoami").out()).isEqualTo("buyer Ada at " + shop.url() + "\n");
    var file = temporary.resolve("toystore/shop-logins.json");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
        .isEqualTo("rwx------");
    shop.answers("GET /api/cart", 200, "{\"cart\":[]}");
    assertThat(run("cart")).isEqualTo(new Ended(0, "none\n", ""));
    assertThat(shop.asked.getLast().token()).isEqualTo("Bearer " + FakeMarketplace.TOKEN);
    assertThat(run("logout")).isEqualTo(new Ended(0, "logged out\n", ""));
    assertThat(file).content().doesNotContain(FakeMarketplace.TOKEN);
    assertThat(run("whoami"))
        .isEqualTo(new Ended(1, "", "nobody is logged in at " + shop.url() + "\n"));
  }

  @Test
  void passwordIsAskedForTwiceAtRegistrationAndNeverPrinted() {
    typing.typed.addAll(List.of("secret", "secret"));
    assertThat(run("register", "seller", "Sue")).isEqualTo(new Ended(0, "registered\nID: 1\n", ""));
    assertThat(typing.labels).containsExactly("hidden password", "hidden password again");
    assertThat(shop.asked)
        .hasToString("[POST /api/sellers/register {\"username\":\"Sue\",\"password\":\"secret\"}]");
    typing.typed.addAll(List.of("secret", "other"));
    assertThat(run("register", "seller", "Sue").err())
        .isEqualTo("the two passwords differ; nothing was sent\n");
    assertThat(shop.asked).hasSize(1);
  }

  @Test
  void eachCommandSendsItsRequest() {
    logIn(ShopRole.SELLER, "Sue");
    shop.asked.clear();
    run("sell", "Lego", "--category=3", "--keyword=lego", "--keyword=red", "--price=12.50");
    run("items", "--after=7", "--limit=2");
    run("price", "5", "9.99");
    run("remove", "5", "2");
    run("rating");
    run("rating", "17");
    run("search", "--category", "3", "lego", "red");
    run("item", "5");
    run("add", "5");
    run("drop", "5", "1");
    run("clear");
    run("save");
    run("purchases");
    run("feedback", "5", "up");
    assertThat(shop.asked.stream().map(Object::toString))
        .containsExactly(
            "POST /api/sellers/items {\"name\":\"Lego\",\"category\":3,\"keywords\":[\"lego\",\"red\"],"
                + "\"condition\":\"new\",\"price\":12.50,\"quantity\":1}",
            "GET /api/sellers/items?after=7&limit=2",
            "PUT /api/sellers/items/5/price {\"price\":9.99}",
            "PUT /api/sellers/items/5/quantity {\"quantity\":2}",
            "GET /api/sellers/rating",
            "GET /api/sellers/17/rating",
            "GET /api/items/search?category=3&keywords=lego%2Cred",
            "GET /api/items/5",
            "POST /api/cart/items {\"quantity\":1,\"item_id\":5}",
            "DELETE /api/cart/items/5 {\"quantity\":1}",
            "DELETE /api/cart",
            "POST /api/cart/save",
            "GET /api/buyers/purchases",
            "POST /api/items/5/feedback {\"feedback\":\"up\"}");
    assertThat(shop.asked)
        .allMatch(
            asked -> asked.method().equals("POST") != asked.key().isEmpty(), "POSTs have keys");
  }

  @Test
  void listIsATableAndJsonIsTheAnswerAsItIs() {
    var body =
        "{\"items\":[{\"item_id\":5,\"item_name\":\"Lego \\u001b[2J\",\"price\":12.50,\"keywords\":[\"a\",\"b\"]},"
            + "{\"item_id\":12,\"item_name\":\"Duplo\",\"price\":9.99,\"keywords\":[]}],\"next\":12}";
    shop.answers("GET /api/items/search", 200, body);
    assertThat(run("search", "--category=3").out())
        .isEqualTo(
            """
            ITEM ID  ITEM NAME  PRICE  KEYWORDS
                  5  Lego ?[2J  12.50  a,b
                 12  Duplo       9.99
            more: add --after 12
            """);
    assertThat(run("search", "--category=3", "--json")).isEqualTo(new Ended(0, body + "\n", ""));
  }

  @Test
  void amountsHaveTwoDecimalsAndNoExponent() {
    shop.answers(
        "GET /api/items/5",
        200,
        "{\"item\":{\"item_id\":10000000,\"price\":1.0E7,\"total\":9007199254740993.1,\"paid\":12}}");
    assertThat(run("item", "5").out())
        .isEqualTo(
            """
            ITEM ID: 10000000
            PRICE: 10000000.00
            TOTAL: 9007199254740993.10
            PAID: 12
            """);
  }

  @Test
  void exitCodeTellsARefusalFromAnUnavailableShop() {
    var detail = "{\"title\":\"Conflict\",\"detail\":\"only 2 left\"}";
    shop.answers("POST /api/cart/items", 409, detail);
    assertThat(run("add", "5", "3")).isEqualTo(new Ended(1, "", "only 2 left\n"));
    assertThat(run("add", "5", "3", "--json"))
        .isEqualTo(new Ended(1, detail + "\n", "only 2 left\n"));
    shop.failsWith(401);
    assertThat(run("cart"))
        .isEqualTo(new Ended(1, "", "status 401 (to log in: shop login buyer|seller NAME)\n"));
    assertThat(run("add", "five").exitCode()).isEqualTo(2);
    assertThat(run("bye"))
        .matches(ended -> ended.exitCode() == 2)
        .matches(ended -> ended.err().startsWith("unknown command: bye\nUsage: shop "));
    assertThat(run("search", "--category=x").err())
        .endsWith("\nFor its options: shop help search\n");
    shop.failsWith(503);
    assertThat(run("add", "5", "3")).isEqualTo(new Ended(3, "", "status 503\n"));
    shop.close();
    assertThat(run("cart"))
        .matches(ended -> ended.exitCode() == 3)
        .matches(ended -> ended.err().startsWith("cannot reach a shop at " + shop.url()));
  }

  @Test
  void cardIsAskedForAndItsNumberAndCodeAreHidden() {
    shop.answers("POST /api/purchases", 201, "{\"message\":\"bought\",\"items_purchased\":3}");
    typing.typed.addAll(List.of("Ada", "4242 4242 4242 4242", "12/30", "123"));
    assertThat(run("buy")).isEqualTo(new Ended(0, "bought\nITEMS PURCHASED: 3\n", ""));
    assertThat(typing.labels)
        .containsExactly(
            "name on the card", "hidden card number", "expires (MM/YY)", "hidden security code");
    assertThat(shop.asked.getLast().body()).isEqualTo(CARD);
  }

  @Test
  void lostAnswerOfABuyIsAskedForAgainWithTheSameKey() {
    shop.answers("POST /api/purchases", 201, "{\"message\":\"bought\",\"items_purchased\":3}");
    shop.failsWith(504, 0, 503);
    var warnings = new ArrayList<String>();
    var target = new StoreHttpClient(URI.create(shop.url()), 0);
    var client = new ShopClient(target, "token", warnings::add, Duration.ZERO);
    assertThat(client.post("/api/purchases", null).status()).isEqualTo(201);
    assertThat(shop.asked).hasSize(4);
    assertThat(shop.asked).extracting(FakeMarketplace.Asked::key).containsOnly(key());
    assertThat(warnings)
        .hasSize(3)
        .startsWith("no answer (status 504); asking again with the same key, 2 of 5");
    shop.asked.clear();
    shop.failsWith(504, 504, 504, 504, 504);
    assertThatExceptionOfType(CommandRefusal.class)
        .isThrownBy(() -> client.post("/api/purchases", null))
        .withMessageStartingWith(
            "the outcome is unknown: the shop has not answered 5 times (status 504); its Idempotency-Key is ")
        .matches(unknown -> unknown.exitCode() == 3);
    assertThat(shop.asked).hasSize(5);
    shop.failsWith(503);
    assertThat(client.post("/api/purchases", null).status())
        .as("surely not done: not repeated")
        .isEqualTo(503);
  }

  private String key() {
    return shop.asked.getFirst().key();
  }

  private void logIn(ShopRole role, String name) {
    typing.typed.add("secret");
    assertThat(run("login", role.toString(), name)).isEqualTo(new Ended(0, "logged in\n", ""));
  }

  private Ended run(String... arguments) {
    var out = new StringWriter();
    var err = new StringWriter();
    var command = new ShopCommand(new ShopFolder(temporary.resolve("toystore")), typing);
    var line =
        CommandLines.configure(new CommandLine(command))
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true));
    var all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--url", shop.url()));
    return new Ended(line.execute(all.toArray(String[]::new)), out.toString(), err.toString());
  }
}
