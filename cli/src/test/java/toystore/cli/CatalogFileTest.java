package toystore.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CatalogFileTest {
  @TempDir Path folder;

  @Test
  void readsAllColumns() throws IOException {
    var file =
        file(
            """
            name,price,quantity,category,max_volume
            Tux,25.99,80,Birds,
            "Bear, brown",5,0,,1000
            """);
    assertThat(file.lines())
        .containsExactly(
            new CatalogFile.Line("Tux", 2599, 80, "Birds", OptionalLong.empty()),
            new CatalogFile.Line("Bear, brown", 500, 0, "", OptionalLong.of(1000)));
  }

  @Test
  void columnsMayComeInAnyOrder() throws IOException {
    assertThat(file("quantity,name,price\n3,Tux,1.5\n").lines())
        .containsExactly(new CatalogFile.Line("Tux", 150, 3, "", OptionalLong.empty()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "Tux,dear,1|price must be at least 0.01 with at most two decimals, got \"dear\"",
        "Tux,0,1|price must be at least 0.01 with at most two decimals, got \"0\"",
        "Tux,1.999,1|price must be at least 0.01 with at most two decimals, got \"1.999\"",
        "Tux,1,-1|quantity must be a whole number from 0 to 9000000000000000, got \"-1\"",
        "Tux,1,1.5|quantity must be a whole number from 0 to 9000000000000000, got \"1.5\"",
        "Tux,1|line must be as many fields as the header, got \"Tux,1\"",
        "Whale,1,1|name must be one that is not on line 2 already, got \"Whale\"",
        "T/x,1,1|name must be 1 to 100 characters, no slash, percent sign or control character,"
            + " got \"T/x\"",
      })
  void namesTheBadLine(String line, String reason) throws IOException {
    var file = file("name,price,quantity\nWhale,1,1\n" + line + "\nBird,1,1\n");
    assertThatExceptionOfType(Refused.class)
        .isThrownBy(file::lines)
        .withMessage("%s line 3: %s", folder.resolve("toys.csv"), reason);
  }

  @Test
  void namesTheMissingColumn() throws IOException {
    var file = file("name,cost\nTux,1\n");
    assertThatExceptionOfType(Refused.class)
        .isThrownBy(file::lines)
        .withMessage(
            "%s line 1: header must be name,price,quantity[,category,max_volume], got"
                + " \"name,cost\"",
            folder.resolve("toys.csv"));
  }

  private CatalogFile file(String text) throws IOException {
    return new CatalogFile(Files.writeString(folder.resolve("toys.csv"), text));
  }
}
