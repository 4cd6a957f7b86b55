package toystore.frontend.exchange;

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
import toystore.frontend.http.ApiErrorReason;
import toystore.frontend.http.ApiException;
import toystore.frontend.http.BearerToken;
import toystore.frontend.http.PagedResponse;

/// Sends the exchange's trades and depth as server-sent events. Each reader has a [FeedBuffer] and
/// a virtual thread, which sends all that has come in one write. A write that makes no progress
/// ends with Tomcat's timeout (`toystore.frontend.body-time`). A reader that is too slow is
/// disconnected; like any other, it may resume with `Last-Event-ID`. Any thread.
@Component
public final class TradeFeed implements SmartLifecycle {
  /// A reader's connection uses about 65 kB of heap.
  private static final int MAX_READERS = 200;

  private static final Duration HEARTBEAT = Duration.ofSeconds(15);

  /// Between two writes to a reader: many trades become one write.
  private static final Duration MIN_PAUSE = Duration.ofMillis(20);

  /// Sessions end. A reader whose session has ended cannot resume.
  private static final Duration MAX_TIME = Duration.ofHours(1);

  private static final long RECONNECT_MILLIS = 1_000;
  private static final String LAST_EVENT_ID = "Last-Event-ID";

  private final FeedClient client;
  private final Counter dropped;
  private final Set<FeedBuffer> readers = ConcurrentHashMap.newKeySet();
  private volatile boolean running;

  TradeFeed(FeedClient client, MeterRegistry registry) {
    this.client = client;
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
    if (HttpMethod.HEAD.matches(request.getMethod())) {
      return headers(bearer, symbol, after, response);
    }
    var buffer = new FeedBuffer(symbol);
    enter(buffer);
    try {
      client.add(buffer);
      FeedReplay replay = client.replay(bearer, symbol, after);
      setHeaders(response);
      var emitter = new SseEmitter(0L); // run() ends it
      Thread.ofVirtual()
          .name("feed-reader")
          .start(() -> run(emitter, bearer, symbol, buffer, replay));
      return emitter;
    } catch (RuntimeException | Error e) {
      leave(buffer);
      throw e;
    }
  }

  /// The answer to HEAD: that of GET without its events, for a bearer that the exchange knows.
  private SseEmitter headers(
      BearerToken bearer, String symbol, OptionalLong after, HttpServletResponse response) {
    client.replay(bearer, symbol, after);
    setHeaders(response);
    var emitter = new SseEmitter();
    emitter.complete();
    return emitter;
  }

  private static void setHeaders(HttpServletResponse response) {
    response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    response.setHeader("X-Accel-Buffering", "no"); // nginx sends events at once
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

  private synchronized void enter(FeedBuffer buffer) {
    if (!running) {
      throw ApiException.of(ApiErrorReason.NOT_DONE, "the frontend stops");
    }
    if (readers.size() >= MAX_READERS) {
      throw ApiException.of(
          ApiErrorReason.OVERLOADED,
          "the feed has %d readers, which is the maximum; retry later".formatted(MAX_READERS));
    }
    readers.add(buffer);
  }

  private void leave(FeedBuffer buffer) {
    client.remove(buffer);
    readers.remove(buffer);
  }

  private void run(
      SseEmitter emitter, BearerToken bearer, String symbol, FeedBuffer buffer, FeedReplay begin) {
    try {
      FeedReplay replay = begin;
      emitter.send(
          SseEmitter.event().reconnectTime(RECONNECT_MILLIS).comment("the exchange's feed"));
      send(emitter, replay);
      while (!replay.complete()) {
        buffer.restart();
        replay = client.replay(bearer, symbol, OptionalLong.of(replay.position()));
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
      leave(buffer);
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
