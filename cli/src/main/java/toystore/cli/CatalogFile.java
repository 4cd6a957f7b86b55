package toystore.cli;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/// A catalog file: CSV with a header, `name,price,quantity`, optionally `category` and
/// `max_volume`. A bad line refuses the whole file, by its number.
final class CatalogFile {
  /// One product as the file wants it.
  record Line(
      String name, long priceCents, long quantity, String category, OptionalLong maxVolume) {}

  private static final CSVFormat FORMAT =
      CSVFormat.RFC4180
          .builder()
          .setHeader()
          .setSkipHeaderRecord(true)
          .setIgnoreEmptyLines(true)
          .setIgnoreSurroundingSpaces(true)
          .get();
  private static final List<String> NEEDED = List.of("name", "price", "quantity");
  private static final Set<String> KNOWN =
      Set.of("name", "price", "quantity", "category", "max_volume");
  private static final Pattern PRICE = Pattern.compile("[0-9]{1,12}(\\.[0-9]{1,2})?");
  private static final Pattern COUNT = Pattern.compile("[0-9]{1,16}");
  private static final Pattern NAME = Pattern.compile("[^/%\\p{Cntrl}]{1,100}");
  private static final long MOST = 9_000_000_000_000_000L;
  private static final int MOST_LINES = 100_000;

  private final Path file;

  CatalogFile(Path file) {
    this.file = file;
  }

  /// All lines of the file, in its order.
  List<Line> lines() throws IOException {
    try (var reader = Files.newBufferedReader(file);
        var parser = parser(reader)) {
      checkHeader(parser.getHeaderNames());
      return read(parser);
    } catch (NoSuchFileException missing) {
      throw new Refused("cannot read the file " + file);
    } catch (MalformedInputException notText) {
      throw new Refused(file + " is not UTF-8 text");
    } catch (UncheckedIOException broken) {
      throw new Refused("%s: %s".formatted(file, broken.getMessage()));
    }
  }

  private CSVParser parser(Reader reader) throws IOException {
    try {
      return FORMAT.parse(reader);
    } catch (IllegalArgumentException twice) {
      throw new Refused("%s line 1: %s".formatted(file, twice.getMessage()));
    }
  }

  private void checkHeader(List<String> header) {
    for (var needed : NEEDED) {
      if (!header.contains(needed)) {
        throw bad(
            1, "header", "name,price,quantity[,category,max_volume]", String.join(",", header));
      }
    }
    for (var column : header) {
      if (!KNOWN.contains(column)) {
        throw bad(1, "column", "one of name, price, quantity, category, max_volume", column);
      }
    }
  }

  private List<Line> read(CSVParser parser) {
    var lines = new ArrayList<Line>();
    var firstSeen = new HashMap<String, Long>();
    for (var row : parser) {
      var number = parser.getCurrentLineNumber();
      if (!row.isConsistent()) {
        throw bad(number, "line", "as many fields as the header", String.join(",", row.values()));
      }
      var line = line(row, number);
      var seen = firstSeen.putIfAbsent(line.name(), number);
      if (seen != null) {
        throw bad(number, "name", "one that is not on line " + seen + " already", line.name());
      }
      lines.add(line);
      if (lines.size() > MOST_LINES) {
        throw new Refused("%s: at most %,d products at once".formatted(file, MOST_LINES));
      }
    }
    if (lines.isEmpty()) {
      throw new Refused(file + " holds no product");
    }
    return lines;
  }

  private Line line(CSVRecord row, long number) {
    return new Line(
        name(row.get("name"), number),
        priceCents(row.get("price"), number),
        count("quantity", row.get("quantity"), number),
        row.isSet("category") ? row.get("category") : "",
        row.isSet("max_volume") && !row.get("max_volume").isEmpty()
            ? OptionalLong.of(count("max_volume", row.get("max_volume"), number))
            : OptionalLong.empty());
  }

  private String name(String text, long number) {
    if (!NAME.matcher(text).matches()) {
      throw bad(
          number, "name", "1 to 100 characters, no slash, percent sign or control character", text);
    }
    return text;
  }

  private long priceCents(String text, long number) {
    var cents =
        PRICE.matcher(text).matches() ? new BigDecimal(text).movePointRight(2).longValueExact() : 0;
    if (cents == 0) {
      throw bad(number, "price", "at least 0.01 with at most two decimals", text);
    }
    return cents;
  }

  private long count(String column, String text, long number) {
    var count = COUNT.matcher(text).matches() ? Long.parseLong(text) : -1;
    if (count < 0 || count > MOST) {
      throw bad(number, column, "a whole number from 0 to 9000000000000000", text);
    }
    return count;
  }

  private Refused bad(long number, String what, String rule, String got) {
    return new Refused(
        "%s line %d: %s must be %s, got \"%s\"".formatted(file, number, what, rule, got));
  }
}
