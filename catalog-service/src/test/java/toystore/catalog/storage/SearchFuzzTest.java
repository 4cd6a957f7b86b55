package toystore.catalog.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import toystore.catalog.domain.Product;
import toystore.platform.storage.SqliteFile;

/// Searches for arbitrary text in a real SQLite file.
class SearchFuzzTest {
  private static final List<String> NAMES =
      List.of(
          "Castle with Drawbridge",
          "NEAR miss",
          "O'Neil AND sons",
          "Tux",
          "Über-Bär",
          "a*b^c:d",
          "name category",
          "rocket 2",
          "İstanbul",
          "日本 robot");
  private static final Pattern ASCII = Pattern.compile("\\p{ASCII}*");
  private static @Nullable SqliteFile file;
  private static @Nullable Path path;

  @BeforeAll
  static void open() throws Exception {
    path = Files.createTempDirectory("search").resolve("catalog.db");
    file = SqliteFile.open(path, "db/catalog");
    var products = new ProductStore(file);
    long id = 0;
    for (String name : NAMES) {
      var product = new Product(++id, null, name, "toys \"of\" -all-", 1, 1, 0, null, false);
      products.put(new ProductStore.Row(product, false));
      products.putWords(id, product);
    }
    file.queryConnection().commit();
  }

  @AfterAll
  static void close() throws Exception {
    requireNonNull(file).close();
    try (var files = Files.walk(requireNonNull(path).getParent())) {
      for (Path it : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(it);
      }
    }
  }

  @FuzzTest
  void anyTextMayBeSearchedFor(byte[] text) throws SQLException {
    Connection connection = requireNonNull(file).queryConnection();
    String query = new String(text, UTF_8);
    List<String> found = ProductWords.search(connection, query, "", "", 0, 100);
    assertThat(NAMES).containsAll(found);
    assertThat(found).isSorted();
    if (ASCII.matcher(query).matches()) {
      assertThat(found.stream().filter(it -> ASCII.matcher(it).matches()).toList())
          .isEqualTo(expected(query));
    }
  }

  private static List<String> expected(String query) {
    List<String> wanted = words(query);
    return wanted.isEmpty()
        ? List.of()
        : NAMES.stream()
            .filter(it -> ASCII.matcher(it).matches())
            .filter(name ->
                wanted.stream()
                    .allMatch(word ->
                        words(name + " toys of all").stream()
                            .anyMatch(it ->
                                it.startsWith(word) || it.startsWith(ProductWords.singular(word)))))
            .sorted()
            .toList();
  }

  private static List<String> words(String text) {
    return new ArrayList<>(
        Arrays.stream(text.toLowerCase(Locale.ROOT).split("[^a-z0-9]+"))
            .filter(it -> !it.isEmpty())
            .toList());
  }
}
