package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import toystore.clients.HttpBuyers;
import toystore.clients.HttpTestClient;
import toystore.clients.StoreProcesses;

/// Backs up a store of three processes under load and restores it.
@Tag("long")
@Timeout(240)
class RestoredStoreIT {
  private static final String BUY = "{\"name\":\"Tux\",\"quantity\":1}";
  private static final Pattern NUMBER = Pattern.compile("\"order_number\":(\\d+)");

  @TempDir Path folder;

  @Test
  void backupContainsAllAcknowledgedOrders() throws Exception {
    Path backup = folder.resolve("backup");
    try (var store = StoreProcesses.start(folder, "catalog", "order", "frontend")) {
      HttpTestClient http = store.http("frontend");
      try (var buyers = new HttpBuyers(folder, 0, http).buying(8)) {
        await(() -> buyers.bought() > 100);
        long before = number(http.post("/orders", BUY));
        assertThat(toystore("backup", backup, folder.resolve("data"))).startsWith("backed up ");
        buyers.stop();
        restoreBoth(backup, before);
      }
    }
  }

  /// A purchase answered before this one started has a smaller number.
  private void restoreBoth(Path backup, long lastBefore) throws Exception {
    Path data = folder.resolve("restored");
    assertThat(toystore("restore", backup, data)).startsWith("restored ");
    try (var store = StoreFixture.in(data)) {
      HttpTestClient http = store.http();
      assertThat(http.audit().body()).startsWith("{\"ok\":true");
      assertThat(http.get("/orders/" + lastBefore).status()).isEqualTo(200);
      assertThat(number(http.post("/orders", BUY))).isGreaterThan(lastBefore);
    }
    assertThat(toystore("restore", backup, data))
        .containsPattern("catalog   restored: order \\d+ .*\n +replaced: order \\d+ ")
        .contains("later than the backup are gone");
  }

  static String toystore(String command, Path backup, Path data) throws Exception {
    return toystore(List.of(), command, backup, data);
  }

  /// Runs a command of `./toystore`.
  ///
  /// @return its output
  static String toystore(List<String> jvm, String command, Path backup, Path data)
      throws Exception {
    var java =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-Dtoystore.home=..",
                "-cp",
                System.getProperty("java.class.path")));
    java.addAll(jvm);
    java.addAll(
        List.of(
            "toystore.cli.ToystoreCommand", command, backup.toString(), "--data", data.toString()));
    Process process = new ProcessBuilder(java).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    System.out.print(said);
    return said;
  }

  private static long number(HttpTestClient.Reply reply) {
    var number = NUMBER.matcher(reply.body());
    assertThat(number.find()).as(reply.body()).isTrue();
    return Long.parseLong(number.group(1));
  }
}
