package toystore.platform.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.clients.Conditions;
import toystore.clients.FreePorts;
import toystore.testkit.PostgresCluster;

/// A pool of connections between a service and the server.
@Tag("long")
class PgBouncerTest {
  private static final Path PROGRAM = Path.of("/usr/sbin/pgbouncer");
  private static final String CONFIGURATION =
      """
      [databases]
      numbers = host=127.0.0.1 port=%d user=postgres
      [pgbouncer]
      listen_addr = 127.0.0.1
      listen_port = %d
      unix_socket_dir =
      auth_type = any
      pool_mode = %s
      ignore_startup_parameters = extra_float_digits
      """;

  @TempDir Path folder;

  @BeforeEach
  void createDatabase() throws Exception {
    assumeTrue(Files.isExecutable(PROGRAM), "pgbouncer is not installed; run .ci/tools pgbouncer");
    PostgresCluster.database("numbers");
  }

  @Test
  void poolByTransactionIsRefused() throws Exception {
    int port = FreePorts.free();
    Process pool = start(port, "transaction");
    try {
      assertThatExceptionOfType(UnusableFileException.class)
          .isThrownBy(() -> PostgresSchema.of(server(port), "numbers"))
          .withMessageContaining("connect to the server itself, or pool by session");
    } finally {
      pool.destroy();
    }
  }

  @Test
  void poolBySessionIsUsed() throws Exception {
    int port = FreePorts.free();
    Process pool = start(port, "session");
    try (PostgresSchema schema = PostgresSchema.of(server(port), "numbers");
        PostgresSchema standby = PostgresSchema.of(server(port), "numbers")) {
      assertThat(schema.tryBecomeWriter()).isTrue();
      assertThat(standby.tryBecomeWriter()).isFalse();
    } finally {
      pool.destroy();
    }
  }

  private static PostgresServer server(int port) {
    return new PostgresServer("jdbc:postgresql://127.0.0.1:" + port + "/numbers", "postgres", "x");
  }

  private Process start(int port, String mode) throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path configuration = folder.resolve("pgbouncer.ini");
    Files.writeString(
        configuration,
        String.format(Locale.ROOT, CONFIGURATION, PostgresCluster.port(), port, mode));
    List<String> command = new ArrayList<>();
    if (System.getProperty("user.name").equals("root")) { // as which it does not run
      command.addAll(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
    }
    command.addAll(List.of(PROGRAM.toString(), configuration.toString()));
    Process pool =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(folder.resolve("log").toFile()))
            .start();
    Conditions.await(() -> {
      assertThat(pool.isAlive()).isTrue();
      try (var _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
        return true;
      } catch (IOException notYet) {
        return false;
      }
    });
    return pool;
  }
}
