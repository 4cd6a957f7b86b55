package toystore.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import toystore.platform.storage.OwnerPermissions;

/// A folder that holds a backup:
///
/// ```
/// catalog.db          products, stock, sales
/// order.db            the order book, carts, purchases; absent if the data folder had none, like each
///                     database that follows
/// account.db          buyers, sellers, sessions, ratings
/// payment.db          the ledger of the payment sandbox
/// exchange.db         accounts, positions, orders and trades of the exchange
/// backup.properties   format, time, number of sales and orders, and the SHA-256 of each file
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
  /// @param sales the number of sales in the catalog
  /// @param orders how many of these sales are in the order book
  record Contents(Instant time, long sales, long orders) {}

  Path copy(String service) {
    return folder.resolve(service + ".db");
  }

  boolean has(String service) {
    return Files.exists(copy(service));
  }

  long bytes() throws IOException {
    var bytes = 0L;
    for (var service : services) {
      bytes += has(service) ? Files.size(copy(service)) : 0;
    }
    return bytes;
  }

  /// Copies the databases of a store, running or not, and writes `backup.properties`.
  Contents fill(DataFolder data, Instant time) throws IOException {
    for (var service : services) {
      if (Files.exists(data.database(service))) {
        BackupDatabase.copy(data.database(service), copy(service));
        OwnerPermissions.restrictFile(copy(service));
        BackupDatabase.check(copy(service));
        DurableFiles.sync(copy(service));
      }
    }
    var contents = pair(time);
    write(contents);
    DurableFiles.sync(folder);
    return contents;
  }

  /// Refuses a backup that is incomplete or was changed.
  Contents check() throws IOException {
    if (!Files.isRegularFile(folder.resolve(PROPERTIES))) {
      throw new CommandRefused(
          String.format(Locale.ROOT, "%s is not a backup: it has no file %s", folder, PROPERTIES));
    }
    var properties = new Properties();
    try (var reader = Files.newBufferedReader(folder.resolve(PROPERTIES))) {
      properties.load(reader);
    }
    if (!FORMAT.equals(properties.getProperty("format"))) {
      throw new CommandRefused(
          String.format(
              Locale.ROOT,
              "backup %s has format %s; this version reads format %s only",
              folder,
              properties.getProperty("format"),
              FORMAT));
    }
    for (var service : services) {
      checkCopy(service, properties.getProperty(sumOf(service)));
    }
    return pair(Instant.parse(properties.getProperty("time")));
  }

  private void checkCopy(String service, @Nullable String sum) throws IOException {
    if (sum == null && !service.equals(CATALOG)) {
      return;
    }
    if (!has(service)) {
      throw new CommandRefused(
          String.format(Locale.ROOT, "the backup is incomplete: %s is missing", copy(service)));
    }
    if (!sha256(copy(service)).equals(sum)) {
      throw new CommandRefused(
          String.format(
              Locale.ROOT,
              "%s was changed after the backup: its SHA-256 does not match backup.properties",
              copy(service)));
    }
    BackupDatabase.check(copy(service));
  }

  /// The number of sales and orders. Refused if the order book is not a prefix of the catalog's
  /// sales.
  private Contents pair(Instant time) {
    var sales = BackupDatabase.sales(copy(CATALOG));
    if (!has(ORDER)) {
      return new Contents(time, sales.next(), 0);
    }
    var orders = BackupDatabase.orders(copy(ORDER));
    var key = orders.lastKey();
    var keyThere = key == null ? null : BackupDatabase.keyOfSale(copy(CATALOG), orders.next() - 1);
    if (key != null && !key.equals(keyThere)) {
      throw new CommandRefused(
          String.format(
              Locale.ROOT,
              "the order book does not match the catalog: its last order is %d with the key \"%s\", the catalog's last sale is %d, and sale %d has %s",
              orders.next() - 1,
              oneLine(key),
              sales.next() - 1,
              orders.next() - 1,
              keyThere == null ? "no key" : "the key \"" + oneLine(keyThere) + '"'));
    }
    return new Contents(time, sales.next(), orders.next());
  }

  private static String oneLine(String key) {
    return key.replace('\n', ' ');
  }

  private void write(Contents contents) throws IOException {
    var properties = new Properties();
    properties.setProperty("format", FORMAT);
    properties.setProperty("time", contents.time().toString());
    properties.setProperty("sales", Long.toString(contents.sales()));
    properties.setProperty("orders", Long.toString(contents.orders()));
    for (var service : services) {
      if (has(service)) {
        properties.setProperty(sumOf(service), sha256(copy(service)));
      }
    }
    DurableFiles.write(
        folder.resolve(PROPERTIES), properties, "backup of a toy store, for ./toystore restore");
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
