package toystore.catalog;

import java.io.IOException;
import java.io.PushbackReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.commons.csv.CSVException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;
import toystore.platform.text.PlainDecimal;

/// Reads products from CSV with a header: `name,price,quantity`, optionally `category` and
/// `max_volume`, in any order. A byte order mark before the header is ignored.
final class CatalogCsv {
  private static final Set<String> REQUIRED = new TreeSet<>(Set.of("name", "price", "quantity"));
  private static final Set<String> OPTIONAL = new TreeSet<>(Set.of("category", "max_volume"));
  private static final CSVFormat FORMAT =
      CSVFormat.RFC4180
          .builder()
          .setHeader()
          .setSkipHeaderRecord(true)
          .setIgnoreEmptyLines(true)
          .setIgnoreSurroundingSpaces(true)
          .get();

  private static final int MAX_REPORTED = 20;
  private static final int MAX_REPORT_LENGTH = 1_400;

  private CatalogCsv() {}

  /// @throws IllegalArgumentException with all invalid lines, what was expected and what was
  ///   received
  static List<ProductSpec> read(Reader text) throws IOException {
    try (CSVParser rows = FORMAT.parse(withoutByteOrderMark(text))) {
      checkHeader(rows.getHeaderNames());
      List<ProductSpec> specs = new ArrayList<>();
      Map<String, Long> lines = new HashMap<>();
      List<String> firstInvalid = new ArrayList<>();
      int invalid = 0;
      for (CSVRecord row : rows) {
        long line = rows.getCurrentLineNumber();
        try {
          ProductSpec spec = spec(row);
          Long earlier = lines.putIfAbsent(spec.name(), line);
          if (earlier != null) {
            throw new IllegalArgumentException(
                "duplicate product \"%s\", already defined in line %d"
                    .formatted(spec.name(), earlier));
          }
          specs.add(spec);
        } catch (IllegalArgumentException e) {
          invalid++;
          if (invalid <= MAX_REPORTED) {
            firstInvalid.add("line %d: %s".formatted(line, e.getMessage()));
          }
        }
      }
      if (invalid > 0) {
        throw new IllegalArgumentException(report(firstInvalid, invalid));
      }
      if (specs.isEmpty()) {
        throw new IllegalArgumentException("line 2: expected at least one product, got none");
      }
      return specs;
    } catch (CSVException | UncheckedIOException e) { // in the header, in a row
      throw new IllegalArgumentException("not valid CSV: " + e.getMessage(), e);
    }
  }

  /// Spreadsheet programs write U+FEFF at the beginning of a file in UTF-8.
  private static Reader withoutByteOrderMark(Reader text) throws IOException {
    var reader = new PushbackReader(text);
    int first = reader.read();
    if (first >= 0 && first != '\uFEFF') {
      reader.unread(first);
    }
    return reader;
  }

  /// The invalid lines, each on a line of its own: the first 20, or fewer if they are long. A gRPC
  /// error has at most 1,500 bytes.
  private static String report(List<String> first, int count) {
    if (count == 1) {
      return first.getFirst();
    }
    var report = new StringBuilder("%,d invalid lines".formatted(count));
    int reported = 0;
    while (reported < first.size()
        && report.length() + first.get(reported).length() < MAX_REPORT_LENGTH) {
      report.append('\n').append(first.get(reported));
      reported++;
    }
    if (reported < count) {
      report.append("\nand %,d more".formatted(count - reported));
    }
    return report.toString();
  }

  private static void checkHeader(List<String> names) {
    var known = new TreeSet<>(REQUIRED);
    known.addAll(OPTIONAL);
    if (!names.containsAll(REQUIRED) || !known.containsAll(names)) {
      throw new IllegalArgumentException(
          "line 1: the header must contain %s and may contain %s, got %s"
              .formatted(REQUIRED, OPTIONAL, names));
    }
  }

  private static ProductSpec spec(CSVRecord row) {
    if (!row.isConsistent()) {
      throw new IllegalArgumentException(
          "expected %d values as in the header, got %d"
              .formatted(row.getParser().getHeaderNames().size(), row.size()));
    }
    return new ProductSpec(
        row.get("name"),
        cents(row.get("price")),
        integer("quantity", row.get("quantity")),
        row.isMapped("category") ? row.get("category") : null,
        optionalInteger("max_volume", row));
  }

  private static long cents(String text) {
    return PlainDecimal.parse(text, 2)
        .orElseThrow(() ->
            new IllegalArgumentException(
                "price must be a number with at most two decimals, got \"%s\"".formatted(text)));
  }

  private static @Nullable Long optionalInteger(String column, CSVRecord row) {
    return !row.isMapped(column) || row.get(column).isEmpty()
        ? null
        : (Long) integer(column, row.get(column));
  }

  private static long integer(String column, String text) {
    return PlainDecimal.parseInteger(text)
        .orElseThrow(() ->
            new IllegalArgumentException(
                "%s must be a whole number, got \"%s\"".formatted(column, text)));
  }
}
