package toystore.catalog.domain;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import toystore.platform.text.Utf8;

class CatalogCsvTest {
  @Test
  void readsColumnsInAnyOrderAndQuotedNames() {
    assertThat(read("quantity,name,price,max_volume\n80,Tux,25.99,\n1,\"A, \"\"B\"\"\",12,7\n"))
        .containsExactly(
            new ProductSpec("Tux", 2599, 80, null, null),
            new ProductSpec("A, \"B\"", 1200, 1, null, 7L));
  }

  @Test
  void byteOrderMarkIsIgnored() {
    assertThat(read("\uFEFFname,price,quantity\nTux,25.99,80\n"))
        .containsExactly(new ProductSpec("Tux", 2599, 80, null, null));
    assertThat(read("\uFEFF\"name\",price,quantity\nTux,25.99,80\n")).hasSize(1);
  }

  @Test
  void zerosAfterThePriceChangeNothing() throws IOException {
    assertThat(read("name,price,quantity\nTux,25.99000,80\n"))
        .containsExactly(new ProductSpec("Tux", 2599, 80, null, null));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          Tux,25.999,80    | line 3: price must be a number with at most two decimals, got "25.999"
          Tux,1e2,80       | line 3: price must be a number with at most two decimals, got "1e2"
          Tux,25.99,+8     | line 3: quantity must be a whole number, got "+8"
          Tux,0,80         | line 3: price in cents must be from 1 to 100000000000, got 0
          Tux,25.99,-1     | line 3: quantity must be from 0 to 9000000000000000, got -1
          Tux,25.99,1.5    | line 3: quantity must be a whole number, got "1.5"
          Tux,25.99        | line 3: expected 3 values as in the header, got 2
          A/B,25.99,80     | line 3: name contains SOLIDUS (U+002F) at position 2; a slash, backslash, percent sign or semicolon is not allowed
          "Tux ",25.99,80  | line 3: name contains SPACE (U+0020) at position 4; white space at the beginning or end is not allowed
          "Tux,25.99,80    | line 3: expected closing quotes, then a comma or the end of the line; got the end of the file
          "T"ux,25.99,80   | line 3: expected closing quotes, then a comma or the end of the line; got other text after the closing quotes
          Whale,25.99,80   | line 3: duplicate product "Whale", already defined in line 2
          """)
  void invalidLineIsReportedWithNumberAndReason(String line, String error) {
    assertThatThrownBy(() -> read("name,price,quantity\nWhale,34.99,94\n" + line.strip() + "\n"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(error);
  }

  @Test
  void allInvalidLinesAreReported() {
    assertThatThrownBy(() -> read("name,price,quantity\nA,x,1\nB,1,1\nB,2,1\nC,1,-1\n"))
        .hasMessage(
            """
            3 invalid lines
            line 2: price must be a number with at most two decimals, got "x"
            line 4: duplicate product "B", already defined in line 3
            line 5: quantity must be from 0 to 9000000000000000, got -1\
            """);
    assertThatThrownBy(() -> read("name,price,quantity\n" + "A,1\n".repeat(1_025)))
        .message()
        .startsWith("1,025 invalid lines\nline 2: expected 3 values as in the header, got 2\n")
        .endsWith("\nline 21: expected 3 values as in the header, got 2\nand 1,005 more")
        .hasLineCount(22);
    assertThatThrownBy(
            () -> read("name,price,quantity\n" + ("A/" + "A".repeat(90) + ",1,1\n").repeat(25)))
        .message()
        .endsWith(" more")
        .satisfies(message -> assertThat(message.length()).isBetween(1_100, 1_500));
  }

  @Test
  void unclosedQuotesAreReportedWhereTheirRowBegins() {
    assertThatThrownBy(() -> read("name,price,quantity\nA,1,1\n\"B,1,1\nC,1,1\nD,1,1\n"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("line 3: expected closing quotes, ");
    assertThatThrownBy(() -> read("\"name,price,quantity\nA,1,1\n"))
        .hasMessageStartingWith("line 1: expected closing quotes, ");
  }

  @Test
  void formsOfOneNameAreOneProduct() {
    assertThatThrownBy(() -> read("name,price,quantity\nJos\u00E9,1,1\nJose\u0301,1,1\n"))
        .hasMessage("line 3: duplicate product \"José\", already defined in line 2");
  }

  @Test
  void invalidHeaderIsReported() {
    assertThatThrownBy(() -> read("name;price;quantity\nTux;25,99;80\n"))
        .hasMessage("line 1: expected columns separated by commas, got [name;price;quantity]");
    assertThatThrownBy(() -> read("name,price,quantity,price\nTux,1,80,2\n"))
        .hasMessage(
            "line 1: expected each column once, got \"price\" twice in [name, price, quantity,"
                + " price]");
    assertThatThrownBy(() -> read("name,,price,quantity\nTux,1,80,2\n"))
        .hasMessageEndingWith("got [name, , price, quantity]");
    assertThatThrownBy(() -> read("name,cost\nTux,1\n"))
        .hasMessage(
            "line 1: the header must contain [name, price, quantity] and may contain [category,"
                + " max_volume], got [name, cost]");
    assertThatThrownBy(() -> read("")).hasMessageStartingWith("line 1: ");
    assertThatThrownBy(() -> read("name,price,quantity\n")).hasMessageStartingWith("line 2: ");
  }

  @Test
  void shippedCatalogContainsRequiredProducts() throws IOException {
    List<ProductSpec> shipped;
    try (var csv = CatalogCsv.class.getResourceAsStream("/catalog.csv")) {
      shipped = CatalogCsv.read(Utf8.read(requireNonNull(csv), 1 << 20));
    }
    assertThat(shipped)
        .filteredOn(it -> List.of("Tux", "Whale", "Elephant", "Bird").contains(it.name()))
        .extracting(it -> it.name() + " " + it.priceCents() + " " + it.quantity())
        .containsExactlyInAnyOrder(
            "Tux 2599 80", "Whale 3499 94", "Elephant 2999 87", "Bird 3999 98");
    assertThat(shipped)
        .extracting(ProductSpec::name)
        .contains("GameStart", "FishCo", "BoarCo", "MenhirCo");
    assertThat(shipped.stream().map(ProductSpec::category).distinct().count())
        .isGreaterThanOrEqualTo(12);
  }

  private static List<ProductSpec> read(String csv) {
    return CatalogCsv.read(csv);
  }
}
