package toystore.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LeftTemporaryFilesTest {
  private static final Instant YESTERDAY = Instant.now().minusSeconds(86_400);

  @TempDir Path folder;

  @Test
  void onlyFilesOfKilledServicesAreDeleted() throws IOException {
    var library = "sqlite-3.50.3.0-0b5e7f57-9f8b-4a8e-b2f0-1-libsqlitejdbc.so";
    file("tomcat.8480.123/work/Tomcat/ROOT/x.class", YESTERDAY);
    file("tomcat-docbase.8481.5/x", YESTERDAY);
    file(library, YESTERDAY);
    file(library + ".lck", YESTERDAY);
    file("sqlite-3.50.3.0-young-libsqlitejdbc.so", Instant.now());
    file("tomcat.8080.123/of-another-store", YESTERDAY);
    file("sqlite-notes.txt", YESTERDAY);
    file("elsewhere/kept", YESTERDAY);
    var elsewhere = folder.resolve("elsewhere");
    Files.createSymbolicLink(folder.resolve("tomcat.8480.9"), elsewhere);

    LeftTemporaryFiles.delete(
        folder,
        new StorePlan(
            StorePlanTest.SERVICES, StoreLayout.together(8480), null, folder, null, List.of()));

    try (var left = Files.list(folder)) {
      assertThat(left.map(it -> it.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "sqlite-3.50.3.0-young-libsqlitejdbc.so",
              "tomcat.8080.123",
              "tomcat.8480.9",
              "sqlite-notes.txt",
              "elsewhere");
    }
    assertThat(elsewhere.resolve("kept")).exists();
  }

  private Path file(String name, Instant modified) throws IOException {
    var file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "x");
    return Files.setLastModifiedTime(file, FileTime.from(modified));
  }
}
