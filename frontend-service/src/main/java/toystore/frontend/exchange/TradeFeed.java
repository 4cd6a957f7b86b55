package toystore.frontend.exchange;

import static toystore.common.RootLocale.format;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter.DataWithMediaType;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter.SseEventBuilder;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.paging.PagedResponse;
import toystore.frontend.security.BearerToken;
import toystore.frontend.security.SessionClient;
import toystore.frontend.security.UserSession;
import toystore.platform.error.ErrorReason;
import toystore.platform.service.AdministratorToken;
import toystore.platform.service.SessionWatch;

/// Sends the exchange's trades and depth as server-sent events. Each reader has a virtual thread,
/// which sends all that has come in one write. A write that makes no progress ends with Tomcat's
/// timeout (`server.tomcat.connection-timeout`), and there is one at least each second, which
/// notices that a connection has closed. A reader that is behind the [FeedLog] reads what it missed
/// from the exchange. A feed ends with its session. Any thread.
@Component
public final class TradeFeed implements SmartLifecycle {
  /// A reader's connection uses about 65 kB of heap.
  private static final int MAX_READERS = 200;

  private static final int MAX_READERS_OF_USER = 5;
  private static final Duration HEARTBEAT = Duration.ofSeconds(1);

  /// Between two writes to a reader: many trades become one write.
  private static final Duration MIN_PAUSE = Duration.ofMillis(20);

  private static final Duration MAX_TIME = Duration.ofHours(1);

  private static final long RECONNECT_MILLIS = 1_000;
  private static final String LAST_EVENT_ID = "Last-Event-ID";

  private final FeedClient client;
  private final SessionClient sessions;
  private final SessionWatch sessionWatch;
  private final AdministratorToken administrator;
  private final Set<FeedReader> readers = new LinkedHashSet<>(); // the oldest first
  private boolean running;

  TradeFeed(
      FeedClient client,
      SessionClient sessions,
      SessionWatch sessionWatch,
      AdministratorToken administrator,
      MeterRegistry registry) {
    this.client = client;
    this.sessions = sessions;
    this.sessionWatch = sessionWatch;
    this.administrator = administrator;
    Gauge.builder("toystore.feed.readers", this, TradeFeed::size)
        .description("readers of the exchange's feed")
        .register(registry);
  }

  /// Begins to send events to the client. Query parameters: `symbol`, absent: all; `after`: number
  /// of the last trade that the client knows, used if it sends no `Last-Event-ID`.
  public SseEmitter open(
      BearerToken bearer, HttpServletRequest request, HttpServletResponse response) {
    String symbol =
        Optional.ofNullable(request.getParameter("symbol"))
            .filter(it -> !it.isEmpty())
            .map(ExchangeClient::checkedSymbol)
            .orElse("");
    OptionalLong after = after(request);
    FeedReader reader = reader(bearer, symbol);
    if (HttpMethod.HEAD.matches(request.getMethod())) {
      return headers(symbol, after, response);
    }
    enter(reader);
    Runnable unwatch =
        reader.sessionId() == 0 ? () -> {} : sessionWatch.watch(reader.sessionId(), reader::end);
    try {
      FeedLog log = client.add(reader);
      FeedLog.Page begin =
          log.resume(after, reader).orElseGet(() -> client.replay(symbol, after, log.changes()));
      setHeaders(response);
      var emitter = new SseEmitter(0L); // run() ends it
      Thread.ofVirtual()
          .name("feed-reader")
          .start(() -> {
            try {
              run(emitter, reader, log, begin);
            } finally {
              unwatch.run();
              leave(reader);
            }
          });
      return emitter;
    } catch (RuntimeException | Error e) {
      unwatch.run();
      leave(reader);
      throw e;
    }
  }

  /// The answer to HEAD: that of GET without its events, for a bearer that the exchange knows.
  private SseEmitter headers(String symbol, OptionalLong after, HttpServletResponse response) {
    client.replay(symbol, after, 0);
    setHeaders(response);
    var emitter = new SseEmitter();
    emitter.complete();
    return emitter;
  }

  private static void setHeaders(HttpServletResponse response) {
    response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    response.setHeader("X-Accel-Buffering", "no"); // nginx sends events at once
  }

  private FeedReader reader(BearerToken bearer, String symbol) {
    if (administrator.check("Bearer " + bearer.inMetadata())
        == AdministratorToken.Shown.ADMINISTRATOR) {
      return new FeedReader("administrator", 0, symbol);
    }
    UserSession session = sessions.find(bearer);
    return new FeedReader(session.user(), session.sessionId(), symbol);
  }

  private static OptionalLong after(HttpServletRequest request) {
    for (String name : List.of(LAST_EVENT_ID, "after")) {
      String text =
          name.equals(LAST_EVENT_ID) ? request.getHeader(name) : request.getParameter(name);
      if (text != null && !text.isEmpty()) {
        return OptionalLong.of(PagedResponse.parseNumber(name, text, 0, Long.MAX_VALUE));
      }
    }
    return OptionalLong.empty();
  }

  /// Adds a reader, which takes the place of the user's oldest one if the user has too many.
  private synchronized void enter(FeedReader reader) {
    if (!running) {
      throw ApiException.of(ErrorReason.NOT_DONE, "the frontend stops");
    }
    List<FeedReader> ofUser =
        readers.stream().filter(it -> it.user().equals(reader.user())).toList();
    if (ofUser.size() >= MAX_READERS_OF_USER) {
      ofUser.getFirst().end();
      readers.remove(ofUser.getFirst());
    }
    if (readers.size() >= MAX_READERS) {
      throw ApiException.of(
          ErrorReason.OVERLOADED,
          format("the feed has %d readers, which is the maximum; retry later", MAX_READERS));
    }
    readers.add(reader);
  }

  private void leave(FeedReader reader) {
    client.remove(reader);
    synchronized (this) {
      readers.remove(reader);
    }
  }

  private synchronized int size() {
    return readers.size();
  }

  private void run(SseEmitter emitter, FeedReader reader, FeedLog log, FeedLog.Page begin) {
    try {
      emitter.send(
          SseEmitter.event().reconnectTime(RECONNECT_MILLIS).comment("the exchange's feed"));
      sendReplay(emitter, begin);
      sendNew(emitter, reader, log, begin.next());
      emitter.complete();
    } catch (ApiException e) { // the exchange went away during a replay
      emitter.complete();
    } catch (IOException | IllegalStateException e) {
      // the client has gone or reads nothing; the container ends the request
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void sendNew(SseEmitter emitter, FeedReader reader, FeedLog log, FeedLog.Cursor begin)
      throws IOException, InterruptedException {
    FeedLog.Cursor cursor = begin;
    long start = System.nanoTime();
    while (!reader.hasEnded() && System.nanoTime() - start < MAX_TIME.toNanos()) {
      Optional<FeedLog.Page> known = log.after(cursor, reader);
      if (known.isEmpty()) {
        FeedLog.Page missed =
            client.replay(reader.symbol(), OptionalLong.of(cursor.trade()), cursor.change());
        sendReplay(emitter, missed);
        cursor = missed.next();
        Thread.sleep(MIN_PAUSE);
        continue;
      }
      List<FeedLog.Event> events = known.get().events();
      cursor = known.get().next();
      if (events.isEmpty() && reader.await(HEARTBEAT)) {
        continue;
      }
      var items = new LinkedHashSet<DataWithMediaType>();
      events.forEach(it -> items.addAll(toServerSentEvent(it).build()));
      if (events.isEmpty()) {
        items.addAll(SseEmitter.event().comment("heartbeat").build());
      }
      emitter.send(items);
      Thread.sleep(MIN_PAUSE);
    }
  }

  /// With the number of the last trade, from which a reader resumes that has seen none.
  private static void sendReplay(SseEmitter emitter, FeedLog.Page page) throws IOException {
    var items = new LinkedHashSet<DataWithMediaType>();
    page.events().forEach(it -> items.addAll(toServerSentEvent(it).build()));
    items.addAll(SseEmitter.event().id(Long.toString(page.next().trade())).build());
    emitter.send(items);
  }

  private static SseEventBuilder toServerSentEvent(FeedLog.Event event) {
    String json = event.json().get();
    return event.isTrade()
        ? SseEmitter.event().id(Long.toString(event.tradeId())).name("trade").data(json)
        : SseEmitter.event().name("depth").data(json);
  }

  @Override
  public synchronized void start() {
    running = true;
  }

  /// Ends all feeds before the server waits for its requests.
  @Override
  public synchronized void stop() {
    running = false;
    readers.forEach(FeedReader::end);
  }

  @Override
  public synchronized boolean isRunning() {
    return running;
  }
}
