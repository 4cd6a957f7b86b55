package toystore.clients;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A client of the line protocol. One thread.
public final class LineTestClient implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 20_000;

  private final Socket socket;
  private final BufferedReader answers;

  public LineTestClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    answers = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
  }

  /// Sends requests, each terminated by a line feed, and returns all responses.
  public static List<String> exchange(int port, String requests) throws IOException {
    try (var client = new LineTestClient(port)) {
      client.send(requests).socket.shutdownOutput();
      return client.rest();
    }
  }

  public Socket socket() {
    return socket;
  }

  /// Returns all responses until the server closes the connection.
  public List<String> rest() throws IOException {
    return answers.readAllLines();
  }

  public LineTestClient send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(UTF_8));
    return this;
  }

  /// Returns the next response, or null if the server has closed the connection.
  public @Nullable String receive() throws IOException {
    return answers.readLine();
  }

  /// Returns whether the next response or the end of the connection arrives within this time.
  public boolean isAnsweredWithin(Duration time) throws IOException {
    socket.setSoTimeout((int) time.toMillis());
    try {
      receive();
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    } finally {
      socket.setSoTimeout(TIMEOUT_MILLIS);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
