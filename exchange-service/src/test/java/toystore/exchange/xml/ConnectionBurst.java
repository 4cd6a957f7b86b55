package toystore.exchange.xml;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import toystore.testkit.XmlTestClient;

/// Many clients, each with a thread and a socket of its own, released together: each creates an
/// account, half-closes its connection and reads to the end of the stream. As a program of its own,
/// `ConnectionBurst PORT FIRST COUNT`, it prints how many were answered.
final class ConnectionBurst {
  private ConnectionBurst() {}

  public static void main(String[] args) throws InterruptedException {
    long begin = System.nanoTime();
    int answered =
        answered(Integer.parseInt(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[2]));
    System.out.printf("%d answered in %d ms%n", answered, (System.nanoTime() - begin) / 1_000_000);
  }

  /// @param first id of the first account; further ones have the ids after it
  /// @return number of right answers
  static int answered(int port, int first, int count) throws InterruptedException {
    var release = new CountDownLatch(1);
    var answered = new AtomicInteger();
    try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
      IntStream.range(first, first + count)
          .forEach(id ->
              clients.submit(() -> {
                release.await();
                if (isAnswered(port, id)) {
                  answered.incrementAndGet();
                }
                return id;
              }));
      release.countDown();
    }
    return answered.get();
  }

  private static boolean isAnswered(int port, int id) {
    String create = "<create><account id=\"%d\" balance=\"1\"/></create>".formatted(id);
    try {
      return XmlTestClient.exchange(port, XmlTestClient.framed(create))
          .equals("<results><created id=\"%d\"/></results>\n".formatted(id));
    } catch (IOException e) {
      System.err.println(id + ": " + e);
      return false;
    }
  }
}
