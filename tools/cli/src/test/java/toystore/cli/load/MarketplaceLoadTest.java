package toystore.cli.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import toystore.cli.command.CommandLines;
import toystore.cli.command.CommandRefusal;
import toystore.cli.shop.FakeMarketplace;
import toystore.cli.shop.FakeMarketplace.Answer;

/// Runs loads of the marketplace against a fake one.
final class MarketplaceLoadTest {
  private final AtomicLong items = new AtomicLong();
  private final AtomicLong logins = new AtomicLong();
  private FakeMarketplace shop;

  @BeforeEach
  void open() throws IOException {
    shop = new FakeMarketplace();
    for (var role : List.of("buyers", "sellers")) {
      shop.answers(
          "POST /api/" + role + "/login",
          _ -> json(200, format("{\"token\":\"token-%d\"}", logins.incrementAndGet())));
    }
    shop.answers(
        "POST /api/sellers/items",
        asked -> json(201, format("{\"item_id\":%d}", idOf(asked.body()))));
    shop.answers("GET /api/items/1", 200, "{\"item\":{\"item_id\":1,\"seller_id\":17}}");
    shop.answers(
        "GET /api/sellers/17/rating", 200, "{\"rating\":{\"thumbs_up\":0,\"thumbs_down\":0}}");
    shop.answers(
        "GET /api/items/search",
        asked -> {
          var number = Integer.parseInt(asked.uri().replaceFirst(".*keywords=kw", ""));
          return json(200, format("{\"items\":[{\"item_id\":%d}]}", number + 1_000));
        });
    shop.answers("POST /api/cart/items", 201, "{\"message\":\"added\"}");
    shop.answers("POST /api/purchases", 201, "{\"items_purchased\":1}");
  }

  @AfterEach
  void close() {
    shop.close();
  }

  @Test
  void eachClientIsAUserOfItsOwn() throws Exception {
    var result = run(LoadKind.RATING, 40, 8);
    assertThat(result.calls().wrong()).isEmpty();
    assertThat(result.calls().correct()).isEqualTo(40);
    assertThat(result.perClient().getCount()).isEqualTo(8);
    assertThat(result.perClient().getSum()).isEqualTo(40);
    assertThat(LoadCommand.lines(result)).anyMatch(line -> line.startsWith("per client "));
    assertThat(namesOf("buyers")).hasSize(8);
    assertThat(tokensOf("GET /api/sellers/17/rating")).hasSizeLessThanOrEqualTo(8);
    assertThat(tokensOf("POST /api/sellers/items")).containsExactly("Bearer token-1");
  }

  @Test
  void everyKindChecksItsResponses() throws Exception {
    assertThat(run(LoadKind.SEARCH, 30, 3).calls().correct()).isEqualTo(30);
    items.set(0);
    assertThat(run(LoadKind.PURCHASE, 10, 2).calls().correct()).isEqualTo(10);
    items.set(0);
    assertThat(run(LoadKind.REGISTER_ITEM, 10, 2).calls().correct()).isEqualTo(10);
    items.set(0);
    shop.answers("GET /api/sellers/items", 200, "{\"items\":[{\"item_name\":\"another\"}]}");
    assertThat(run(LoadKind.ITEMS, 3, 1).calls().wrong()).containsOnlyKeys("item_id is not 1");
    items.set(0);
    shop.answers("GET /api/items/search", 200, "{\"items\":[]}");
    assertThat(run(LoadKind.SEARCH, 3, 1).calls().wrong())
        .allSatisfy((kind, _) -> assertThat(kind).matches("item_id is not 10[01]\\d"))
        .isNotEmpty();
    items.set(0);
    shop.answers("POST /api/purchases", 409, "{}");
    assertThat(run(LoadKind.PURCHASE, 3, 1).calls().wrong())
        .containsOnlyKeys("status 409, expected 201");
    items.set(0);
    shop.answers("GET /api/sellers/17/rating", 200, "{\"rating\":{}}");
    assertThat(run(LoadKind.RATING, 3, 1).calls().wrong()).containsOnlyKeys("thumbs_up missing");
  }

  @Test
  void busyServerIsAskedAgainDuringTheSetUpAndARefusalEndsIt() throws Exception {
    shop.failsWith(503);
    assertThat(run(LoadKind.RATING, 5, 1).calls().correct()).isEqualTo(5);
    items.set(0);
    shop.failsWith(409);
    assertThatExceptionOfType(CommandRefusal.class)
        .isThrownBy(() -> run(LoadKind.RATING, 5, 1))
        .withMessageStartingWith(
            "cannot prepare the load: POST /api/sellers/register: status 409, expected 201");
  }

  @Test
  void commandRunsTheLoad() {
    shop.answers("GET /api/sellers/items", 404, "{}");
    assertThat(execute("--kind=rating", "--requests=20", "--clients=2")).isEmpty();
    assertThat(shop.asked).filteredOn(asked -> asked.uri().endsWith("17/rating")).hasSize(40);
    assertThat(execute("--kind=rating", "--product=Tux"))
        .startsWith("--product cannot be combined with --kind rating\n");
  }

  /// An item with the keyword kw7 is number 1,007.
  private long idOf(String item) {
    return item.contains("\"kw")
        ? 1_000 + Integer.parseInt(item.replaceFirst(".*\"kw(\\d+)\".*", "$1"))
        : items.incrementAndGet();
  }

  private StoreLoad.Result run(LoadKind kind, long requests, int clients) throws Exception {
    var load = StoreLoad.prepare(kind, shop.url(), shop.url(), null, clients);
    try (var loop = load.loop()) {
      return load.run(loop, requests, 0);
    }
  }

  private String execute(String... options) {
    var err = new StringWriter();
    var line =
        CommandLines.configure(new CommandLine(new LoadCommand())).setErr(new PrintWriter(err));
    var all = new java.util.ArrayList<>(List.of(options));
    all.add("--url=" + shop.url());
    line.execute(all.toArray(String[]::new));
    return err.toString();
  }

  private Set<String> namesOf(String role) {
    return shop.asked.stream()
        .filter(asked -> asked.uri().equals("/api/" + role + "/register"))
        .map(FakeMarketplace.Asked::body)
        .collect(Collectors.toSet());
  }

  private Set<String> tokensOf(String request) {
    return shop.asked.stream()
        .filter(asked -> asked.toString().startsWith(request))
        .map(FakeMarketplace.Asked::token)
        .collect(Collectors.toSet());
  }

  private static Answer json(int status, String body) {
    return new Answer(status, body);
  }
}
