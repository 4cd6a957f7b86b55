package toystore.reference;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Answers each line with a line, on a pool of threads. A thread of the pool serves one request at
/// a time, or one connection until it is closed. For load clients only: nothing is bounded.
final class LineServer {
  private static final int BACKLOG = 1_000;

  private final ServerSocket listening =
      new ServerSocket(0, BACKLOG, InetAddress.ofLiteral("127.0.0.1"));
  private final Executor pool;
  private final boolean perRequest;
  private final UnaryOperator<String> answers;

  LineServer(Executor pool, boolean perRequest, UnaryOperator<String> answers) throws IOException {
    this.pool = pool;
    this.perRequest = perRequest;
    this.answers = answers;
    Thread.ofPlatform().daemon().name("line-accept").start(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listening.accept();
        if (perRequest) {
          Thread.startVirtualThread(() -> serve(socket)); // waits for its lines, no more
        } else {
          pool.execute(() -> serve(socket));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      var lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String request = line;
        if (perRequest) {
          var task = new FutureTask<>(() -> answer(socket, request));
          pool.execute(task);
          task.get();
        } else {
          answer(socket, request);
        }
      }
    } catch (IOException | ExecutionException closed) {
      // the client is gone
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private @Nullable Void answer(Socket socket, String line) throws IOException {
    socket.getOutputStream().write((answers.apply(line) + "\n").getBytes(UTF_8));
    return null;
  }
}
