package toystore.cli.shop;

import java.io.IOException;
import java.math.BigDecimal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import toystore.cli.command.CommandRefusal;
import toystore.clients.StoreHttpClient.Reply;

/// `./toystore shop`: the marketplace for a person. Each method is a command.
@Command(
    name = "shop",
    description = "Sell and buy in the marketplace.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = HelpCommand.class,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:refused, by the shop (4xx) or before anything was sent",
      "2:invalid command line",
      "3:the shop is unavailable (5xx, no connection), or the outcome is unknown"
    },
    footer = {
      "",
      "The session's token is kept in $XDG_STATE_HOME/toystore (default ~/.local/state/toystore), in a "
          + "file that only you can read. Passwords and cards are never kept."
    })
@SuppressWarnings("NullAway.Init") // picocli sets the spec
public final class ShopCommand implements Runnable {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final int MAX_STDIN = 64 * 1024;
  private static final int UNAUTHORIZED = 401;

  /// Which part of a list to show.
  static final class Page {
    @Option(names = "--after", paramLabel = "A", description = "Continue a list after this.")
    private @Nullable String after;

    @Option(names = "--limit", paramLabel = "N", description = "Length, to 200 (default 50).")
    private @Nullable Integer limit;

    /// The path with the parameters.
    String of(String path) {
      String parameters =
          (after == null ? "" : "&after=" + encoded(after))
              + (limit == null ? "" : "&limit=" + limit);
      return path + (path.contains("?") ? parameters : parameters.replaceFirst("&", "?"));
    }
  }

  @Option(
      names = "--url",
      paramLabel = "U",
      scope = ScopeType.INHERIT,
      description = "The shop (default: ${DEFAULT-VALUE}).")
  private String url = "http://127.0.0.1:8080";

  @Option(
      names = "--json",
      scope = ScopeType.INHERIT,
      description = "Print the API's answer as it is.")
  private boolean json;

  @Spec private CommandSpec spec;

  private final ShopFolder folder;
  private final @Nullable ShopPrompt prompt;

  ShopCommand() {
    this(ShopFolder.ofUser(), null);
  }

  /// @param prompt asks the user; null: the terminal of this process
  public ShopCommand(ShopFolder folder, @Nullable ShopPrompt prompt) {
    this.folder = folder;
    this.prompt = prompt;
  }

  @Override
  public void run() {
    throw CommandRefusal.usage("no command given");
  }

  /// Whose account to register or to log in to.
  static final class Account {
    @Parameters(index = "0", paramLabel = "buyer|seller")
    private ShopRole role = ShopRole.BUYER;

    @Parameters(index = "1", paramLabel = "NAME")
    private String name = "";

    @Option(names = "--password-stdin", description = "Read the password from standard input.")
    private boolean stdin;
  }

  @Command(description = "Register a buyer or a seller; asks for a password.")
  int register(@Mixin Account account) throws IOException {
    ObjectNode body = credentials(account, true);
    return post(account.role.path() + "/register", body);
  }

  @Command(description = "Log in as a buyer or a seller; asks for the password.")
  int login(@Mixin Account account) throws IOException {
    ObjectNode body = credentials(account, false);
    return send(client -> {
      Reply answer = client.send("POST", account.role.path() + "/login", body);
      String token = ShopUser.tree(answer).path("token").asString("");
      if (answer.status() == 200 && !token.isEmpty()) {
        folder.keep(url, new ShopLogin(account.role, account.name, token));
      }
      return answer;
    });
  }

  private ShopLogin loggedIn() throws IOException {
    return folder.login(url).orElseThrow(() -> new CommandRefusal("nobody is logged in at " + url));
  }

  @Command(description = "Log out. An unsaved cart is lost, a saved one stays.")
  int logout() throws IOException {
    String path = loggedIn().role().path() + "/logout";
    return send(client -> {
      Reply answer = client.send("POST", path, null);
      if (answer.status() == 200 || answer.status() == UNAUTHORIZED) {
        folder.forget(url);
      }
      return answer;
    });
  }

  @Command(description = "Show who is logged in.")
  int whoami() throws IOException {
    ShopLogin login = loggedIn();
    ObjectNode fields = JSON.createObjectNode().put("role", login.role().toString());
    session().print(json ? fields.put("username", login.name()).toString() : login + " at " + url);
    return 0;
  }

  @Command(description = "Seller: offer an item.")
  int sell(
      @Parameters(paramLabel = "NAME") String name,
      @Option(names = "--category", required = true, paramLabel = "N") int category,
      @Option(names = "--keyword", paramLabel = "WORD", description = "At most 5.")
          @Nullable List<String> keywords,
      @Option(names = "--condition", defaultValue = "new", paramLabel = "new|used")
          String condition,
      @Option(names = "--price", required = true, paramLabel = "P") BigDecimal price,
      @Option(names = "--quantity", defaultValue = "1", paramLabel = "N") long quantity)
      throws IOException {
    ObjectNode item = JSON.createObjectNode().put("name", name).put("category", category);
    item.putPOJO("keywords", keywords == null ? List.of() : keywords);
    item.put("condition", condition).put("price", price).put("quantity", quantity);
    return post("/api/sellers/items", item);
  }

  @Command(description = "Seller: list the own items.")
  int items(@Mixin Page page) throws IOException {
    return get(page.of("/api/sellers/items"));
  }

  @Command(description = "Seller: change the price of an own item.")
  int price(
      @Parameters(paramLabel = "ITEM") long item,
      @Parameters(paramLabel = "PRICE") BigDecimal price)
      throws IOException {
    ObjectNode body = JSON.createObjectNode().put("price", price);
    return send("PUT", "/api/sellers/items/" + item + "/price", body);
  }

  @Command(description = "Seller: take units of an own item out of the shop.")
  int remove(
      @Parameters(paramLabel = "ITEM") long item, @Parameters(paramLabel = "N") long quantity)
      throws IOException {
    return send("PUT", "/api/sellers/items/" + item + "/quantity", quantity(quantity));
  }

  @Command(
      description = "Find items of a category that have one of the keywords; best match first.")
  int search(
      @Option(names = "--category", required = true, paramLabel = "N") int category,
      @Parameters(arity = "0..*", paramLabel = "KEYWORD") @Nullable List<String> keywords,
      @Mixin Page page)
      throws IOException {
    String words = keywords == null ? "" : "&keywords=" + encoded(String.join(",", keywords));
    return get(page.of("/api/items/search?category=" + category + words));
  }

  @Command(description = "Show an item.")
  int item(@Parameters(paramLabel = "ITEM") long item) throws IOException {
    return get("/api/items/" + item);
  }

  @Command(description = "Buyer: show the cart.")
  int cart() throws IOException {
    return get("/api/cart");
  }

  @Command(description = "Buyer: put units of an item into the cart.")
  int add(
      @Parameters(paramLabel = "ITEM") long item,
      @Parameters(defaultValue = "1", paramLabel = "N") long quantity)
      throws IOException {
    return post("/api/cart/items", quantity(quantity).put("item_id", item));
  }

  @Command(description = "Buyer: take units of an item out of the cart.")
  int drop(@Parameters(paramLabel = "ITEM") long item, @Parameters(paramLabel = "N") long quantity)
      throws IOException {
    return send("DELETE", "/api/cart/items/" + item, quantity(quantity));
  }

  @Command(description = "Buyer: empty the cart.")
  int clear() throws IOException {
    return send("DELETE", "/api/cart", null);
  }

  @Command(description = "Buyer: save the cart, so that it outlives the session.")
  int save() throws IOException {
    return post("/api/cart/save", null);
  }

  @Command(
      description =
          "Buyer: buy what is in the cart; asks for the card. If the answer is lost, asks the shop"
              + " again with the same key, so that it sells once.")
  int buy(
      @Option(
              names = "--card-stdin",
              description =
                  "Read the card from standard input: a JSON object with card_holder_name,"
                      + " card_number, expiration_date (MM/YY) and security_code.")
          boolean stdin,
      @Option(
              names = "--key",
              paramLabel = "KEY",
              description = "The key of an earlier purchase whose outcome is unknown.")
          @Nullable String key)
      throws IOException {
    JsonNode card = stdin ? cardFromStdin() : ask("--card-stdin", ShopCommand::card);
    return send(client ->
        client.post("/api/purchases", card, key == null ? UUID.randomUUID().toString() : key));
  }

  @Command(description = "Buyer: list the own purchases.")
  int purchases(@Mixin Page page) throws IOException {
    return get(page.of("/api/buyers/purchases"));
  }

  @Command(description = "Buyer: give a bought item a thumb up or down.")
  int feedback(
      @Parameters(paramLabel = "ITEM") long item, @Parameters(paramLabel = "up|down") String thumb)
      throws IOException {
    return post("/api/items/" + item + "/feedback", JSON.createObjectNode().put("feedback", thumb));
  }

  @Command(description = "Show the rating of a seller (seller: default, the own).")
  int rating(@Parameters(arity = "0..1", paramLabel = "SELLER") @Nullable Long seller)
      throws IOException {
    return get("/api/sellers/" + (seller == null ? "" : seller + "/") + "rating");
  }

  private static ObjectNode quantity(long quantity) {
    return JSON.createObjectNode().put("quantity", quantity);
  }

  private ObjectNode credentials(Account account, boolean isNew) throws IOException {
    String password =
        account.stdin
            ? readStdin().lines().findFirst().orElse("")
            : ask("--password-stdin", asks -> password(asks, isNew));
    return JSON.createObjectNode().put("username", account.name).put("password", password);
  }

  private static String password(ShopPrompt asks, boolean isNew) {
    String password = asks.readHidden("password");
    if (isNew && !password.equals(asks.readHidden("password again"))) {
      throw new CommandRefusal("the two passwords differ; nothing was sent");
    }
    return password;
  }

  private static ObjectNode card(ShopPrompt asks) {
    return JSON.createObjectNode()
        .put("card_holder_name", asks.line("name on the card"))
        .put("card_number", asks.readHidden("card number").replaceAll("[ -]", ""))
        .put("expiration_date", asks.line("expires (MM/YY)"))
        .put("security_code", asks.readHidden("security code"));
  }

  /// @param option what to use instead where there is no terminal
  private <T> T ask(String option, Function<ShopPrompt, T> questions) {
    return questions.apply(prompt == null ? ShopPrompt.atTerminal(option) : prompt);
  }

  private static JsonNode cardFromStdin() throws IOException {
    try {
      if (JSON.readTree(readStdin()) instanceof ObjectNode card) {
        return card;
      }
    } catch (JacksonException noJson) { // its message could contain the card
    }
    throw new CommandRefusal("--card-stdin needs a JSON object; nothing was sent");
  }

  private static String readStdin() throws IOException {
    return new String(System.in.readNBytes(MAX_STDIN), StandardCharsets.UTF_8);
  }

  private int get(String path) throws IOException {
    return send(client -> client.get(path));
  }

  private int post(String path, @Nullable JsonNode body) throws IOException {
    return send(client -> client.post(path, body));
  }

  private int send(String method, String path, @Nullable JsonNode body) throws IOException {
    return send(client -> client.send(method, path, body));
  }

  private int send(ShopUser.Requests requests) throws IOException {
    return session().send(requests, ShopUser.MORE);
  }

  private ShopUser session() {
    return new ShopUser(folder, url, json, spec);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
