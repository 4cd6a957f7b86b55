package toystore.frontend.http;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.catalina.connector.Request;
import org.apache.coyote.ActionCode;
import org.apache.tomcat.util.net.ApplicationBufferHandler;

/// Reads a request's body whole, bounded in bytes and in time. Any thread.
final class Body {
  static final int MAX_BYTES = 65_536;

  /// Said by [EdgeValve] where Tomcat has refused the body already.
  static final String TOO_SLOW = "the body did not arrive in time";

  private static final int FIRST_BYTES = 1_024;

  private Body() {}

  /// @param within what the whole body may take to arrive, however it is cut up
  static byte[] read(HttpServletRequest request, Duration within) {
    long announced = request.getContentLengthLong();
    if (announced > MAX_BYTES) {
      throw tooLarge();
    }
    try {
      if (isThere(request)) {
        return read(request, announced, within);
      }
      if (!Door.stepAside()) {
        throw Door.refusal();
      }
      byte[] body = read(request, -1, within);
      if (body.length < announced) {
        throw new IOException(
            "the body ended after " + body.length + " of " + announced + " bytes");
      }
      if (!Door.comeBack()) {
        throw Door.refusal();
      }
      return body;
    } catch (IOException e) {
      throw ApiError.badRequest("the body broke off");
    }
  }

  /// @param there as many bytes as surely come; -1 where nobody knows, and memory is taken only for
  ///   what has come
  private static byte[] read(HttpServletRequest request, long there, Duration within)
      throws IOException {
    var time = new TimeLeft(within);
    try {
      return there >= 0 ? known(request, (int) there, time) : unknown(request, time);
    } catch (IOException e) {
      if (time.isOver()) {
        throw ApiError.of(408, TOO_SLOW);
      }
      throw e;
    }
  }

  /// Reads and forgets what still comes, until it ends or the time is over, which ends the
  /// connection. Below the servlet's stream, which closes with the answer.
  static void discard(Request request, Duration within) {
    if (isThere(request)) {
      return; // Tomcat passes over it
    }
    if (Door.stepAside()) {
      discard(request, new TimeLeft(within));
    }
    if (!isRead(request)) {
      request.getCoyoteRequest().action(ActionCode.DISABLE_SWALLOW_INPUT, null);
    }
  }

  private static void discard(Request request, TimeLeft time) {
    var nowhere = new Nowhere();
    try {
      do {
        TimedHttp.of(request).set(time.left());
      } while (request.getCoyoteRequest().doRead(nowhere) >= 0 && !time.isOver());
    } catch (IOException e) {
      // the client is gone, which ends it as well
    }
  }

  private static boolean isThere(HttpServletRequest request) {
    long announced = request.getContentLengthLong();
    return announced >= 0 && TimedHttp.of(request).there() >= announced;
  }

  /// Whether nothing of it is still to come.
  static boolean isRead(Request request) {
    var read = new AtomicBoolean();
    request.getCoyoteRequest().action(ActionCode.REQUEST_BODY_FULLY_READ, read);
    return read.get();
  }

  static ApiError tooLarge() {
    return ApiError.of(413, "the body must be at most " + MAX_BYTES + " bytes");
  }

  private static byte[] known(HttpServletRequest request, int length, TimeLeft time)
      throws IOException {
    var bytes = new byte[length];
    InputStream in = request.getInputStream();
    int size = 0;
    while (size < length) {
      int count = read(request, in, bytes, size, time);
      if (count < 0) {
        throw new IOException("the body ended after " + size + " of " + length + " bytes");
      }
      size += count;
    }
    return bytes;
  }

  private static byte[] unknown(HttpServletRequest request, TimeLeft time) throws IOException {
    var bytes = new byte[FIRST_BYTES];
    InputStream in = request.getInputStream();
    int size = 0;
    for (int count; (count = read(request, in, bytes, size, time)) >= 0; ) {
      size += count;
      if (size > MAX_BYTES) {
        throw tooLarge();
      }
      if (size == bytes.length) {
        bytes = Arrays.copyOf(bytes, 4 * size);
      }
    }
    return Arrays.copyOf(bytes, size);
  }

  private static int read(
      ServletRequest request, InputStream in, byte[] bytes, int from, TimeLeft time)
      throws IOException {
    if (time.isOver()) {
      throw new IOException("the time is over");
    }
    TimedHttp.of(request).set(time.left());
    return in.read(bytes, from, bytes.length - from);
  }

  private record TimeLeft(long end) {
    TimeLeft(Duration within) {
      this(System.nanoTime() + within.toNanos());
    }

    Duration left() {
      return Duration.ofNanos(end - System.nanoTime());
    }

    boolean isOver() {
      return left().toMillis() <= 0;
    }
  }

  /// Where Tomcat puts what nobody wants.
  private static final class Nowhere implements ApplicationBufferHandler {
    private ByteBuffer buffer = ByteBuffer.allocate(0);

    @Override
    public void setByteBuffer(ByteBuffer buffer) {
      this.buffer = buffer;
    }

    @Override
    public ByteBuffer getByteBuffer() {
      return buffer;
    }

    @Override
    public void expand(int size) {
      // Tomcat brings buffers of its own
    }
  }
}
