package toystore.cli.shop;

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
import toystore.cli.command.CommandRefusal;

/// The REST API of the marketplace, used by one user. A POST has an `Idempotency-Key`, and is
/// repeated with it if its answer is lost. One thread.
///
/// @param token the bearer token of the user's session; null: none
/// @param pause before a POST is repeated
record ShopClient(
    HttpStore shop, @Nullable String token, Consumer<String> warnings, Duration pause) {
  private static final int TRIES = 5;
  private static final int GATEWAY_TIMEOUT = 504;
  private static final int UNAVAILABLE = 503;

  ShopClient(HttpStore shop, @Nullable String token, Consumer<String> warnings) {
    this(shop, token, warnings, Duration.ofSeconds(1));
  }

  HttpStore.Answer get(String path) {
    return send("GET", path, null);
  }

  /// Sends a request once.
  ///
  /// @throws CommandRefusal with exit code 3 if there is no answer
  HttpStore.Answer send(String method, String path, @Nullable JsonNode body) {
    try {
      return shop.send(request(method, path, body).build());
    } catch (ConnectException | HttpConnectTimeoutException away) {
      throw notReached(away);
    } catch (IOException lost) {
      throw CommandRefusal.unavailable(
          "no answer from the shop (%s)%s",
          lost, method.equals("GET") ? "" : "; it may have done what was asked");
    } catch (InterruptedException impossible) {
      throw new IllegalStateException("a command was interrupted", impossible);
    }
  }

  HttpStore.Answer post(String path, @Nullable JsonNode body) {
    return post(path, body, UUID.randomUUID().toString());
  }

  /// Sends a POST until its outcome is known, a bounded number of times: each repeat has the same
  /// key, so that the shop does it once.
  ///
  /// @throws CommandRefusal with exit code 3 if the outcome is still unknown, with the key
  HttpStore.Answer post(String path, @Nullable JsonNode body, String key) {
    HttpRequest request = request("POST", path, body).header("Idempotency-Key", key).build();
    var lost = "";
    for (var attempt = 1; attempt <= TRIES; attempt++) {
      try {
        if (attempt > 1) {
          var line = "no answer (%s); asking again with the same key, %d of %d";
          warnings.accept(String.format(Locale.ROOT, line, lost, attempt, TRIES));
          Thread.sleep(pause);
        }
        HttpStore.Answer answer = shop.send(request);
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
        "cannot reach a shop at %s (%s); nothing was done", shop, away);
  }

  /// A request as this user.
  private HttpRequest.Builder request(String method, String path, @Nullable JsonNode body) {
    HttpRequest.Builder request = shop.request(path).header("Accept", "application/json");
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
