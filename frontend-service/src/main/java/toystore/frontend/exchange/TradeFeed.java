package toystore.frontend.exchange;

import static toystore.common.RootLocale.format;

import io.micrometer.core.instrument.Counter;
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
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter.DataWithMediaType;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter.SseEventBuilder;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.PagedResponse;
import toystore.frontend.security.BearerToken;
import toystore.frontend.security.SessionClient;
import toystore.frontend.security.UserSession;
import toystore.platform.error.ErrorReason;
import toystore.platform.service.AdministratorToken;
import toystore.platform.service.SessionWatch;

/// Sends the exchange's trades and depth as server-sent events. Each reader has a [FeedBuffer] and
/// a virtual thread, which sends all that has come in one write. A write that makes no progress
/// ends with Tomcat's timeout (`server.tomcat.connection-timeout`). A reader that is too slow is
/// disconnected; like any other, it may resume with `Last-Event-ID`. A feed ends with its session.
///
/// A write notices that a connection has closed. So there is one at least each second, and readers
/// are written to at once if another reader finds no place. Any thread.
@Component
public final class TradeFeed implements SmartLifecycle {
  /// A reader's connection uses about 65 kB of heap.
  private static final int MAX_READERS = 200;

  private static final int MAX_READERS_OF_USER = 5;
  private static final Duration HEARTBEAT = Duration.ofSeconds(1);

  /// Between two writes to all readers because there is no place for another one.
  private static final Duration PROBE = Duration.ofMillis(250);

  /// Maximum wait for a place.
  private static final Duration MAX_WAIT = Duration.ofMillis(600);

  /// Between two writes to a reader: many trades become one write.
  private static final Duration MIN_PAUSE = Duration.ofMillis(20);

  private static final Duration MAX_TIME = Duration.ofHours(1);

  private static final long RECONNECT_MILLIS = 1_000;
  private static final String LAST_EVENT_ID = "Last-Event-ID";

  private final FeedClient client;
  private final SessionClient sessions;
  private final SessionWatch sessionWatch;
  private final AdministratorToken administrator;
  private final Counter dropped;
  private final Set<FeedBuffer> readers = ConcurrentHashMap.newKeySet();
  private volatile boolean running;
  private long allProbed = System.nanoTime() - PROBE.toNanos();

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
    this.dropped =
        Counter.builder("toystore.feed.dropped")
            .description("readers of the exchange's feed that were disconnected as too slow")
            .register(registry);
    Gauge.builder("toystore.feed.readers", readers, Set::size)
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
    FeedUser user = user(bearer);
    if (HttpMethod.HEAD.matches(request.getMethod())) {
      return headers(symbol, after, response);
    }
    var buffer = new FeedBuffer(user, symbol);
    enter(buffer);
    Runnable unwatch =
        user.sessionId() == 0 ? () -> {} : sessionWatch.watch(user.sessionId(), buffer::end);
    try {
      client.add(buffer);
      FeedReplay replay = client.replay(symbol, after);
      setHeaders(response);
      var emitter = new SseEmitter(0L); // run() ends it
      Thread.ofVirtual()
          .name("feed-reader")
          .start(() -> {
            try {
              run(emitter, symbol, buffer, replay);
            } finally {
              unwatch.run();
              leave(buffer);
            }
          });
      return emitter;
    } catch (RuntimeException | Error e) {
      unwatch.run();
      leave(buffer);
      throw e;
    }
  }

  /// The answer to HEAD: that of GET without its events, for a bearer that the exchange knows.
  private SseEmitter headers(String symbol, OptionalLong after, HttpServletResponse response) {
    client.replay(symbol, after);
    setHeaders(response);
    var emitter = new SseEmitter();
    emitter.complete();
    return emitter;
  }

  private static void setHeaders(HttpServletResponse response) {
    response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    response.setHeader("X-Accel-Buffering", "no"); // nginx sends events at once
  }

  private FeedUser user(BearerToken bearer) {
    if (administrator.check("Bearer " + bearer.inMetadata())
        == AdministratorToken.Shown.ADMINISTRATOR) {
      return FeedUser.ADMINISTRATOR;
    }
    UserSession session = sessions.find(bearer);
    return new FeedUser(session.user(), session.sessionId());
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

  /// Adds a reader. If there is no place, waits until readers whose connections have closed are
  /// gone.
  private synchronized void enter(FeedBuffer buffer) {
    long end = System.nanoTime() + MAX_WAIT.toNanos();
    Optional<ApiException> refusal = refusal(buffer.user());
    while (running && refusal.isPresent() && System.nanoTime() < end) {
      probe(buffer.user());
      awaitLeave();
      refusal = refusal(buffer.user());
    }
    if (refusal.isPresent()) {
      throw refusal.get();
    }
    readers.add(buffer);
  }

  private Optional<ApiException> refusal(FeedUser user) {
    if (!running) {
      return Optional.of(ApiException.of(ErrorReason.NOT_DONE, "the frontend stops"));
    }
    if (countOf(user) >= MAX_READERS_OF_USER) {
      return Optional.of(
          ApiException.of(
              ErrorReason.TOO_MANY_FEEDS,
              format(
                  "the user has %d feeds, which is the maximum; end one first",
                  MAX_READERS_OF_USER)));
    }
    return readers.size() < MAX_READERS
        ? Optional.empty()
        : Optional.of(
            ApiException.of(
                ErrorReason.OVERLOADED,
                format("the feed has %d readers, which is the maximum; retry later", MAX_READERS)));
  }

  private long countOf(FeedUser user) {
    return readers.stream().filter(it -> it.user().name().equals(user.name())).count();
  }

  /// Writes to the readers of the user or, from time to time, to all.
  private void probe(FeedUser user) {
    boolean all = countOf(user) < MAX_READERS_OF_USER;
    if (all && System.nanoTime() - allProbed < PROBE.toNanos()) {
      return;
    }
    allProbed = all ? System.nanoTime() : allProbed;
    readers.stream()
        .filter(it -> all || it.user().name().equals(user.name()))
        .forEach(FeedBuffer::ping);
  }

  private void awaitLeave() {
    try {
      wait(MIN_PAUSE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ApiException.of(ErrorReason.NOT_DONE, "the frontend stops");
    }
  }

  private void leave(FeedBuffer buffer) {
    client.remove(buffer);
    synchronized (this) {
      readers.remove(buffer);
      notifyAll();
    }
  }

  private void run(SseEmitter emitter, String symbol, FeedBuffer buffer, FeedReplay begin) {
    try {
      FeedReplay replay = begin;
      emitter.send(
          SseEmitter.event().reconnectTime(RECONNECT_MILLIS).comment("the exchange's feed"));
      send(emitter, replay);
      while (!replay.complete()) {
        buffer.restart();
        replay = client.replay(symbol, OptionalLong.of(replay.position()));
        send(emitter, replay);
      }
      sendNew(emitter, buffer, replay.position());
      emitter.complete();
    } catch (ApiException e) { // the exchange went away during a replay
      emitter.complete();
    } catch (IOException | IllegalStateException e) {
      // the client has gone or reads nothing; the container ends the request
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (buffer.hasOverflowed()) {
        dropped.increment();
      }
    }
  }

  private static void send(SseEmitter emitter, FeedReplay replay) throws IOException {
    var items = new LinkedHashSet<DataWithMediaType>();
    replay.events().forEach(it -> items.addAll(toServerSentEvent(it).build()));
    items.addAll(SseEmitter.event().id(Long.toString(replay.position())).build());
    emitter.send(items);
  }

  /// @param position the reader knows the trades up to this one
  private static void sendNew(SseEmitter emitter, FeedBuffer buffer, long position)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    while (System.nanoTime() - start < MAX_TIME.toNanos()) {
      Optional<List<FeedEvent>> events = buffer.take(HEARTBEAT);
      if (events.isEmpty()) {
        return;
      }
      var items = new LinkedHashSet<DataWithMediaType>();
      events.get().stream()
          .filter(it -> !it.isTrade() || it.tradeId() > position)
          .forEach(it -> items.addAll(toServerSentEvent(it).build()));
      if (events.get().isEmpty()) {
        items.addAll(SseEmitter.event().comment("heartbeat").build());
      }
      emitter.send(items);
      Thread.sleep(MIN_PAUSE);
    }
  }

  private static SseEventBuilder toServerSentEvent(FeedEvent event) {
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
    readers.forEach(FeedBuffer::end);
  }

  @Override
  public boolean isRunning() {
    return running;
  }
}
