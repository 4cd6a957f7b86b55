package toystore.catalog.domain;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import toystore.platform.text.Utf8;

/// Arbitrary bytes as a catalog file are refused, or read as products that stay the same when they
/// are written and read again.
class CatalogCsvFuzzTest {
  @FuzzTest
  void anyTextIsACatalogOrRefused(byte[] file) throws IOException {
    List<ProductSpec> specs;
    try {
      specs = CatalogCsv.read(Utf8.decode(file));
    } catch (IllegalArgumentException refusal) {
      assertThat(refusal.getMessage()).isNotBlank();
      return;
    }
    assertThat(specs).isNotEmpty();
    assertThat(CatalogCsv.read(csv(specs))).isEqualTo(specs);
  }

  /// Without a column `category` if no product has one.
  private static String csv(List<ProductSpec> specs) throws IOException {
    boolean categories = specs.getFirst().category() != null;
    var csv = new StringBuilder("name,price,quantity,max_volume");
    csv.append(categories ? ",category\n" : "\n");
    try (var printer = CSVFormat.RFC4180.print(csv)) {
      for (ProductSpec spec : specs) {
        printer.print(spec.name());
        printer.print(BigDecimal.valueOf(spec.priceCents(), 2));
        printer.print(spec.quantity());
        printer.print(spec.maxVolume());
        if (categories) {
          printer.print(spec.category());
        }
        printer.println();
      }
    }
    return csv.toString();
  }
}
