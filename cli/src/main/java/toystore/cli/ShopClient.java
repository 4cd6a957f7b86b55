package toystore.cli;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The REST API of the marketplace, used by one user. A POST has an `Idempotency-Key`, and is
/// repeated with it if its answer is lost. One thread.
final class ShopClient {
  private static final int TRIES = 5;
  private static final int GATEWAY_TIMEOUT = 504;
  private static final int UNAVAILABLE = 503;
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final HttpStore shop;
  private final @Nullable String token;
  private final Consumer<String> warnings;
  private final Duration pause;

  /// @param token the bearer token of the user's session; null: none
  ShopClient(HttpStore shop, @Nullable String token, Consumer<String> warnings) {
    this(shop, token, warnings, PAUSE);
  }

  ShopClient(HttpStore shop, @Nullable String token, Consumer<String> warnings, Duration pause) {
    this.shop = shop;
    this.token = token;
    this.warnings = warnings;
    this.pause = pause;
  }

  String token() {
    return token == null ? "" : token;
  }

  /// Sends a request once.
  HttpStore.Answer sendOnce(String method, String path, @Nullable JsonNode body)
      throws IOException, InterruptedException {
    return shop.send(request(method, path, body).build());
  }

  HttpStore.Answer get(String path) throws IOException, InterruptedException {
    return send("GET", path, null);
  }

  /// Sends a request once.
  ///
  /// @throws CommandRefusal with exit code 3 if there is no answer
  HttpStore.Answer send(String method, String path, @Nullable JsonNode body)
      throws IOException, InterruptedException {
    try {
      return sendOnce(method, path, body);
    } catch (ConnectException | HttpConnectTimeoutException away) {
      throw CommandRefusal.unavailable(notReached(away));
    } catch (IOException lost) {
      throw CommandRefusal.unavailable(
          "no answer from the shop (%s)%s",
          lost, method.equals("GET") ? "" : "; it may have done what was asked");
    }
  }

  HttpStore.Answer post(String path, @Nullable JsonNode body)
      throws IOException, InterruptedException {
    return post(path, body, UUID.randomUUID().toString());
  }

  /// Sends a POST until its outcome is known, a bounded number of times: each repeat has the same
  /// key, so that the shop does it once.
  ///
  /// @throws CommandRefusal with exit code 3 if the outcome is still unknown, with the key
  HttpStore.Answer post(String path, @Nullable JsonNode body, String key)
      throws IOException, InterruptedException {
    var request = request("POST", path, body).header("Idempotency-Key", key).build();
    var lost = "";
    for (var attempt = 1; attempt <= TRIES; attempt++) {
      if (attempt > 1) {
        warnings.accept(
            String.format(
                Locale.ROOT,
                "no answer (%s); asking again with the same key, %d of %d",
                lost,
                attempt,
                TRIES));
        Thread.sleep(pause);
      }
      try {
        var answer = shop.send(request);
        // after a lost answer, 503 says only that the repeat was not done
        if (answer.status() != GATEWAY_TIMEOUT
            && (lost.isEmpty() || answer.status() != UNAVAILABLE)) {
          return answer;
        }
        lost = "status " + answer.status();
      } catch (ConnectException | HttpConnectTimeoutException away) {
        if (lost.isEmpty()) {
          throw CommandRefusal.unavailable(notReached(away));
        }
        lost = away.toString();
      } catch (IOException broken) {
        lost = broken.toString();
      }
    }
    throw CommandRefusal.unavailable(
        "the outcome is unknown: the shop has not answered %d times (%s); its Idempotency-Key is %s",
        TRIES, lost, key);
  }

  private String notReached(IOException away) {
    return String.format(
        Locale.ROOT, "cannot reach a shop at %s (%s); nothing was done", shop, away);
  }

  /// A request as this user.
  HttpRequest.Builder request(String method, String path, @Nullable JsonNode body) {
    var request = shop.request(path).header("Accept", "application/json");
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    if (body != null) {
      request.header("Content-Type", "application/json");
    }
    return request.method(
        method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body.toString()));
  }
}
