package toystore.reference;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LockedBazaarTest {
  private static final int THREADS = 8;
  private static final int TRADES = 2_000;

  @ParameterizedTest
  @ValueSource(strings = {"none", "mutex", "read-write", "writer"})
  void noTradeIsLost(String locking) throws Exception {
    var bazaar = new LockedBazaar(Locking.of(locking));
    Callable<String> trades =
        () -> {
          String answer = "";
          for (int i = 0; i < TRADES; i++) {
            answer = bazaar.answer("Trade,FishCo,1,BUY");
          }
          return answer;
        };
    try (var threads = Executors.newFixedThreadPool(THREADS)) {
      List<Callable<String>> all = IntStream.range(0, THREADS).mapToObj(_ -> trades).toList();
      for (var each : threads.invokeAll(all)) {
        assertThat(each.get()).isEqualTo("15.99");
      }
    }
    assertThat(bazaar.volume("FishCo")).isEqualTo(THREADS * TRADES);
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void answersEachLineWithALine(boolean perRequest) throws Exception {
    var bazaar = new LockedBazaar(Locking.of("mutex"));
    try (var pool = Executors.newFixedThreadPool(2)) {
      var server = new LineServer(pool, perRequest, bazaar::answer);
      try (var socket = new Socket("127.0.0.1", server.port());
          var answers = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8))) {
        socket.getOutputStream().write("Lookup,FishCo\nLookup,Nothing\n".getBytes(UTF_8));
        assertThat(answers.readLine()).isEqualTo("15.99");
        assertThat(answers.readLine()).isEqualTo("-1");
      }
    }
  }
}
