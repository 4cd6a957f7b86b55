package toystore.catalog.line;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.UnaryOperator;

/// What is said on a connection, and never waits. One thread at a time.
final class LineConnection {
  /// [#proceed] says: it can go on at once.
  static final int READY = 0;

  /// [#proceed] says: it is over.
  static final int OVER = -1;

  private static final int DISCARDED = 1 << 16;

  private static final String TOO_LONG =
      "error: a line must have at most %d bytes".formatted(LineBuffer.BOUND);

  private final SocketChannel channel;
  private final UnaryOperator<String> answers;
  private final long idleNanos;
  private final LineBuffer lines = new LineBuffer();
  private ByteBuffer unsent = ByteBuffer.allocate(0);
  private boolean ended; // by its peer
  private int leftToDiscard; // before a connection is closed that said too much
  private long since = System.nanoTime();

  LineConnection(SocketChannel channel, UnaryOperator<String> answers, Duration idle)
      throws IOException {
    this.channel = channel;
    this.answers = answers;
    this.idleNanos = idle.toNanos();
    channel.configureBlocking(false);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
  }

  /// Answers one request, or comes nearer to it.
  ///
  /// @return what it waits for (a `SelectionKey`'s operation), [#READY] or [#OVER]
  int proceed() throws IOException {
    if (unsent.hasRemaining()) {
      return send();
    }
    while (!lines.hasLine()) {
      if (lines.isTooLong()) {
        return leftToDiscard == 0 ? refuse() : discard();
      }
      int read = channel.read(lines.room());
      lines.filled();
      if (read == 0) {
        return OP_READ;
      }
      if (read < 0) {
        ended = true;
        return lines.isEmpty() ? OVER : say(answers.apply(lines.take()));
      }
    }
    return say(answers.apply(lines.take()));
  }

  private int say(String answer) throws IOException {
    since = System.nanoTime();
    unsent = ByteBuffer.wrap((answer + '\n').getBytes(StandardCharsets.UTF_8));
    return send();
  }

  private int send() throws IOException {
    channel.write(unsent);
    if (unsent.hasRemaining()) {
      return OP_WRITE;
    }
    if (ended) {
      return OVER;
    }
    return lines.hasLine() || lines.isTooLong() ? READY : OP_READ;
  }

  private int refuse() throws IOException {
    leftToDiscard = DISCARDED;
    return say(TOO_LONG);
  }

  /// Takes what its peer goes on to say, up to a bound: to close before would take back from it
  /// what it was answered.
  private int discard() throws IOException {
    channel.shutdownOutput();
    var noise = ByteBuffer.allocate(LineBuffer.BOUND);
    while (leftToDiscard > 0) {
      int read = channel.read(noise.clear());
      if (read == 0) {
        return OP_READ;
      }
      leftToDiscard = read < 0 ? 0 : leftToDiscard - read;
    }
    return OVER;
  }

  /// How long its peer may still be silent, in nanoseconds; negative: it was for too long.
  long patienceNanos() {
    return idleNanos - (System.nanoTime() - since);
  }
}
