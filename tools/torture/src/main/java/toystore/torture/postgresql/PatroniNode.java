package toystore.torture.postgresql;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import toystore.clients.Conditions;
import toystore.clients.FreePorts;
import toystore.clients.Project;
import toystore.clients.StoreProcesses;

/// Patroni and its PostgreSQL. Its data is in a small in-memory file system if this process may
/// mount one, so that the disk can be filled. One thread.
final class PatroniNode {
  /// Patroni's Python. PostgreSQL does not run as root, and others cannot read root's folders.
  static final Path PYTHON =
      (isRoot() ? Path.of("/var/cache/toystore") : Project.tools()).resolve("patroni/bin/python");

  private static final int NOBODY = 65534;
  private static final String DISK_SIZE = "512m";

  static final String PASSWORD = "secret";

  private static final String CONFIGURATION =
      """
      scope: toystore
      name: %1$s
      restapi: {listen: '127.0.0.1:%2$d', connect_address: '127.0.0.1:%2$d'}
      etcd3: {host: '127.0.0.1:%3$d'}
      bootstrap:
        dcs:
          ttl: 20
          loop_wait: 1
          retry_timeout: 3
          primary_start_timeout: 0
          synchronous_mode: quorum
          synchronous_mode_strict: true
          postgresql:
            use_pg_rewind: true
            parameters: {wal_log_hints: 'on', wal_sender_timeout: 5s, wal_receiver_timeout: 5s}
        initdb: [{encoding: UTF8}, {wal-segsize: '1'}, data-checksums]
      postgresql:
        listen: 127.0.0.1:%4$d
        connect_address: 127.0.0.1:%4$d
        data_dir: %5$s/data
        bin_dir: %6$s
        pgpass: %5$s/pgpass
        authentication:
          superuser: {username: postgres, password: %7$s}
          replication: {username: replicator, password: %7$s}
        pg_hba: ['host all all 127.0.0.1/32 md5', 'host replication all 127.0.0.1/32 md5']
        parameters: {unix_socket_directories: ''}
        remove_data_directory_on_diverged_timelines: true
        remove_data_directory_on_rewind_failure: true
      """;

  private final String name;
  private final Path folder;
  private final int port = FreePorts.free();
  private final int restPort = FreePorts.free();
  private final int etcd;
  private final boolean mounted;
  private @Nullable Process patroni;
  private List<ProcessHandle> frozen = List.of();

  /// @param etcd the port of etcd
  PatroniNode(String name, Path folder, int etcd) {
    this.name = name;
    this.folder = folder;
    this.etcd = etcd;
    try {
      Files.createDirectories(folder);
      mounted = isRoot() && mount();
      if (isRoot()) {
        Project.run(List.of("chown", "" + NOBODY, folder.toString()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  private boolean mount() {
    try {
      Project.run(
          List.of("mount", "-t", "tmpfs", "-o", "size=" + DISK_SIZE, "tmpfs", folder.toString()));
      return true;
    } catch (IOException notAllowed) {
      return false;
    }
  }

  /// Whether its disk can be filled.
  boolean canFillDisk() {
    return mounted;
  }

  int port() {
    return port;
  }

  int restPort() {
    return restPort;
  }

  /// Starts Patroni, which starts PostgreSQL.
  void start() throws IOException {
    Path programs;
    try (var found =
        Files.newDirectoryStream(PYTHON.resolve("../../lib").normalize(), "python3*")) {
      programs = found.iterator().next().resolve("site-packages/embedded_postgres/pginstall/bin");
    }
    Path configuration = folder.resolve("patroni.yml");
    Files.writeString(
        configuration,
        String.format(
            Locale.ROOT, CONFIGURATION, name, restPort, etcd, port, folder, programs, PASSWORD));
    List<String> command = new ArrayList<>();
    if (isRoot()) {
      command.addAll(
          List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"));
    }
    command.addAll(List.of(PYTHON.toString(), "-m", "patroni", configuration.toString()));
    var builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().put("HOME", folder.toString());
    patroni = builder.redirectOutput(Redirect.appendTo(StoreProcesses.log(name).toFile())).start();
  }

  /// The processes of PostgreSQL; none if it does not run.
  List<ProcessHandle> postgres() {
    try {
      long pid =
          Long.parseLong(Files.readAllLines(folder.resolve("data/postmaster.pid")).getFirst());
      return ProcessHandle.of(pid).stream().flatMap(PatroniNode::tree).toList();
    } catch (IOException notRunning) {
      return List.of();
    }
  }

  /// The processes of PostgreSQL and Patroni.
  List<ProcessHandle> processes() {
    List<ProcessHandle> all = new ArrayList<>(postgres());
    if (patroni != null) {
      tree(patroni.toHandle()).forEach(all::add);
    }
    return all;
  }

  private static Stream<ProcessHandle> tree(ProcessHandle root) {
    return Stream.concat(Stream.of(root), root.descendants());
  }

  /// Kills processes (SIGKILL) and waits until they have ended.
  static void kill(List<ProcessHandle> processes) {
    processes.forEach(ProcessHandle::destroyForcibly);
    Conditions.await(() -> processes.stream().noneMatch(ProcessHandle::isAlive));
  }

  /// Suspends all its processes (SIGSTOP).
  void freeze() throws IOException {
    frozen = processes();
    signal("-STOP");
  }

  /// Resumes them (SIGCONT).
  void thaw() throws IOException {
    signal("-CONT");
  }

  private void signal(String signal) throws IOException {
    List<String> command = new ArrayList<>(List.of("kill", signal));
    frozen.stream()
        .filter(ProcessHandle::isAlive)
        .map(it -> Long.toString(it.pid()))
        .forEach(command::add);
    Project.run(command);
  }

  /// Fills its disk.
  void fillDisk() throws IOException {
    Project.run(List.of("sh", "-c", "cat /dev/zero >\"$0\" || true", filler().toString()));
  }

  void freeDisk() throws IOException {
    Files.delete(filler());
  }

  private Path filler() {
    return folder.resolve("filler");
  }

  void unmount() {
    if (mounted) {
      try {
        Project.run(List.of("umount", folder.toString()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
