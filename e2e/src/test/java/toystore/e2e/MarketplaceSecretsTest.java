package toystore.e2e;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import toystore.clients.MarketplaceClient;
import toystore.clients.StoreHttpClient;
import toystore.clients.StoreHttpClient.Reply;

/// Passwords, tokens and card data are in no log, metric or file.
@Tag("long")
class MarketplaceSecretsTest {
  private static final String CARD =
      "{\"card_holder_name\":\"Zacharias Quill\",\"card_number\":\"4716338219870465\",\"expiration_date\":\"07/93\",\"security_code\":\"9486\"}";

  @TempDir Path folder;

  /// Collects all messages with their stack traces.
  private static final class LoggedText extends AppenderBase<ILoggingEvent> {
    private final List<String> lines = new ArrayList<>();

    @Override
    protected synchronized void append(ILoggingEvent event) {
      lines.add(event.getLoggerName() + ": " + event.getFormattedMessage());
      if (event.getThrowableProxy() != null) {
        lines.add(ThrowableProxyUtil.asString(event.getThrowableProxy()));
      }
    }

    synchronized String text() {
      return String.join("\n", lines);
    }
  }

  @Test
  void noSecretIsLoggedMeasuredOrStored() throws IOException {
    var logged = new LoggedText();
    var root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    Level level = root.getLevel();
    var others = new ArrayList<Appender<ILoggingEvent>>();
    var secrets = new ArrayList<>(List.of("4716338219870465", "9486", "07/93", "Zacharias Quill"));
    var found = new TreeMap<String, String>();
    try (var market = MarketplaceStore.in(folder)) {
      logged.start();
      root.iteratorForAppenders().forEachRemaining(others::add);
      others.forEach(root::detachAppender); // the console is slow
      root.setLevel(Level.DEBUG); // after the start, which configures the logging
      root.addAppender(logged);
      secrets.addAll(List.of("password of zoe", "password of zac", "wrong guess", "not JSON"));
      secrets.add(market.store().administratorsToken());
      var http = market.store().http();
      var seller = MarketplaceClient.seller(http, "zoe").register();
      var buyer = MarketplaceClient.buyer(http, "zac").register();
      secrets.addAll(List.of(seller.token(), buyer.token()));
      long item = seller.addItem("Castle", 1250, 10);
      buyer.addToCart(item, 2);
      buyer.saveCart();
      buyWithBadAndDeclinedCards(buyer);
      assertThat(MarketplaceStore.send(buyer, "POST", "/api/purchases", CARD).status())
          .isEqualTo(201);
      String feedback = "/api/items/" + item + "/feedback";
      MarketplaceStore.send(buyer, "POST", feedback, "{\"feedback\":\"up\"}");
      http.post("/api/buyers/login", "{\"username\":\"zac\",\"password\":\"wrong guess\"}");
      http.post("/api/buyers/login", "{\"username\":\"zac\",\"password\":\"not JSON\"");
      http.post("/api/buyers/login", "{\"username\":\"zac\",\"password\":[\"not JSON\"]}");
      secrets.add(buyOnPages(http, item));
      find(secrets, "metrics", http.metrics(), found);
      find(secrets, "audit", http.audit().body(), found);
      find(secrets, "health", http.management("/health").body(), found);
      findInFiles(secrets, found);
      MarketplaceStore.send(buyer, "POST", "/api/buyers/logout", "");
    } finally {
      root.setLevel(level);
      root.detachAppender(logged);
      others.forEach(root::addAppender);
    }
    findInFiles(secrets, found);
    assertThat(logged.text()).contains("/api/purchases"); // DEBUG is on
    find(secrets, "log", logged.text(), found);
    assertThat(found).isEmpty();
  }

  private static void buyWithBadAndDeclinedCards(MarketplaceClient buyer) throws IOException {
    for (String bad :
        List.of(
            CARD.replace("4716338219870465", "4716338219870465x"),
            CARD.replace("\"9486\"", "9486"),
            CARD.replace("\"07/93\"", "[\"07/93\"]"),
            CARD.replace("}", ",}"),
            CARD.replace("4716338219870465", MarketplaceClient.DECLINED_CARD))) {
      Reply reply = MarketplaceStore.send(buyer, "POST", "/api/purchases", bad);
      assertThat(reply.status()).as(reply.body()).isIn(400, 402);
    }
  }

  /// Returns the token in the cookie.
  private static String buyOnPages(StoreHttpClient http, long item) throws IOException {
    String account = "key=k&role=buyer&username=zac&password=";
    assertThat(http.post("/market/login", account + "wrong+guess").status()).isEqualTo(401);
    Reply login = http.post("/market/login", account + "password+of+zac");
    String cookie = login.header("Set-Cookie").getFirst().replaceFirst(";.*", "");
    Reply page = http.get("/market/items/" + item, "Cookie", cookie);
    String form =
        "key=k&csrf=" + page.body().replaceAll("(?s).*name=\"csrf\" value=\"(.*?)\".*", "$1");
    http.post("/market/items/" + item, form + "&quantity=1", "Cookie", cookie);
    String card =
        "&cart="
            + item
            + ":1@1250&card-holder=Zacharias+Quill&card-expiry=07%2F93&card-code=9486&card-number=";
    assertThat(
            Stream.of(MarketplaceClient.DECLINED_CARD, "4716338219870465x", "4716338219870465")
                .map(number -> paid(http, form + card + number, cookie)))
        .containsExactly(402, 400, 303);
    return cookie.substring(cookie.indexOf('=') + 1);
  }

  private static int paid(StoreHttpClient http, String form, String cookie) {
    try {
      return http.post("/market/checkout", form, "Cookie", cookie).status();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void findInFiles(List<String> secrets, Map<String, String> found) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (!file.endsWith("admin-token")) {
          find(secrets, file.toString(), Files.readString(file, ISO_8859_1), found);
        }
      }
    }
  }

  /// Short secrets are found only as whole words, because their digits may occur by chance.
  private static void find(
      List<String> secrets, String where, String text, Map<String, String> found) {
    for (String secret : secrets) {
      if (!text.contains(secret)) {
        continue; // much faster than the search for words
      }
      var match =
          Pattern.compile("(?<![0-9A-Za-z.-])" + Pattern.quote(secret) + "(?![0-9A-Za-z-])");
      var matcher = match.matcher(text);
      if (matcher.find()) {
        int from = Math.max(0, matcher.start() - 200);
        found.put(
            where + ": " + secret,
            text.substring(from, Math.min(text.length(), matcher.end() + 50)));
      }
    }
  }
}
