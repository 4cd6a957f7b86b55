package toystore.catalog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.io.StringReader;
import java.math.BigDecimal;
import java.util.List;
import org.apache.commons.csv.CSVFormat;

/// A catalog file is read as it is written, or refused.
class CatalogCsvFuzzTest {
  @FuzzTest
  void anyTextIsACatalogOrRefused(byte[] file) throws IOException {
    List<ProductSpec> specs;
    try {
      specs = CatalogCsv.read(new StringReader(new String(file, UTF_8)));
    } catch (IllegalArgumentException refusal) {
      assertThat(refusal.getMessage()).isNotBlank();
      return;
    }
    assertThat(specs).isNotEmpty();
    assertThat(CatalogCsv.read(new StringReader(csv(specs)))).isEqualTo(specs);
  }

  private static String csv(List<ProductSpec> specs) throws IOException {
    var csv = new StringBuilder("name,price,quantity,category,max_volume\n");
    try (var printer = CSVFormat.RFC4180.print(csv)) {
      for (ProductSpec spec : specs) {
        printer.printRecord(
            spec.name(),
            BigDecimal.valueOf(spec.priceCents(), 2),
            spec.quantity(),
            spec.category(),
            spec.maxVolume());
      }
    }
    return csv.toString();
  }
}
