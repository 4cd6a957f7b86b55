package toystore.catalog.domain;

import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.commons.csv.CSVException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;
import toystore.platform.text.IdentifierText;
import toystore.platform.text.Limits;
import toystore.platform.text.PlainDecimal;

/// Reads `name,price,quantity`, optionally `category` and `max_volume`, with a header, in any
/// order. A byte order mark is ignored.
public final class CatalogCsv {
  private static final Set<String> REQUIRED = new TreeSet<>(Set.of("name", "price", "quantity"));
  private static final Set<String> OPTIONAL = new TreeSet<>(Set.of("category", "max_volume"));
  private static final CSVFormat FORMAT =
      CSVFormat.RFC4180
          .builder()
          .setHeader()
          .setSkipHeaderRecord(true)
          .setIgnoreEmptyLines(true)
          .setIgnoreSurroundingSpaces(true)
          .setAllowMissingColumnNames(true) // the header is checked here
          .get();

  private static final String BYTE_ORDER_MARK = "\uFEFF"; // spreadsheet programs write it
  private static final Pattern SEPARATOR = Pattern.compile("[;\t|]");
  private static final int MAX_REPORTED = 20;
  private static final int MAX_REPORT_LENGTH = 1_400;

  private CatalogCsv() {}

  /// @throws IllegalArgumentException with all invalid lines, what was expected and what was
  ///   received
  public static List<ProductSpec> read(String text) {
    String csv = text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    try (CSVParser rows = parse(csv)) {
      checkHeader(rows);
      return specs(rows);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // not from a text
    }
  }

  private static CSVParser parse(String csv) throws IOException {
    try {
      return FORMAT.parse(new StringReader(csv));
    } catch (CSVException e) {
      throw invalidQuotes(1, e);
    }
  }

  private static List<ProductSpec> specs(CSVParser rows) {
    List<ProductSpec> specs = new ArrayList<>();
    Map<String, Long> lines = new HashMap<>();
    List<String> firstInvalid = new ArrayList<>();
    int invalid = 0;
    Iterator<CSVRecord> iterator = rows.iterator();
    while (hasNext(rows, iterator)) {
      CSVRecord row = iterator.next();
      long line = rows.getCurrentLineNumber();
      try {
        ProductSpec spec = spec(row);
        Long earlier = lines.putIfAbsent(spec.name(), line);
        if (earlier != null) {
          throw Limits.invalid(
              "duplicate product \"%s\", already defined in line %d", spec.name(), earlier);
        }
        specs.add(spec);
      } catch (IllegalArgumentException e) {
        invalid++;
        if (invalid <= MAX_REPORTED) {
          firstInvalid.add("line " + line + ": " + e.getMessage());
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
  }

  /// Reads the next row, which begins after the current line.
  private static boolean hasNext(CSVParser rows, Iterator<CSVRecord> iterator) {
    long line = rows.getCurrentLineNumber() + 1;
    try {
      return iterator.hasNext();
    } catch (UncheckedIOException e) {
      throw invalidQuotes(line, e);
    }
  }

  /// The parser fails for no other reason. Quotes that are not closed may reach the next quotes, or
  /// the end of the file.
  private static IllegalArgumentException invalidQuotes(long line, Exception cause) {
    boolean atEnd = String.valueOf(cause.getMessage()).contains("EOF");
    return new IllegalArgumentException(
        "line "
            + line
            + ": expected closing quotes, then a comma or the end of the line; got "
            + (atEnd ? "the end of the file" : "other text after the closing quotes"),
        cause);
  }

  /// Each on a line of its own, the first 20 or fewer: a gRPC error has at most 1,500 bytes.
  private static String report(List<String> first, int count) {
    if (count == 1) {
      return first.getFirst();
    }
    var report = new StringBuilder(format("%,d invalid lines", count));
    int reported = 0;
    while (reported < first.size()
        && report.length() + first.get(reported).length() < MAX_REPORT_LENGTH) {
      report.append('\n').append(first.get(reported));
      reported++;
    }
    if (reported < count) {
      report.append(format("\nand %,d more", count - reported));
    }
    return report.toString();
  }

  private static void checkHeader(CSVParser rows) {
    List<String> names = rows.getHeaderNames();
    long line = rows.getCurrentLineNumber();
    if (names.size() == 1 && SEPARATOR.matcher(names.getFirst()).find()) {
      throw Limits.invalid(
          "line %d: expected columns separated by commas, got %s", line, shown(names));
    }
    names.stream()
        .filter(it -> Collections.frequency(names, it) > 1)
        .findFirst()
        .ifPresent(twice -> {
          throw Limits.invalid(
              "line %d: expected each column once, got \"%s\" twice in %s",
              line, twice, shown(names));
        });
    var known = new TreeSet<>(REQUIRED);
    known.addAll(OPTIONAL);
    if (!names.containsAll(REQUIRED) || !known.containsAll(names)) {
      throw Limits.invalid(
          "line %d: the header must contain %s and may contain %s, got %s",
          line, REQUIRED, OPTIONAL, shown(names));
    }
  }

  private static String shown(List<String> names) {
    return '[' + IdentifierText.quoted(String.join(", ", names)) + ']';
  }

  private static ProductSpec spec(CSVRecord row) {
    if (!row.isConsistent()) {
      throw Limits.invalid(
          "expected %d values as in the header, got %d",
          row.getParser().getHeaderNames().size(), row.size());
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
            Limits.invalid("price must be a number with at most two decimals, got \"%s\"", text));
  }

  private static @Nullable Long optionalInteger(String column, CSVRecord row) {
    return !row.isMapped(column) || row.get(column).isEmpty()
        ? null
        : (Long) integer(column, row.get(column));
  }

  private static long integer(String column, String text) {
    return PlainDecimal.parseInteger(text)
        .orElseThrow(() -> Limits.invalid("%s must be a whole number, got \"%s\"", column, text));
  }
}
