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

/// Many customers in one thread, each in a closed loop on a connection of its own: the next request
/// goes out as soon as the last is answered, also where that answer was 503. So they are as
/// impatient as a client can be, and cheap enough to share two cores with the store.
///
/// One thread.
final class LoadClients implements AutoCloseable {
  /// What customers want.
  enum Wish {
    /// Look at a toy.
    QUERY,
    /// Buy one.
    BUY,
    /// Half of the time the one, half the other; half of the buys with a key of the customer's.
    MIXED
  }

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int MOST_BYTES = 4_096;

  private final InetSocketAddress store;
  private final Wish wish;
  private final SplittableRandom random;
  private final Selector selector = Selector.open();
  private final List<Customer> customers = new ArrayList<>();
  private final String name;
  private long keys;
  private LoadResult tally = new LoadResult();
  private boolean buying = true;

  /// @param port of the frontend
  LoadClients(int port, int count, Wish wish, long seed) throws IOException {
    this.store = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    this.wish = wish;
    this.random = new SplittableRandom(seed);
    this.name = Long.toHexString(seed) + "-" + count + "-" + System.nanoTime();
    for (int i = 0; i < count; i++) {
      customers.add(new Customer());
    }
  }

  /// Lets them ask for a while.
  ///
  /// @return what came back in that time
  LoadResult ask(Duration time) throws IOException {
    tally = new LoadResult();
    long begin = System.nanoTime();
    for (Customer customer : customers) {
      customer.begin();
    }
    long end = begin + time.toNanos();
    for (long left; (left = end - System.nanoTime()) > 0; ) {
      serve(left);
    }
    tally.nanos = System.nanoTime() - begin;
    return tally;
  }

  /// Lets nobody ask again, and waits for the answers that are still to come.
  ///
  /// @return those; who has none in 10 s is counted as unanswered
  LoadResult leave() throws IOException {
    tally = new LoadResult();
    buying = false;
    long begin = System.nanoTime();
    long end = begin + PATIENCE_NANOS;
    for (long left; (left = end - System.nanoTime()) > 0 && waiting() > 0; ) {
      serve(left);
    }
    tally.unanswered += waiting();
    tally.nanos = System.nanoTime() - begin;
    return tally;
  }

  private long waiting() {
    return customers.stream().filter(it -> it.waits).count();
  }

  private void serve(long nanos) throws IOException {
    selector.select(
        key -> ((Customer) key.attachment()).go(key),
        Math.clamp(TimeUnit.NANOSECONDS.toMillis(nanos), 1, 100));
  }

  @Override
  public void close() throws IOException {
    for (Customer customer : customers) {
      customer.hangUp();
    }
    selector.close();
  }

  private byte[] request() {
    boolean buys =
        switch (wish) {
          case QUERY -> false;
          case BUY -> true;
          case MIXED -> random.nextBoolean();
        };
    boolean keyed = wish == Wish.MIXED && random.nextBoolean();
    String body = buys ? "{\"name\":\"Tux\",\"quantity\":1}" : "";
    String text =
        (buys ? "POST /orders" : "GET /products/Tux")
            + " HTTP/1.1\r\nHost: store\r\n"
            + (buys ? "Content-Length: " + body.length() + "\r\n" : "")
            + (buys && keyed ? "Idempotency-Key: " + name + "-" + keys++ + "\r\n" : "")
            + "\r\n"
            + body;
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /// One connection.
  private final class Customer {
    private final ByteBuffer in = ByteBuffer.allocate(MOST_BYTES);
    private @Nullable SocketChannel channel;
    private ByteBuffer out = ByteBuffer.allocate(0);
    private long asked;
    private boolean waits;
    private boolean buys;

    void begin() throws IOException {
      if (!waits) {
        askNext();
      }
    }

    private void askNext() throws IOException {
      byte[] request = request();
      buys = request[0] == 'P';
      out = ByteBuffer.wrap(request);
      in.clear();
      asked = System.nanoTime();
      waits = true;
      if (channel == null) {
        call();
      } else {
        write(channel);
      }
    }

    private void call() throws IOException {
      channel = SocketChannel.open();
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      boolean there = channel.connect(store);
      channel.register(selector, there ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT, this);
      if (there) {
        write(channel);
      }
    }

    /// A request is far smaller than a socket's buffer.
    private void write(SocketChannel to) throws IOException {
      try {
        to.write(out);
      } catch (IOException gone) {
        broken(gone.toString());
        return;
      }
      if (out.hasRemaining()) {
        throw new IllegalStateException("the request does not fit into the socket's send buffer");
      }
    }

    /// Something happened on the connection.
    void go(SelectionKey key) {
      try {
        SocketChannel from = (SocketChannel) key.channel();
        if (key.isConnectable()) {
          from.finishConnect();
          key.interestOps(SelectionKey.OP_READ);
          write(from);
        } else if (from.read(in) < 0) {
          broken("the store closed the connection");
        } else {
          readAnswer();
        }
      } catch (IOException gone) {
        broken(gone.toString());
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
      waits = false;
      tally.count(
          Integer.parseInt(text, 9, 12, 10),
          !header(text, head, "retry-after", "").isEmpty(),
          buys,
          System.nanoTime() - asked,
          text);
      if (header(text, head, "connection", "").equalsIgnoreCase("close")) {
        hangUp();
      }
      if (buying) {
        askNext();
      }
    }

    private void broken(String why) {
      hangUp();
      if (!waits) {
        return;
      }
      waits = false;
      if (in.position() == 0) {
        tally.closed++;
        askAgain();
      } else if (tally.unanswered++ == 0) {
        tally.firstBroken = why;
      }
    }

    private void askAgain() {
      try {
        if (buying) {
          askNext();
        }
      } catch (IOException e) {
        throw new UncheckedIOException("no connection could be opened", e);
      }
    }

    void hangUp() {
      if (channel != null) {
        try {
          channel.close();
        } catch (IOException gone) {
          // which is what was wanted
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
