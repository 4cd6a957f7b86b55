package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import toystore.clients.FreePorts;
import toystore.clients.MarketplaceClient;
import toystore.clients.RawClient;
import toystore.clients.StoreHttpClient.Reply;

/// A store in this JVM that makes recorded calls and compares the answers. A call and its answer
/// are a line each. Users log in at their first call.
///
/// ```
/// bob POST /api/cart/items {"item_id":8,"quantity":3}
/// 201 {"message":"added to the cart",…}
/// ```
final class RecordedStore implements AutoCloseable {
  private static final Set<String> SELLERS = Set.of("sue", "sam");
  private static final String OK = "200 ";

  /// For people: another version may use other words.
  private static final Set<String> TEXTS = Set.of("message", "detail", "title");

  private static final String ERROR_TEXT = "(?<=>)[^<>]+(?=</error>)|(?<=^200 error: ).*";

  /// What differs between two runs of the same calls.
  private static final String TIMES = "(?<=\"(?:time|timestamp|\\w{1,9}_at)\":\"|\\btime=\")[^\"]*";

  private final StoreFixture store;
  private final int linePort;
  private final int xmlPort;
  private final Map<String, MarketplaceClient> users = new HashMap<>();

  private RecordedStore(StoreFixture store, int linePort, int xmlPort) {
    this.store = store;
    this.linePort = linePort;
    this.xmlPort = xmlPort;
  }

  static RecordedStore in(Path folder, String... settings) throws IOException {
    int linePort = FreePorts.free();
    int xmlPort = FreePorts.free();
    var all = new ArrayList<>(List.of(settings));
    all.add("--toystore.account.bcrypt-strength=4");
    all.add("--toystore.catalog.line-port=" + linePort);
    all.add("--toystore.exchange.xml-port=" + xmlPort);
    return new RecordedStore(
        StoreFixture.in(folder, all.toArray(String[]::new)), linePort, xmlPort);
  }

  /// Makes the calls and returns them with their answers.
  ///
  /// @param part of the calls, the prefix of their idempotency keys
  List<String> record(String part, List<String> calls) throws IOException {
    var recorded = new ArrayList<String>();
    for (String call : calls) {
      String answer = answer(call, key(part, recorded.size()));
      recorded.addAll(List.of(call, answer));
    }
    awaitFinished();
    for (int i = 0; i < recorded.size(); i += 2) { // a purchase whose payment failed since
      if (isKept(recorded.get(i), recorded.get(i + 1))) {
        recorded.set(i + 1, answer(recorded.get(i), key(part, i)));
      }
    }
    repeat(part, recorded);
    return recorded;
  }

  private static String key(String part, int line) {
    return part + " " + line;
  }

  /// Makes recorded calls, which must be answered as before, except for what the mask matches.
  private void play(String part, List<String> recorded, String mask) throws IOException {
    for (int i = 0; i < recorded.size(); i += 2) {
      String call = recorded.get(i);
      assertLike(call, recorded.get(i + 1), answer(call, key(part, i)), mask);
    }
    awaitFinished();
  }

  void read(List<String> recorded) throws IOException {
    play("reads", recorded, ERROR_TEXT);
  }

  /// Makes changes that were recorded after the others.
  void change(String part, List<String> recorded) throws IOException {
    play(part, recorded, ERROR_TEXT + "|" + TIMES);
  }

  /// Repeats each call whose answer is kept forever, and expects this answer.
  void repeat(String part, List<String> recorded) throws IOException {
    for (int i = 0; i < recorded.size(); i += 2) {
      String call = recorded.get(i);
      if (isKept(call, recorded.get(i + 1))) {
        Reply reply = send(call.split(" ", 4), key(part, i));
        assertLike(call, recorded.get(i + 1), answer(reply), ERROR_TEXT);
        assertThat(reply.header("Idempotency-Replayed")).as(call).containsExactly("true");
      }
    }
  }

  private static boolean isKept(String call, String answer) {
    return answer.startsWith("2") && call.matches("\\S+ POST (?!/api/cart).*");
  }

  private String answer(String call, String key) throws IOException {
    String[] parts = call.split(" ", 4);
    return switch (parts[1]) {
      case "LINE" -> OK + RawClient.exchangeAll(linePort, parts[3] + "\n").strip();
      case "XML" -> OK + RawClient.exchangeAll(xmlPort, RawClient.framed(parts[3])).strip();
      default -> answer(send(parts, key));
    };
  }

  private static String answer(Reply reply) {
    return reply.status() + " " + reply.body();
  }

  /// @param call user, method, path and perhaps a body
  private Reply send(String[] call, String key) throws IOException {
    String body = call.length > 3 ? call[3] : "";
    var headers = new ArrayList<>(List.of("Idempotency-Key", key));
    if (!call[0].equals("-")) {
      headers.addAll(List.of("Authorization", "Bearer " + token(call[0])));
    }
    return store.http().send(call[1], call[2], body, headers.toArray(String[]::new));
  }

  private String token(String user) throws IOException {
    return user.equals("admin")
        ? store.administratorsToken()
        : users.computeIfAbsent(user, this::login).token();
  }

  private MarketplaceClient login(String user) {
    return SELLERS.contains(user)
        ? MarketplaceClient.seller(store.http(), user).login()
        : MarketplaceClient.buyer(store.http(), user).login();
  }

  /// Lets all users log in again.
  void endSessions() {
    users.clear();
  }

  /// Waits until the payments of all purchases are decided, and expects that all invariants hold.
  private void awaitFinished() throws IOException {
    await(() -> !store.http().audit().body().matches("(?s).*capture pending.*"));
    assertThat(store.http().failedChecks()).isEmpty();
  }

  /// A later version may add fields.
  private static void assertLike(String call, String recorded, String now, String mask) {
    String expected = recorded.replaceAll(mask, "");
    String found = now.replaceAll(mask, "");
    if (isJson(expected) && isJson(found)) {
      JsonNode body = json(expected);
      expected = expected.substring(0, OK.length()) + restricted(body, body);
      found = found.substring(0, OK.length()) + restricted(json(found), body);
    }
    assertThat(found).as(call).isEqualTo(expected);
  }

  private static boolean isJson(String answer) {
    return answer.startsWith("{", OK.length());
  }

  private static JsonNode json(String answer) {
    return JsonMapper.shared().readTree(answer.substring(OK.length()));
  }

  /// A value with the fields that another one has, in its order, without texts.
  private static JsonNode restricted(JsonNode value, JsonNode other) {
    if (value instanceof ObjectNode && other instanceof ObjectNode) {
      ObjectNode all = JsonNodeFactory.instance.objectNode();
      for (String name : other.propertyNames()) {
        JsonNode field = value.get(name);
        if (field != null && !TEXTS.contains(name)) {
          all.set(name, restricted(field, other.required(name)));
        }
      }
      return all;
    }
    if (value instanceof ArrayNode && other instanceof ArrayNode) {
      ArrayNode all = JsonNodeFactory.instance.arrayNode();
      for (int i = 0; i < value.size(); i++) {
        all.add(i < other.size() ? restricted(value.get(i), other.get(i)) : value.get(i));
      }
      return all;
    }
    return value;
  }

  @Override
  public void close() {
    store.close();
  }
}
