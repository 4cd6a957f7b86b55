package toystore.exchange.xml;

import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import toystore.clients.RawClient;

/// Many clients, each with a thread and a socket of its own, released together. Each creates
/// accounts. As a program, `ConnectionBurst PORT STYLE FIRST COUNT` prints how many got the right
/// answers.
final class ConnectionBurst {
  private static final int KEPT_REQUESTS = 5;

  /// What published clients do with a connection.
  enum Style {
    /// One request, half-closed, then read to the end of the stream.
    HALF_CLOSED,
    /// One request, then read to the end of the stream, which comes after the keep-alive time.
    READ_TO_END,
    /// Several requests, each after the answer to the previous one.
    KEPT,
    /// One request, when all clients are connected.
    CONNECTED_FIRST
  }

  private ConnectionBurst() {}

  public static void main(String[] args) throws InterruptedException {
    long begin = System.nanoTime();
    Style style = Style.valueOf(args[1]);
    int count = Integer.parseInt(args[3]);
    int answered = answered(Integer.parseInt(args[0]), style, Integer.parseInt(args[2]), count);
    System.out.printf(
        Locale.ROOT,
        "%d of %d answered in %d ms%n",
        answered,
        count,
        (System.nanoTime() - begin) / 1_000_000);
  }

  /// @param first id of the first account
  /// @return number of clients with right answers
  static int answered(int port, Style style, int first, int count) throws InterruptedException {
    var release = new CountDownLatch(1);
    var connected = new CountDownLatch(style == Style.CONNECTED_FIRST ? count : 0);
    var answered = new AtomicInteger();
    try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
      IntStream.range(0, count)
          .forEach(i ->
              clients.submit(() -> {
                release.await();
                if (isAnswered(port, style, first + i * KEPT_REQUESTS, connected)) {
                  answered.incrementAndGet();
                }
                return i;
              }));
      release.countDown();
    }
    return answered.get();
  }

  private static boolean isAnswered(int port, Style style, int id, CountDownLatch connected)
      throws InterruptedException {
    try (var client = RawClient.patient(port)) {
      connected.countDown();
      connected.await();
      if (style == Style.KEPT) {
        boolean right = true;
        for (int i = 0; i < KEPT_REQUESTS; i++) {
          right &= created(id + i).equals(client.request(create(id + i)) + "\n");
        }
        return right;
      }
      client.send(RawClient.framed(create(id)));
      if (style != Style.READ_TO_END) {
        client.halfClose();
      }
      String answer = client.rest();
      if (!answer.equals(created(id))) {
        System.err.println(id + " received \"" + answer.strip() + "\"");
      }
      return answer.equals(created(id));
    } catch (IOException e) {
      System.err.println(id + ": " + e);
      return false;
    }
  }

  private static String create(int id) {
    return format("<create><account id=\"%d\" balance=\"1\"/></create>", id);
  }

  private static String created(int id) {
    return format("<results><created id=\"%d\"/></results>\n", id);
  }
}
