package toystore.cli.shop;

import java.io.IOException;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import toystore.cli.command.UrlOption;
import toystore.clients.StoreHttpClient;
import toystore.clients.StoreHttpClient.Reply;

/// The user who is logged in at a shop, or nobody. Sends the requests of a command and prints the
/// answer.
///
/// @param json whether to print the API's answer as it is
/// @param command prints to its output
record ShopUser(ShopFolder folder, String url, boolean json, CommandSpec command) {
  static final String MORE = "more: add --after ";

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();
  private static final int UNAUTHORIZED = 401;

  /// Sends the requests of a command.
  @FunctionalInterface
  interface Requests {
    Reply with(ShopClient client) throws IOException;
  }

  /// @param more what to print before where a list continues
  /// @return the exit code
  int send(Requests requests, String more) throws IOException {
    var shop = new StoreHttpClient(UrlOption.parse("http", url), 0);
    String token = folder.login(url).map(ShopLogin::token).orElse(null);
    Reply answer = requests.with(new ShopClient(shop, token, this::warn));
    if (json) {
      print(answer.body());
    } else if (answer.status() < 300) {
      print(ShopText.of(tree(answer), more));
    }
    if (answer.status() < 300) {
      return 0;
    }
    warn(reason(answer));
    return answer.status() < 500 ? 1 : 3;
  }

  void print(String text) {
    command.commandLine().getOut().println(text);
  }

  private void warn(String line) {
    command.commandLine().getErr().println(line);
  }

  /// The reason of a refusal: RFC 9457's detail.
  private static String reason(Reply answer) {
    JsonNode problem = tree(answer);
    String detail = problem.path("detail").asString(problem.path("title").asString(""));
    return ShopText.printable(detail.isEmpty() ? "status " + answer.status() : detail)
        + (answer.status() == UNAUTHORIZED ? " (to log in: shop login buyer|seller NAME)" : "");
  }

  /// The body of an answer; a missing node if it is no JSON.
  static JsonNode tree(Reply answer) {
    try {
      return JSON.readTree(answer.body());
    } catch (JacksonException noJson) {
      return JSON.missingNode();
    }
  }
}
