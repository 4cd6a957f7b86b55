package toystore.torture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Many load clients in one thread, each in a closed loop on its own connection. A client sends the
/// next request as soon as the previous one is answered, even with 503: this is the highest
/// possible load per connection, and cheap enough to share two cores with the store.
///
/// One thread.
final class LoadClients implements AutoCloseable {
  /// The requests to send.
  enum RequestMix {
    /// Query a product.
    QUERY,
    /// Buy one unit.
    BUY,
    /// Search the products.
    SEARCH,
    /// Half queries, half buys; half of the buys have an `Idempotency-Key` of the client.
    MIXED
  }

  private static final long RESPONSE_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int MOST_BYTES = 4_096;

  private final InetSocketAddress store;
  private final RequestMix mix;
  private final SplittableRandom random;
  private final Selector selector = Selector.open();
  private final List<LoadConnection> connections = new ArrayList<>();
  private final String name;
  private long nextKey;
  private LoadResult result = new LoadResult();
  private boolean sending = true;

  /// @param port of the frontend
  LoadClients(int port, int count, RequestMix mix, long seed) throws IOException {
    this.store = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    this.mix = mix;
    this.random = new SplittableRandom(seed);
    this.name = Long.toHexString(seed) + "-" + count + "-" + System.nanoTime();
    for (int i = 0; i < count; i++) {
      connections.add(new LoadConnection());
    }
  }

  /// Sends requests for a given time.
  ///
  /// @return the responses received in that time
  LoadResult run(Duration time) throws IOException {
    result = new LoadResult();
    long begin = System.nanoTime();
    for (LoadConnection connection : connections) {
      connection.begin();
    }
    long end = begin + time.toNanos();
    for (long left; (left = end - System.nanoTime()) > 0; ) {
      serve(left);
    }
    result.nanos = System.nanoTime() - begin;
    return result;
  }

  /// Stops sending and waits for outstanding responses.
  ///
  /// @return these responses; requests without a response within 10 s are counted as unanswered
  LoadResult drain() throws IOException {
    result = new LoadResult();
    sending = false;
    long begin = System.nanoTime();
    long end = begin + RESPONSE_TIMEOUT_NANOS;
    for (long left; (left = end - System.nanoTime()) > 0 && countAwaiting() > 0; ) {
      serve(left);
    }
    result.unanswered += countAwaiting();
    result.nanos = System.nanoTime() - begin;
    return result;
  }

  private long countAwaiting() {
    return connections.stream().filter(it -> it.awaitingResponse).count();
  }

  private void serve(long nanos) throws IOException {
    selector.select(
        key -> ((LoadConnection) key.attachment()).handleEvent(key),
        Math.clamp(TimeUnit.NANOSECONDS.toMillis(nanos), 1, 100));
  }

  @Override
  public void close() throws IOException {
    for (LoadConnection connection : connections) {
      connection.disconnect();
    }
    selector.close();
  }

  private byte[] request() {
    boolean isBuy =
        switch (mix) {
          case QUERY, SEARCH -> false;
          case BUY -> true;
          case MIXED -> random.nextBoolean();
        };
    boolean keyed = mix == RequestMix.MIXED && random.nextBoolean();
    String body = isBuy ? "{\"name\":\"Tux\",\"quantity\":1}" : "";
    String text =
        (isBuy
                ? "POST /orders"
                : mix == RequestMix.SEARCH ? "GET /products?q=tux" : "GET /products/Tux")
            + " HTTP/1.1\r\nHost: localhost\r\n"
            + (isBuy ? "Content-Length: " + body.length() + "\r\n" : "")
            + (isBuy && keyed ? "Idempotency-Key: " + name + "-" + nextKey++ + "\r\n" : "")
            + "\r\n"
            + body;
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /// One connection.
  private final class LoadConnection {
    private final ByteBuffer in = ByteBuffer.allocate(MOST_BYTES);
    private @Nullable SocketChannel channel;
    private ByteBuffer out = ByteBuffer.allocate(0);
    private long sentAt;
    private boolean awaitingResponse;
    private boolean isBuy;

    void begin() throws IOException {
      if (!awaitingResponse) {
        sendNext();
      }
    }

    private void sendNext() throws IOException {
      byte[] request = request();
      isBuy = request[0] == 'P';
      out = ByteBuffer.wrap(request);
      in.clear();
      sentAt = System.nanoTime();
      awaitingResponse = true;
      if (channel == null) {
        connect();
      } else {
        write(channel);
      }
    }

    private void connect() throws IOException {
      channel = SocketChannel.open();
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      boolean there = channel.connect(store);
      channel.register(selector, there ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT, this);
      if (there) {
        write(channel);
      }
    }

    /// Writes the whole request: it is much smaller than the socket's send buffer.
    private void write(SocketChannel to) throws IOException {
      try {
        to.write(out);
      } catch (IOException gone) {
        connectionLost(gone.toString());
        return;
      }
      if (out.hasRemaining()) {
        throw new IllegalStateException("the request does not fit into the socket's send buffer");
      }
    }

    /// Handles an event of the connection.
    void handleEvent(SelectionKey key) {
      try {
        SocketChannel from = (SocketChannel) key.channel();
        if (key.isConnectable()) {
          from.finishConnect();
          key.interestOps(SelectionKey.OP_READ);
          write(from);
        } else if (from.read(in) < 0) {
          connectionLost("the store closed the connection");
        } else {
          readAnswer();
        }
      } catch (IOException gone) {
        connectionLost(gone.toString());
      }
    }

    private void readAnswer() throws IOException {
      String text = new String(in.array(), 0, in.position(), StandardCharsets.ISO_8859_1);
      int head = text.indexOf("\r\n\r\n") + 4;
      if (head < 4) {
        return;
      }
      int length = Integer.parseInt(header(text, head, "content-length", "0"));
      if (in.position() < head + length) {
        return;
      }
      awaitingResponse = false;
      result.count(
          Integer.parseInt(text, 9, 12, 10),
          !header(text, head, "retry-after", "").isEmpty(),
          isBuy,
          System.nanoTime() - sentAt,
          text);
      if (header(text, head, "connection", "").equalsIgnoreCase("close")) {
        disconnect();
      }
      if (sending) {
        sendNext();
      }
    }

    private void connectionLost(String why) {
      disconnect();
      if (!awaitingResponse) {
        return;
      }
      awaitingResponse = false;
      if (in.position() == 0) {
        result.closed++;
        sendAgain();
      } else if (result.unanswered++ == 0) {
        result.firstFailure = why;
      }
    }

    private void sendAgain() {
      try {
        if (sending) {
          sendNext();
        }
      } catch (IOException e) {
        throw new UncheckedIOException("cannot open a connection to the store", e);
      }
    }

    void disconnect() {
      if (channel != null) {
        try {
          channel.close();
        } catch (IOException gone) {
          // the connection is closed
        }
        channel = null;
      }
    }
  }

  private static String header(String text, int head, String name, String without) {
    for (int at = text.indexOf("\r\n") + 2; at < head - 2; at = text.indexOf("\r\n", at) + 2) {
      if (text.regionMatches(true, at, name, 0, name.length())
          && text.charAt(at + name.length()) == ':') {
        return text.substring(at + name.length() + 1, text.indexOf("\r\n", at)).strip();
      }
    }
    return without;
  }
}
