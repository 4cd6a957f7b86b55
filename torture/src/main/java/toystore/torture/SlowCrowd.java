package toystore.torture;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Connections that send a byte a second, each until the store ends it: the even ones of a head
/// that never ends, the odd ones of a body that was announced. A thread of its own.
final class SlowCrowd implements AutoCloseable {
  private static final String HEAD = "GET /products/Tux HTTP/1.1\r\nHost: store\r\nX-Slow: ";
  private static final String BODY =
      "POST /orders HTTP/1.1\r\nHost: store\r\nContent-Length: 60000\r\n\r\n{";
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LOOK_EVERY_MS = 10;

  private final Selector selector = Selector.open();
  private final List<Sender> senders = new ArrayList<>();
  private final Thread thread = new Thread(this::run, "slow crowd");
  private volatile boolean sending = true;

  /// @param port of the frontend
  SlowCrowd(int port, int count) throws IOException {
    var store = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    for (int i = 0; i < count; i++) {
      senders.add(new Sender(store, i % 2 == 0 ? HEAD : BODY));
    }
    thread.start();
  }

  /// How many the store bears.
  long slow() {
    return senders.stream().filter(it -> it.began && !it.ended).count();
  }

  /// How many it has begun to bear.
  long began() {
    return senders.stream().filter(it -> it.began).count();
  }

  /// How long the store bore the one it bore longest.
  Duration longest() {
    return Duration.ofNanos(senders.stream().mapToLong(it -> it.nanos).max().orElse(0));
  }

  private void run() {
    try {
      while (sending) {
        selector.select(key -> ((Sender) key.attachment()).go(), LOOK_EVERY_MS);
        for (Sender sender : senders) {
          sender.sendNext();
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException("the selector does not select", e);
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    sending = false;
    thread.join();
    for (Sender sender : senders) {
      sender.end();
    }
    selector.close();
  }

  /// One connection.
  private final class Sender {
    private final SocketChannel channel = SocketChannel.open();
    private final ByteBuffer in = ByteBuffer.allocate(1_024);
    private final String beginning;
    private long begin;
    private long next;
    private volatile boolean began;
    private volatile boolean ended;
    private volatile long nanos;

    Sender(InetSocketAddress store, String beginning) throws IOException {
      this.beginning = beginning;
      channel.configureBlocking(false);
      channel.connect(store);
      channel.register(selector, SelectionKey.OP_CONNECT | SelectionKey.OP_READ, this);
    }

    void go() {
      try {
        if (!began && channel.finishConnect()) {
          begin = System.nanoTime();
          next = begin + PAUSE_NANOS;
          channel.register(selector, SelectionKey.OP_READ, this);
          send(beginning);
          began = true;
        }
        while (channel.read(in.clear()) != 0) {
          if (in.position() == 0) {
            end();
            return;
          }
        }
      } catch (IOException gone) {
        end();
      }
    }

    void sendNext() {
      if (began && !ended && System.nanoTime() >= next) {
        next += PAUSE_NANOS;
        try {
          send("a");
        } catch (IOException gone) {
          end();
        }
      }
    }

    private void send(String text) throws IOException {
      channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
    }

    void end() {
      if (!ended) {
        nanos = System.nanoTime() - begin;
        ended = true;
      }
      try {
        channel.close();
      } catch (IOException gone) {
        // which is what was wanted
      }
    }
  }
}
