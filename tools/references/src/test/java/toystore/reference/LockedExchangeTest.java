package toystore.reference;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LockedExchangeTest {
  private static final int CLIENTS = 8;
  private static final int ORDERS = 50;

  @TempDir Path folder;

  @Test
  void matchesByPriceThenTime() throws Exception {
    try (var exchange = new LockedExchange(folder.resolve("exchange.db"))) {
      exchange.answer(
          "<create><account id=\"1\" balance=\"200000\"/><account id=\"2\" balance=\"0\"/>"
              + "<symbol sym=\"SPY\"><account id=\"2\">1200</account></symbol></create>");
      int[][] orders = {{300, 125}, {-100, 130}, {200, 127}, {-500, 128}, {-200, 140}, {400, 125}};
      for (int[] order : orders) {
        assertThat(order(exchange, order[0] > 0 ? 1 : 2, "SPY", order[0], order[1]))
            .contains("<opened");
      }
      assertThat(order(exchange, 2, "SPY", -400, 124))
          .isEqualTo(
              "<results><opened sym=\"SPY\" amount=\"-400\" limit=\"124\" id=\"7\"/></results>");
      assertThat(order(exchange, 2, "SPY", -1_000, 1)).contains("<error");
    }
    assertThat(
            value(
                "SELECT group_concat(buy || ':' || sell || ':' || shares || '@' || price)"
                    + " FROM trade"))
        .isEqualTo("3:7:200@127,1:7:200@125");
  }

  @Test
  void noOrderIsLost() throws Exception {
    try (var exchange = new LockedExchange(folder.resolve("exchange.db"));
        var listening = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      threads.submit(() -> {
        exchange.serve(listening);
        return null;
      });
      var clients = new ArrayList<Future<?>>();
      for (int i = 0; i < CLIENTS; i++) {
        int client = i;
        clients.add(
            threads.submit(() -> {
              trade(listening.getLocalPort(), client);
              return null;
            }));
      }
      for (Future<?> client : clients) {
        client.get();
      }
      listening.close();
    }
    assertThat(value("SELECT count(*) FROM orders")).isEqualTo("" + CLIENTS * ORDERS);
    assertThat(
            value(
                "SELECT sum(cash) + (SELECT coalesce(sum(price * open), 0) FROM orders"
                    + " WHERE buys) FROM account"))
        .isEqualTo("" + CLIENTS * 1_000);
    assertThat(
            value(
                "SELECT sum(shares) + (SELECT coalesce(sum(open), 0) FROM orders"
                    + " WHERE NOT buys) FROM position"))
        .isEqualTo("" + CLIENTS * 1_000);
  }

  /// Sells and buys in turns; pairs of clients share a symbol.
  private static void trade(int port, int client) throws Exception {
    try (var socket = new Socket("127.0.0.1", port);
        var answers = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8))) {
      String create =
          format("<create><account id=\"%1$d\" balance=\"1000\"/>", client)
              + format(
                  "<symbol sym=\"S%d\"><account id=\"%d\">1000</account></symbol></create>",
                  client / 2, client);
      send(socket, create);
      assertThat(answers.readLine()).doesNotContain("<error");
      for (int i = 0; i < ORDERS; i++) {
        send(socket, document(client, "S" + client / 2, i % 2 == 0 ? -1 : 1, 10));
        assertThat(answers.readLine()).contains("<opened");
      }
    }
  }

  private static void send(Socket socket, String document) throws Exception {
    socket.getOutputStream().write((document.length() + "\n" + document).getBytes(UTF_8));
  }

  private static String order(
      LockedExchange exchange, int account, String symbol, int amount, int limit) {
    return exchange.answer(document(account, symbol, amount, limit));
  }

  private static String document(int account, String symbol, int amount, int limit) {
    return format(
        "<transactions id=\"%d\"><order sym=\"%s\" amount=\"%d\" limit=\"%d\"/></transactions>",
        account, symbol, amount, limit);
  }

  private String value(String sql) throws Exception {
    try (var database =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("exchange.db"));
        var row = database.createStatement().executeQuery(sql)) {
      return row.getString(1);
    }
  }
}
