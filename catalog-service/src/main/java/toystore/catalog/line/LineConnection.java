package toystore.catalog.line;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.function.UnaryOperator;

/// The state of a connection. Its methods do not block. One thread at a time.
final class LineConnection {
  /// Result of [#proceed]: call it again immediately.
  static final int READY = 0;

  /// Result of [#proceed]: close the connection.
  static final int CLOSE = -1;

  private static final int MAX_DISCARDED = 1 << 16;

  private static final String TOO_LONG =
      String.format(Locale.ROOT, "error: a line must have at most %d bytes", LineBuffer.BOUND);

  private final SocketChannel channel;
  private final UnaryOperator<String> answers;
  private final long idleNanos;
  private final LineBuffer lines = new LineBuffer();
  private ByteBuffer unsent = ByteBuffer.allocate(0);
  private boolean inputEnded; // by its peer
  private int leftToDiscard; // after a line that is too long
  private long lastActivity = System.nanoTime();

  LineConnection(SocketChannel channel, UnaryOperator<String> answers, Duration idle)
      throws IOException {
    this.channel = channel;
    this.answers = answers;
    this.idleNanos = idle.toNanos();
    channel.configureBlocking(false);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
  }

  /// Reads, or answers one request.
  ///
  /// @return the operation of the `SelectionKey` to wait for, [#READY] or [#CLOSE]
  int proceed() throws IOException {
    if (unsent.hasRemaining()) {
      return send();
    }
    while (!lines.hasLine()) {
      if (lines.isTooLong()) {
        return leftToDiscard == 0 ? rejectLongLine() : discard();
      }
      int read = channel.read(lines.writable());
      lines.written();
      if (read == 0) {
        return OP_READ;
      }
      if (read < 0) {
        inputEnded = true;
        return lines.isEmpty() ? CLOSE : respond(answers.apply(lines.takeLine()));
      }
    }
    return respond(answers.apply(lines.takeLine()));
  }

  private int respond(String answer) throws IOException {
    lastActivity = System.nanoTime();
    unsent = ByteBuffer.wrap((answer + '\n').getBytes(StandardCharsets.UTF_8));
    return send();
  }

  private int send() throws IOException {
    channel.write(unsent);
    if (unsent.hasRemaining()) {
      return OP_WRITE;
    }
    if (inputEnded) {
      return CLOSE;
    }
    return lines.hasLine() || lines.isTooLong() ? READY : OP_READ;
  }

  private int rejectLongLine() throws IOException {
    leftToDiscard = MAX_DISCARDED;
    return respond(TOO_LONG);
  }

  /// Discards further input, up to a limit. Closing immediately would reset the connection, and the
  /// peer could lose the answer.
  private int discard() throws IOException {
    channel.shutdownOutput();
    var ignored = ByteBuffer.allocate(LineBuffer.BOUND);
    while (leftToDiscard > 0) {
      int read = channel.read(ignored.clear());
      if (read == 0) {
        return OP_READ;
      }
      leftToDiscard = read < 0 ? 0 : leftToDiscard - read;
    }
    return CLOSE;
  }

  /// Remaining idle time in nanoseconds; negative if the connection was idle for too long.
  long remainingIdleNanos() {
    return idleNanos - (System.nanoTime() - lastActivity);
  }
}
