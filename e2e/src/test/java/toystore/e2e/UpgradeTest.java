package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.e2e.StoreFixture.databaseUser;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import toystore.store.StoreMove;
import toystore.testkit.PostgresCluster;

/// This version opens the data of each release, answers reads and repeated keys as that release
/// did, and goes on from there: over REST, XML and the line protocol. A release is a file in
/// `src/test/releases`:
///
/// ```
/// calls.txt        calls and answers: history, reads, later, later reads
/// data/            the data folder after the history
/// postgresql.sql   the same in PostgreSQL
/// ```
class UpgradeTest {
  private static final Path RELEASES = Path.of("src/test/releases");
  private static final Pattern VERSION = Pattern.compile("<version>(.*)</version>");
  private static final LocalDateTime ENTRY_TIME = LocalDateTime.of(2026, 1, 1, 0, 0);
  private static final String CALLS = "calls.txt";
  private static final String DUMP = "postgresql.sql";
  private static final List<String> IDENTITY = List.of("admin-token", "store-id");
  private static final String CATALOG =
      """
      name,price,quantity,category,max_volume
      Tux,25.99,80,Plush animals,
      Whale,34.99,94,Plush animals,
      GameStart,10.00,1000,Stocks,500
      FishCo,12.34,5,Stocks,1000000
      """;

  /// The lines of `calls.txt`, without answers before they are recorded.
  private record Calls(
      List<String> history, List<String> reads, List<String> later, List<String> laterReads) {
    private static final String PART = "== ";

    static Calls of(Path file) throws IOException {
      var parts = new ArrayList<List<String>>();
      for (String line : Files.readAllLines(file)) {
        if (line.startsWith(PART)) {
          parts.add(new ArrayList<>());
        } else if (!line.isBlank() && !line.startsWith("#")) {
          parts.getLast().add(line);
        }
      }
      assertThat(parts).as(file.toString()).hasSize(4);
      return new Calls(parts.get(0), parts.get(1), parts.get(2), parts.get(3));
    }

    @Override
    public String toString() {
      return part("history", history)
          + part("reads", reads)
          + part("later", later)
          + part("later reads", laterReads);
    }

    private static String part(String name, List<String> lines) {
      return PART + name + "\n" + String.join("\n", lines) + "\n";
    }
  }

  @TempDir Path folder;

  static Stream<Path> releases() throws IOException {
    try (var zips = Files.newDirectoryStream(RELEASES, "*.zip")) {
      var sorted = new ArrayList<Path>();
      zips.forEach(sorted::add);
      return sorted.stream().sorted();
    }
  }

  @ParameterizedTest
  @MethodSource("releases")
  void storeContinuesWithTheDataOfARelease(Path release) throws IOException {
    try (var zip = FileSystems.newFileSystem(release)) {
      copy(zip.getPath("data"), folder.resolve("data"));
      continueStore(zip, folder.resolve("data"));
    }
  }

  @ParameterizedTest
  @MethodSource("releases")
  @Tag("long")
  void storeContinuesWithTheDatabaseOfARelease(Path release) throws Exception {
    String url = PostgresCluster.database("release");
    try (var zip = FileSystems.newFileSystem(release)) {
      PostgresDump.restore(Files.readString(zip.getPath(DUMP)), url);
      for (String file : IDENTITY) {
        copy(zip.getPath("data", file), folder.resolve("identity").resolve(file));
      }
      continueStore(zip, folder.resolve("identity"), onPostgres(url));
    }
  }

  private static void continueStore(FileSystem release, Path data, String... settings)
      throws IOException {
    Calls calls = Calls.of(release.getPath(CALLS));
    try (var store = RecordedStore.in(data, settings)) {
      store.read(calls.reads);
      store.repeat("history", calls.history);
      store.read(calls.reads);
      store.change("later", calls.later);
      store.change("later reads", calls.laterReads);
    }
  }

  /// What [#dataOfThisVersionIsWritten] writes can be read, so that it works after a release.
  @Test
  @Tag("long")
  void dataOfThisVersionIsComplete() throws Exception {
    Path release = folder.resolve("release.zip");
    write(release);
    assertThat(Files.size(release)).isLessThan(300_000);
    storeContinuesWithTheDataOfARelease(release);
    storeContinuesWithTheDatabaseOfARelease(release);
  }

  /// Run by hand after a release, with its version.
  @Test
  @EnabledIfSystemProperty(named = "tests.release", matches = ".+")
  void dataOfThisVersionIsWritten() throws Exception {
    String version = System.getProperty("tests.release");
    assertThat(version).as("-Dtests.release").isEqualTo(version());
    Path release = RELEASES.resolve(version + ".zip");
    if (System.getProperty("tests.overwrite") == null) {
      assertThat(release).as("add -Dtests.overwrite to write it again").doesNotExist();
    }
    write(release);
  }

  private static String version() throws IOException {
    Matcher version = VERSION.matcher(Files.readString(Path.of("../pom.xml")));
    assertThat(version.find()).isTrue();
    return version.group(1);
  }

  private void write(Path release) throws Exception {
    Path kept = folder.resolve("release");
    Path data = Files.createDirectories(folder.resolve("written"));
    Path catalog = Files.writeString(folder.resolve("catalog.csv"), CATALOG);
    Files.writeString(data.resolve("store-id"), "00000000-0000-4000-8000-000000000001\n");
    Calls calls = Calls.of(RELEASES.resolve(CALLS));
    List<String> history;
    List<String> reads;
    try (var store = RecordedStore.in(data, "--toystore.catalog.file=" + catalog)) {
      history = store.record("history", calls.history);
      store.endSessions();
      reads = store.record("reads", calls.reads);
    }
    copy(data, kept.resolve("data"));
    String url = PostgresCluster.database("written");
    StoreMove.move(data, url, databaseUser(), _ -> {});
    try (var store = RecordedStore.in(data, onPostgres(url))) {
      store.read(reads);
    }
    Files.writeString(kept.resolve(DUMP), PostgresDump.of(url));
    try (var store = RecordedStore.in(data)) {
      List<String> later = store.record("later", calls.later);
      List<String> laterReads = store.record("later reads", calls.laterReads);
      Files.writeString(
          kept.resolve(CALLS), new Calls(history, reads, later, laterReads).toString());
    }
    zip(kept, release);
  }

  private static String[] onPostgres(String url) {
    return new String[] {"--toystore.database-user=postgres", "--toystore.database=" + url};
  }

  private static void copy(Path from, Path to) throws IOException {
    for (Path file : files(from)) {
      Path copy = to.resolve(from.relativize(file).toString());
      Files.createDirectories(copy.getParent());
      Files.copy(file, copy);
    }
  }

  /// In an order that does not depend on the file system.
  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static void zip(Path from, Path release) throws IOException {
    try (var zip = new ZipOutputStream(Files.newOutputStream(release))) {
      for (Path file : files(from)) {
        var entry = new ZipEntry(from.relativize(file).toString());
        entry.setTimeLocal(ENTRY_TIME);
        zip.putNextEntry(entry);
        Files.copy(file, zip);
      }
    }
  }
}
