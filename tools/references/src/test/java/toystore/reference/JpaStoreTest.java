package toystore.reference;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

@Tag("long")
class JpaStoreTest {
  private static final int BUYS = 50;

  @TempDir Path folder;

  /// A comparison with a service that oversells or does not sync would not be fair.
  @Test
  void concurrentBuysOfOneProductAreSoldOnceEachAndSynced() throws Exception {
    try (ConfigurableApplicationContext context = JpaStore.start(folder);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var client = HttpClient.newHttpClient();
      URI url = URI.create(JpaStore.url(context));
      Callable<String> buy =
          () ->
              client
                  .send(
                      HttpRequest.newBuilder(url.resolve("/orders"))
                          .header("Content-Type", "application/json")
                          .POST(
                              HttpRequest.BodyPublishers.ofString(
                                  "{\"name\":\"Toy 1\",\"quantity\":1}"))
                          .build(),
                      HttpResponse.BodyHandlers.ofString())
                  .body();
      List<Callable<String>> buys = IntStream.range(0, BUYS).mapToObj(_ -> buy).toList();
      var answers =
          threads.invokeAll(buys).stream().map(Future::resultNow).collect(Collectors.toSet());
      assertThat(answers)
          .hasSize(BUYS)
          .allMatch(it -> it.matches("\\{\"data\":\\{\"order_number\":\\d+}}"));
      var query = HttpRequest.newBuilder(url.resolve("/products/Toy%201")).build();
      assertThat(client.send(query, HttpResponse.BodyHandlers.ofString()).body())
          .isEqualTo("{\"data\":{\"name\":\"Toy 1\",\"price\":9.99,\"quantity\":999999950}}");

      try (Connection connection = context.getBean(HikariDataSource.class).getConnection()) {
        for (String setting : List.of("fsync", "synchronous_commit")) {
          try (var statement = connection.createStatement();
              ResultSet value = statement.executeQuery("SHOW " + setting)) {
            value.next();
            assertThat(value.getString(1)).isEqualTo("on");
          }
        }
      }
    }
  }
}
