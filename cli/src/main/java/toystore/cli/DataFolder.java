package toystore.cli;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import toystore.platform.storage.OwnerPermissions;

/// A store's data folder:
///
/// ```
/// up.lock         locked by the `up`, `reset` or `restore` that uses the folder; never deleted
/// up.properties   the processes of the running store (see [RunState])
/// postgresql      the URL of the database, if the store runs on PostgreSQL
/// restoring       exists during an unfinished restore (see [Restore]): no service starts
/// log/            one log file per process
/// catalog/ …      one folder per service
/// ```
record DataFolder(Path path) {
  /// The environment variable with the administrator's token, for services and commands.
  static final String TOKEN_VARIABLE = "TOYSTORE_ADMIN_TOKEN";

  private static final String LOCK = "up.lock";
  private static final String LOG = "log";
  private static final String SERVICE_LOCK = "lock";

  /// The files in the folder itself, except the lock. Each may also have the suffix `.new`.
  private static final Set<String> FILES =
      Set.of("up.properties", "postgresql", "restoring", "admin-token");

  /// The files in the folder of a service. A suffix follows the name of the service.
  private static final List<String> SERVICE_FILES =
      List.of(SERVICE_LOCK, "reserve", ".db", ".db-wal", ".db-shm", ".db-journal", ".db.restored");

  static Path log(Path data, String process) {
    return data.resolve(LOG).resolve(process + ".log");
  }

  Path upProperties() {
    return path.resolve("up.properties");
  }

  Path adminToken() {
    return path.resolve("admin-token");
  }

  /// The administrator's token of this store: from the environment variable, if set, as in the
  /// services; otherwise from the file.
  String readAdminToken() {
    var given = System.getenv(TOKEN_VARIABLE);
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
  Path database(String service) {
    return path.resolve(service).resolve(service + ".db");
  }

  /// The marker file of an unfinished restore.
  Path restoring() {
    return path.resolve("restoring");
  }

  /// The file with the URL of the PostgreSQL database.
  private Path postgresql() {
    return path.resolve("postgresql");
  }

  /// Records that the data is in PostgreSQL.
  ///
  /// @param url without a password
  void writePostgresql(String url) throws IOException {
    DurableFiles.write(postgresql(), url + "\n");
  }

  /// Refuses the folder of a store that runs on PostgreSQL.
  ///
  /// @param instead what to do
  void requireSqlite(String instead) throws IOException {
    if (Files.exists(postgresql())) {
      throw new CommandRefusal(
          "the store of data folder %s is in %s; %s",
          path, Files.readString(postgresql()).strip(), instead);
    }
  }

  /// Refuses a folder without SQLite files of a store.
  void requireStore() {
    if (!exists()) {
      throw new CommandRefusal("data folder %s does not exist", path);
    }
    requireFullyRestored();
    var catalog = database(Backup.CATALOG);
    if (!Files.isRegularFile(catalog)) {
      throw new CommandRefusal(
          "data folder %s contains no store: %s does not exist", path, catalog);
    }
  }

  void requireNewOrEmpty() throws IOException {
    if (Files.exists(path) && !(exists() && isEmpty())) {
      throw new CommandRefusal(
          "%s already exists and is not empty; choose a new or empty folder", path);
    }
  }

  void requireFullyRestored() {
    if (Files.exists(restoring())) {
      throw new CommandRefusal(
          "a restore into data folder %s was interrupted; run ./toystore restore again", path);
    }
  }

  boolean exists() {
    return Files.isDirectory(path);
  }

  /// Whether the folder has been used by a store. Other folders are never used or emptied.
  boolean isStoreFolder() {
    return Files.isRegularFile(path.resolve(LOCK)) || Files.isRegularFile(database(Backup.CATALOG));
  }

  /// The files in this folder that a store has created, except the lock. Only known names count;
  /// files in folders that are symbolic links do not.
  List<Path> storeFiles(Services services) throws IOException {
    var found = new ArrayList<Path>();
    for (var folder : storeFolders(services)) {
      for (var file : entries(folder)) {
        if (!Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS) && isStoreFile(file, services)) {
          found.add(file);
        }
      }
    }
    return found;
  }

  /// Deletes the [#storeFiles] and the folders that are empty then.
  void deleteStoreFiles(Services services) throws IOException {
    for (var file : storeFiles(services)) {
      Files.delete(file);
    }
    for (var folder : storeFolders(services).reversed()) {
      if (!folder.equals(path) && entries(folder).isEmpty()) {
        Files.delete(folder);
      }
    }
  }

  /// All entries of the folder except the lock.
  List<Path> otherFiles() throws IOException {
    return entries(path).stream().filter(file -> !file.endsWith(LOCK)).toList();
  }

  /// This folder and the folders in it that a store creates, each before those in it.
  private List<Path> storeFolders(Services services) throws IOException {
    var folders = new ArrayList<Path>(List.of(path, path.resolve(LOG)));
    services.databases().forEach(service -> folders.add(path.resolve(service)));
    for (var entry : entries(path)) {
      if (entry.getFileName().toString().startsWith(Restore.KEPT)) {
        folders.add(entry);
        services.databases().forEach(service -> folders.add(entry.resolve(service)));
      }
    }
    folders.removeIf(folder ->
        !folder.equals(path)
            && (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                || (!path.equals(folder.getParent()) && Files.isSymbolicLink(folder.getParent()))));
    return folders;
  }

  private boolean isStoreFile(Path file, Services services) {
    var name = file.getFileName().toString();
    var folder = file.resolveSibling("");
    if (folder.equals(path)) {
      return !name.equals(LOCK) && isStoreFile(name);
    }
    var folderName = String.valueOf(folder.getFileName());
    if (folderName.equals(LOG)) {
      return Stream.concat(services.all().stream().map(it -> it.program()), Stream.of("store"))
          .anyMatch(program ->
              name.matches(program + "(-\\d+)?(\\.log([.]\\d.*)?|\\.out|-crash-\\d+([.]log)?)"));
    }
    return SERVICE_FILES.stream()
        .map(suffix -> suffix.startsWith(".") ? folderName + suffix : suffix)
        .anyMatch(name::equals);
  }

  private static List<Path> entries(Path folder) throws IOException {
    try (var entries = Files.list(folder)) {
      return entries.sorted().toList();
    }
  }

  boolean isEmpty() throws IOException {
    try (var entries = Files.list(path)) {
      return entries.findFirst().isEmpty();
    }
  }

  /// Creates the folder if necessary and locks it for this process.
  Claim claim() throws IOException {
    if (path.toString().contains("%") || path.toString().contains("${")) {
      // the names of log files are patterns in which these have a meaning
      throw new CommandRefusal("data folder %s must not have %% or ${ in its path", path);
    }
    if (Files.exists(path) && !exists()) {
      throw new CommandRefusal("data folder %s is not a folder", path);
    }
    if (exists() && !isStoreFolder() && !isEmpty()) {
      throw new CommandRefusal(
          "%s contains files that are not a store's data; use an empty or new folder", path);
    }
    if (!exists()) {
      DurableFiles.makeFolder(path);
    }
    restrict();
    return Claim.retrying(path.resolve(LOCK))
        .orElseThrow(() ->
            new CommandRefusal("data folder %s is in use by another ./toystore command", path));
  }

  /// Lets only the owner read the store's files, also if an earlier version created them, and the
  /// folder, unless it has other files.
  private void restrict() {
    try {
      if (entries(path).stream().allMatch(DataFolder::isOfStore)) {
        OwnerPermissions.restrictFolder(path);
      }
      OwnerPermissions.restrictFiles(path, DataFolder::isStoreFile);
    } catch (IOException e) { // such as a file system without permissions, or another owner
      System.err.println(
          String.format(Locale.ROOT, "cannot make %s readable by its owner only: %s", path, e));
    }
  }

  private static boolean isOfStore(Path entry) {
    var name = entry.getFileName().toString();
    if (!Files.isDirectory(entry)) {
      return isStoreFile(name);
    }
    return name.equals(LOG)
        || name.startsWith(Restore.KEPT)
        || Files.exists(entry.resolve(SERVICE_LOCK))
        || Files.exists(entry.resolve(name + ".db"));
  }

  /// Whether a file in the folder itself has a name that a store uses.
  private static boolean isStoreFile(String name) {
    return name.equals(LOCK) || FILES.contains(name.replaceFirst("\\.new$", ""));
  }

  /// Creates the folder of the log files, if necessary, for its owner only.
  void makeLogFolder() throws IOException {
    Files.createDirectories(path.resolve(LOG), OwnerPermissions.newFolder());
  }

  /// Locks the folder and the folders of the services: a service that was started without the
  /// launcher holds only its own lock.
  Claim claimWith(List<String> services) throws IOException {
    var claim = claim();
    for (var service : services) {
      var folder = path.resolve(service);
      var lock = folder.resolve(SERVICE_LOCK);
      if (Files.isSymbolicLink(folder) && !Files.exists(lock)) {
        continue; // a folder elsewhere that no service has used
      }
      Files.createDirectories(folder, OwnerPermissions.newFolder());
      var one = Claim.retrying(lock);
      if (one.isEmpty()) {
        claim.close();
        throw new CommandRefusal("a service is using the data folder: it holds the lock " + lock);
      }
      claim.locks.addAll(one.get().locks);
    }
    return claim;
  }

  /// Refuses a folder that is in use. Does not change a folder that no store has used.
  void requireNotInUse() throws IOException {
    if (isStoreFolder()) {
      claim().close();
    }
  }

  /// Whether another process holds the lock now.
  boolean isInUse() throws IOException {
    if (!Files.isRegularFile(path.resolve(LOCK))) {
      return false;
    }
    var claim = Claim.of(path.resolve(LOCK));
    if (claim.isPresent()) {
      claim.get().close();
    }
    return claim.isEmpty();
  }

  /// Deletes everything in the folder except its lock. Symbolic links are deleted, never followed.
  void empty() throws IOException {
    var folder = path.toRealPath();
    var kept = Set.of(folder, folder.resolve(LOCK));
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        if (!kept.contains(file)) {
          Files.delete(file);
        }
      }
    }
  }

  /// Deletes the folder with its contents and its lock; for temporary folders.
  void remove() throws IOException {
    empty();
    Files.deleteIfExists(path.resolve(LOCK));
    Files.delete(path);
  }

  /// A lock on a folder, held until it is closed or the process ends.
  static final class Claim implements AutoCloseable {
    private static final int TRIES = 10;
    private static final long BETWEEN_TRIES_NANOS = 20_000_000;

    private final List<FileChannel> locks = new ArrayList<>();

    private Claim(FileChannel... locks) {
      this.locks.addAll(List.of(locks));
    }

    /// As [#of], but retries for 200 ms, because `status` and an ending `up` hold the lock briefly.
    static Optional<Claim> retrying(Path file) throws IOException {
      var claim = of(file);
      for (var tries = 1; claim.isEmpty() && tries < TRIES; tries++) {
        LockSupport.parkNanos(BETWEEN_TRIES_NANOS);
        claim = of(file);
      }
      return claim;
    }

    static Optional<Claim> of(Path file) throws IOException {
      var channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
      try {
        if (channel.tryLock() != null) {
          return Optional.of(new Claim(channel));
        }
      } catch (OverlappingFileLockException ours) {
        // this process holds the lock: the folder is in use
      }
      channel.close();
      return Optional.empty();
    }

    @Override
    public void close() throws IOException {
      for (var lock : locks) {
        lock.close();
      }
    }
  }
}
