package toystore.frontend.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// A reader of server-sent events. An event is the text between two empty lines.
public final class FeedConnection implements AutoCloseable {
  static final String END = "the end";
  private static final String NOTHING = "nothing";

  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
  public final HttpResponse<InputStream> response;

  public FeedConnection(int port, String path, String... headers) {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("Accept", "text/event-stream")
            .headers(headers);
    try {
      response = HTTP.send(request.build(), BodyHandlers.ofInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    Thread.ofVirtual().start(this::read);
  }

  private void read() {
    try (var text = new Scanner(response.body(), StandardCharsets.UTF_8).useDelimiter("\n\n")) {
      text.forEachRemaining(events::add);
    }
    events.add(END);
  }

  /// The next event that is no comment.
  public String next() throws InterruptedException {
    String event = events.poll(20, TimeUnit.SECONDS);
    if (event == null) {
      return NOTHING;
    }
    return event.startsWith(":") || event.startsWith("retry") ? next() : event;
  }

  /// The next event that contains a text.
  public String next(String text) throws InterruptedException {
    String event = next();
    return event.contains(text) || event.equals(END) || event.equals(NOTHING) ? event : next(text);
  }

  /// The ids of the next trades.
  List<Long> nextTrades(int size) throws InterruptedException {
    var ids = new ArrayList<Long>();
    while (ids.size() < size) {
      String event = next("event:trade");
      assertThat(event).as("after the trades " + ids).contains("event:trade");
      ids.add(Long.valueOf(event.lines().findFirst().orElseThrow().substring("id:".length())));
    }
    return ids;
  }

  @Override
  public void close() throws IOException {
    response.body().close();
  }
}
