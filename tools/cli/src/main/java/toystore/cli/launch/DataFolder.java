package toystore.cli.launch;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import toystore.cli.command.CommandRefusal;
import toystore.cli.command.DurableFiles;
import toystore.platform.storage.OwnerPermissions;

/// A store's data folder:
///
/// ```
/// up.lock         locked by the `up` or `move` that uses the folder; never deleted
/// up.properties   the processes of the running store (see [RunState])
/// store-id        the identity of the store, which each schema that it uses has, too
/// postgresql      the URL of the database, if the store runs on PostgreSQL
/// log/            one log file per process
/// tmp/            temporary files of the processes
/// catalog/ …      one folder per service
/// ```
public record DataFolder(Path path) {
  /// The environment variable with the administrator's token, for services and commands.
  static final String TOKEN_VARIABLE = "TOYSTORE_ADMIN_TOKEN";

  private static final String CATALOG = "catalog";
  private static final String LOCK = "up.lock";
  private static final String LOG = "log";
  private static final int TRIES = 10;
  private static final long BETWEEN_TRIES_NANOS = 20_000_000;

  static Path log(Path data, String process) {
    return data.resolve(LOG).resolve(process + ".log");
  }

  static Path temporary(Path data) {
    return data.resolve("tmp");
  }

  public Path upProperties() {
    return path.resolve("up.properties");
  }

  public Path adminToken() {
    return path.resolve("admin-token");
  }

  /// The administrator's token of this store: from the environment variable, if set, as in the
  /// services; otherwise from the file.
  public String readAdminToken() {
    String given = System.getenv(TOKEN_VARIABLE);
    if (given != null) {
      return given.strip();
    }
    try {
      return Files.readString(adminToken()).strip();
    } catch (IOException e) {
      throw new CommandRefusal(
          "cannot read the administrator's token: %s (give the data folder with --data, or set %s)",
          e, TOKEN_VARIABLE);
    }
  }

  /// The database file of a service.
  public Path database(String service) {
    return path.resolve(service).resolve(service + ".db");
  }

  /// Gives the store its identity at its first start. A service without one would use the schemas
  /// of any store.
  public void createStoreId() throws IOException {
    Path file = path.resolve("store-id");
    if (!Files.exists(file)) {
      DurableFiles.write(file, UUID.randomUUID() + "\n");
    }
  }

  /// The file with the URL of the PostgreSQL database.
  private Path postgresql() {
    return path.resolve("postgresql");
  }

  /// The URL of the database of a store that runs on PostgreSQL, or was moved there.
  Optional<String> postgresqlUrl() throws IOException {
    return Files.exists(postgresql())
        ? Optional.of(Files.readString(postgresql()).strip())
        : Optional.empty();
  }

  /// Records that the data is in PostgreSQL.
  ///
  /// @param url without a password
  public void writePostgresql(String url) throws IOException {
    DurableFiles.write(postgresql(), url + "\n");
  }

  /// Refuses the folder of a store that runs on PostgreSQL.
  ///
  /// @param instead what to do
  public void requireSqlite(String instead) throws IOException {
    Optional<String> url = postgresqlUrl();
    if (url.isPresent()) {
      throw new CommandRefusal(
          "the store of data folder %s is in %s; %s", path, url.get(), instead);
    }
  }

  /// Refuses SQLite files of a store whose data is to be in PostgreSQL.
  void requireNoSqlite(List<String> services) {
    for (String service : services) {
      if (Files.exists(database(service))) {
        throw new CommandRefusal(
            "data folder %s has a store on SQLite, such as %s, whose data --database would not contain; copy it with ./toystore move %s URL, or use another data folder",
            path, database(service), path);
      }
    }
  }

  /// Refuses a folder without SQLite files of a store.
  public void requireStore() {
    if (!exists()) {
      throw new CommandRefusal("data folder %s does not exist", path);
    }
    Path catalog = database(CATALOG);
    if (!Files.isRegularFile(catalog)) {
      throw new CommandRefusal(
          "data folder %s contains no store: %s does not exist", path, catalog);
    }
  }

  /// @param instead what to do
  public void requireNewOrEmpty(String instead) throws IOException {
    if (Files.exists(path) && !(exists() && isEmpty())) {
      throw new CommandRefusal("%s already exists and is not empty; %s", path, instead);
    }
  }

  public boolean exists() {
    return Files.isDirectory(path);
  }

  /// Whether the folder has been used by a store. Other folders are never used.
  private boolean isStoreFolder() {
    return Files.isRegularFile(path.resolve(LOCK)) || Files.isRegularFile(database(CATALOG));
  }

  private boolean isEmpty() throws IOException {
    try (Stream<Path> entries = Files.list(path)) {
      return entries.findAny().isEmpty();
    }
  }

  /// Creates the folder if necessary and locks it until the lock is closed or the process ends.
  public FileChannel claim() throws IOException {
    if (path.toString().contains("%") || path.toString().contains("${")) {
      // the names of log files are patterns in which these have a meaning
      throw new CommandRefusal("data folder %s must not have %% or ${ in its path", path);
    }
    if (Files.exists(path) && !exists()) {
      throw new CommandRefusal("data folder %s is not a folder", path);
    }
    requireWritable();
    if (exists() && !isStoreFolder() && !isEmpty()) {
      throw new CommandRefusal(
          "%s contains files that are not a store's data; use an empty or new folder", path);
    }
    if (!exists()) {
      DurableFiles.makeFolder(path);
    }
    return lock(path.resolve(LOCK), TRIES)
        .orElseThrow(() ->
            new CommandRefusal(
                "data folder %1$s is in use by another ./toystore command; to see a running store: ./toystore status --data '%1$s'",
                path));
  }

  /// Refuses a folder that this user may not use, or not create.
  void requireWritable() {
    Path folder = path;
    while (!Files.exists(folder) && folder.getParent() != null) {
      folder = folder.getParent();
    }
    for (Path needed : List.of(folder, path.resolve(LOCK))) {
      if (Files.exists(needed) && !Files.isWritable(needed)) {
        throw new CommandRefusal(
            "cannot write to %s; data folder %s must be one in which this user may create and change files: run the command as its owner, change its permissions, or use another folder (up --data)",
            needed, path);
      }
    }
  }

  /// Creates the folders of the log files and of the temporary files, for their owner only. What
  /// killed processes have left in the latter is deleted.
  public void makeFolders() throws IOException {
    Files.createDirectories(path.resolve(LOG), OwnerPermissions.newFolder());
    var temporary = new DataFolder(temporary(path));
    if (temporary.exists()) {
      temporary.remove();
    }
    Files.createDirectory(temporary.path, OwnerPermissions.newFolder());
  }

  /// Refuses a folder that is in use. Does not change a folder that no store has used.
  void requireNotInUse() throws IOException {
    if (isStoreFolder()) {
      claim().close();
    }
  }

  /// Whether another process holds the lock now.
  public boolean isInUse() throws IOException {
    if (!Files.isRegularFile(path.resolve(LOCK))) {
      return false;
    }
    requireWritable();
    try (FileChannel claim = lock(path.resolve(LOCK), 1).orElse(null)) {
      return claim == null;
    }
  }

  /// Deletes the folder with its contents; for temporary folders. Links are deleted, never
  /// followed.
  public void remove() throws IOException {
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /// Locks a file for this process. Tries again every 20 ms, because `status` and an ending `up`
  /// hold a lock briefly.
  private static Optional<FileChannel> lock(Path file, int tries) throws IOException {
    var channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
            OwnerPermissions.newFile());
    for (int left = tries; left > 0; left--) {
      try {
        if (channel.tryLock() != null) {
          return Optional.of(channel);
        }
      } catch (OverlappingFileLockException ours) {
        // this process holds the lock: the folder is in use
      }
      LockSupport.parkNanos(BETWEEN_TRIES_NANOS);
    }
    channel.close();
    return Optional.empty();
  }
}
