package toystore.torture.network;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The way into a shop. Each request has a connection of its own, written by hand: so nothing
/// repeats it behind our back, and it can be left alone at any byte. Any thread.
///
/// @param token the administrator's
record Door(int port, String token) {
  /// Asks and waits.
  ///
  /// @param key empty: none
  /// @return null where no whole answer came in time
  @Nullable Answer ask(Wish wish, String key, Duration patience) {
    long end = System.nanoTime() + patience.toNanos();
    try (var socket = connect(patience)) {
      socket.getOutputStream().write(request(wish, key));
      return Answer.of(new String(read(socket, end), UTF_8));
    } catch (IOException lost) {
      return null;
    }
  }

  /// Asks and goes away without waiting.
  ///
  /// @param share of the request that is sent: 1 is the whole of it
  /// @return whether the whole of it may have been sent
  boolean leave(Wish wish, String key, double share, Duration patience) {
    byte[] request = request(wish, key);
    int length = (int) Math.min(request.length, Math.floor(request.length * share));
    try (var socket = connect(patience)) {
      socket.getOutputStream().write(request, 0, length);
    } catch (IOException lost) {
      // then less of it was sent
    }
    return length == request.length;
  }

  private Socket connect(Duration patience) throws IOException {
    var socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port), (int) patience.toMillis());
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private byte[] request(Wish wish, String key) {
    String body = wish.body();
    var request = new StringBuilder(wish.target()).append(" HTTP/1.1\r\nHost: store\r\n");
    if (!key.isEmpty()) {
      request.append("Idempotency-Key: ").append(key).append("\r\n");
    }
    if (wish instanceof Wish.Restock) {
      request.append("Authorization: Bearer ").append(token).append("\r\n");
    }
    if (!body.isEmpty()) {
      request.append("Content-Length: ").append(body.length()).append("\r\n");
    }
    return request.append("Connection: close\r\n\r\n").append(body).toString().getBytes(UTF_8);
  }

  private static byte[] read(Socket socket, long end) throws IOException {
    var received = new ByteArrayOutputStream();
    InputStream in = socket.getInputStream();
    byte[] chunk = new byte[4096];
    int length;
    do {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        throw new SocketTimeoutException("no answer in time");
      }
      socket.setSoTimeout((int) left);
      length = in.read(chunk);
      received.write(chunk, 0, Math.max(length, 0));
    } while (length >= 0);
    return received.toByteArray();
  }
}
