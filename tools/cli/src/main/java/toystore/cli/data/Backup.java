package toystore.cli.data;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import toystore.cli.command.CommandRefusal;
import toystore.cli.command.DurableFiles;
import toystore.cli.launch.DataFolder;
import toystore.platform.storage.OwnerPermissions;

/// A folder that holds a backup:
///
/// ```
/// catalog.db          products, stock, sales
/// order.db            carts, purchases; absent if the data folder had none, like each
///                     database that follows
/// account.db          buyers, sellers, sessions, ratings
/// payment.db          the ledger of the payment sandbox
/// exchange.db         accounts, positions, orders and trades of the exchange
/// backup.properties   format, time, last numbers, and the SHA-256 of each file
/// ```
///
/// It contains no secret: the administrator's token is not copied; a store without one creates one.
///
/// @param services the names of services with a database, in the order in which they are copied
record Backup(Path folder, List<String> services) {
  static final String CATALOG = "catalog";
  static final String ORDER = "order";

  private static final String FORMAT = "1";
  private static final String PROPERTIES = "backup.properties";

  /// The contents of a backup.
  ///
  /// @param last the last numbers of each service
  record Contents(Instant time, Map<String, List<BackupDatabase.Last>> last) {}

  Path copy(String service) {
    return folder.resolve(service + ".db");
  }

  boolean has(String service) {
    return Files.exists(copy(service));
  }

  long bytes() throws IOException {
    var bytes = 0L;
    for (String service : services) {
      bytes += has(service) ? Files.size(copy(service)) : 0;
    }
    return bytes;
  }

  /// Copies the databases of a store, running or not, and writes `backup.properties`.
  Contents fill(DataFolder data, Instant time) throws IOException {
    for (String service : services) {
      if (Files.exists(data.database(service))) {
        BackupDatabase.copy(data.database(service), copy(service));
        OwnerPermissions.restrictFile(copy(service));
        BackupDatabase.check(copy(service));
        DurableFiles.sync(copy(service));
      }
    }
    Contents contents = contents(time);
    write(contents);
    DurableFiles.sync(folder);
    return contents;
  }

  /// Refuses a backup that is incomplete or was changed.
  Contents check() throws IOException {
    if (!Files.isRegularFile(folder.resolve(PROPERTIES))) {
      throw new CommandRefusal("%s is not a backup: it has no file %s", folder, PROPERTIES);
    }
    var properties = new Properties();
    try (BufferedReader reader = Files.newBufferedReader(folder.resolve(PROPERTIES))) {
      properties.load(reader);
    }
    if (!FORMAT.equals(properties.getProperty("format"))) {
      throw new CommandRefusal(
          "backup %s has format %s; this version reads format %s only",
          folder, properties.getProperty("format"), FORMAT);
    }
    for (String service : services) {
      checkCopy(service, properties.getProperty(sumOf(service)));
    }
    return contents(Instant.parse(properties.getProperty("time")));
  }

  private void checkCopy(String service, @Nullable String sum) throws IOException {
    if (sum == null && !service.equals(CATALOG)) {
      return;
    }
    if (!has(service)) {
      throw new CommandRefusal("the backup is incomplete: %s is missing", copy(service));
    }
    if (!sha256(copy(service)).equals(sum)) {
      throw new CommandRefusal(
          "%s was changed after the backup: its SHA-256 does not match backup.properties",
          copy(service));
    }
    BackupDatabase.check(copy(service));
  }

  /// The last numbers of the services. Refused if the purchases have a number that the catalog does
  /// not have.
  private Contents contents(Instant time) {
    var last = new LinkedHashMap<String, List<BackupDatabase.Last>>();
    for (String service : services.reversed()) {
      if (has(service)) {
        last.put(service, BackupDatabase.last(service, copy(service)));
      }
    }
    long sold = lastPurchase(last, CATALOG);
    long known = lastPurchase(last, ORDER);
    if (known > sold) {
      throw new CommandRefusal(
          "the purchases do not match the catalog: the last number of a purchase or return is %d, but the catalog's is %d",
          known, sold);
    }
    return new Contents(time, last);
  }

  private static long lastPurchase(Map<String, List<BackupDatabase.Last>> last, String service) {
    List<BackupDatabase.Last> numbers = last.getOrDefault(service, List.of());
    return numbers.isEmpty() ? -1 : numbers.getLast().number();
  }

  private void write(Contents contents) throws IOException {
    var properties = new Properties();
    properties.setProperty("format", FORMAT);
    properties.setProperty("time", contents.time().toString());
    contents
        .last()
        .forEach((service, last) -> properties.setProperty("last." + service, text(last)));
    for (String service : services) {
      if (has(service)) {
        properties.setProperty(sumOf(service), sha256(copy(service)));
      }
    }
    DurableFiles.write(
        folder.resolve(PROPERTIES), properties, "backup of a toy store, for ./toystore restore");
  }

  static String text(List<BackupDatabase.Last> last) {
    return last.isEmpty()
        ? "unknown"
        : last.stream().map(Object::toString).collect(Collectors.joining(", "));
  }

  private static String sumOf(String service) {
    return "sha256." + service;
  }

  private static String sha256(Path file) throws IOException {
    try (var in =
        new DigestInputStream(Files.newInputStream(file), MessageDigest.getInstance("SHA-256"))) {
      in.transferTo(OutputStream.nullOutputStream());
      return HexFormat.of().formatHex(in.getMessageDigest().digest());
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("this JDK has no SHA-256", impossible);
    }
  }
}
