package toystore.cli.shop;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import toystore.cli.command.CommandRefusal;
import toystore.clients.StoreHttpClient;
import toystore.clients.StoreHttpClient.Reply;

/// The REST API of the marketplace, used by one user. A POST has an `Idempotency-Key`, and is
/// repeated with it if its answer is lost. One thread.
///
/// @param token the bearer token of the user's session; null: none
/// @param pause before a POST is repeated
record ShopClient(
    StoreHttpClient shop, @Nullable String token, Consumer<String> warnings, Duration pause) {
  private static final int TRIES = 5;
  private static final int GATEWAY_TIMEOUT = 504;
  private static final int UNAVAILABLE = 503;

  ShopClient(StoreHttpClient shop, @Nullable String token, Consumer<String> warnings) {
    this(shop, token, warnings, Duration.ofSeconds(1));
  }

  Reply get(String path) {
    return send("GET", path, null);
  }

  /// Sends a request once.
  ///
  /// @throws CommandRefusal with exit code 3 if there is no answer
  Reply send(String method, String path, @Nullable JsonNode body) {
    try {
      return request(method, path, body);
    } catch (ConnectException | HttpConnectTimeoutException away) {
      throw notReached(away);
    } catch (IOException lost) {
      throw CommandRefusal.unavailable(
          "no answer from the shop (%s)%s",
          lost, method.equals("GET") ? "" : "; it may have done what was asked");
    }
  }

  Reply post(String path, @Nullable JsonNode body) {
    return post(path, body, UUID.randomUUID().toString());
  }

  /// Sends a POST until its outcome is known, a bounded number of times: each repeat has the same
  /// key, so that the shop does it once.
  ///
  /// @throws CommandRefusal with exit code 3 if the outcome is still unknown, with the key
  Reply post(String path, @Nullable JsonNode body, String key) {
    var lost = "";
    for (var attempt = 1; attempt <= TRIES; attempt++) {
      try {
        if (attempt > 1) {
          var line = "no answer (%s); asking again with the same key, %d of %d";
          warnings.accept(String.format(Locale.ROOT, line, lost, attempt, TRIES));
          Thread.sleep(pause);
        }
        Reply answer = request("POST", path, body, "Idempotency-Key", key);
        // after a lost answer, 503 says only that the repeat was not done
        if (answer.status() != GATEWAY_TIMEOUT
            && (lost.isEmpty() || answer.status() != UNAVAILABLE)) {
          return answer;
        }
        lost = "status " + answer.status();
      } catch (ConnectException | HttpConnectTimeoutException away) {
        if (lost.isEmpty()) {
          throw notReached(away);
        }
        lost = away.toString();
      } catch (IOException broken) {
        lost = broken.toString();
      } catch (InterruptedException impossible) {
        throw new IllegalStateException("a command was interrupted", impossible);
      }
    }
    throw CommandRefusal.unavailable(
        "the outcome is unknown: the shop has not answered %d times (%s); its Idempotency-Key is %s",
        TRIES, lost, key);
  }

  private CommandRefusal notReached(IOException away) {
    return CommandRefusal.unavailable(
        "cannot reach a shop at %s (%s); nothing was done", shop.base(), away);
  }

  /// Sends a request as this user.
  private Reply request(String method, String path, @Nullable JsonNode body, String... more)
      throws IOException {
    List<String> headers = new ArrayList<>(List.of(more));
    headers.addAll(List.of("Accept", "application/json"));
    if (token != null) {
      headers.addAll(List.of("Authorization", "Bearer " + token));
    }
    if (body != null) {
      headers.addAll(List.of("Content-Type", "application/json"));
    }
    String text = body == null ? "" : body.toString();
    return shop.send(method, path, text, headers.toArray(String[]::new));
  }
}
