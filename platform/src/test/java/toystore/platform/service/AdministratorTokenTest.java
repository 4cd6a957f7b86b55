package toystore.platform.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.platform.service.AdministratorToken.Shown;

class AdministratorTokenTest {
  @TempDir Path folder;

  @Test
  void tokenFileIsCreatedOnceAndReadableByOwnerOnly() throws IOException {
    Path data = folder.resolve("data");
    var first = new AdministratorToken(settings(data, null));
    Path file = data.resolve("admin-token");
    String token = Files.readString(file).strip();

    assertThat(token).matches("[A-Za-z0-9_-]{32}");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    try (var files = Files.list(data)) {
      assertThat(files).containsExactly(file);
    }
    assertThat(first.check("Bearer " + token)).isEqualTo(Shown.ADMINISTRATOR);
    assertThat(new AdministratorToken(settings(data, null)).check("bearer " + token))
        .isEqualTo(Shown.ADMINISTRATOR);
    assertThat(first.check("Bearer " + token + "x")).isEqualTo(Shown.OTHER);
    assertThat(first.check(token)).isEqualTo(Shown.NONE);
    assertThat(first.check(null)).isEqualTo(Shown.NONE);
  }

  @Test
  void tokenFromSettingsIsNotStored() {
    assertThat(new AdministratorToken(settings(folder, "given")).check("Bearer given"))
        .isEqualTo(Shown.ADMINISTRATOR);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void blankTokenAbortsStartup() {
    assertThatThrownBy(() -> new AdministratorToken(settings(folder, " ")))
        .isInstanceOf(StartupException.class)
        .hasMessage(
            "setting toystore.admin-token must be a token of printable ASCII characters,"
                + " got an empty text");
  }

  @Test
  void blankTokenFileAbortsStartup() throws IOException {
    Path file = Files.writeString(folder.resolve("admin-token"), "\n");

    assertThatThrownBy(() -> new AdministratorToken(settings(folder, null)))
        .isInstanceOf(StartupException.class)
        .hasMessage(file + " must be a token of printable ASCII characters, got an empty text");
  }

  @Test
  void servicesWithTheSameTokenFileHaveTheSameToken() throws IOException {
    Path file = folder.resolve("shared/token");
    var first = new SharedSettings(folder.resolve("a"), false, null, file, Duration.ofSeconds(1));
    var second = new SharedSettings(folder.resolve("b"), false, null, file, Duration.ofSeconds(1));

    new AdministratorToken(first);
    assertThat(file).isNotEmptyFile();
    assertThat(new AdministratorToken(second).check("Bearer " + Files.readString(file).strip()))
        .isEqualTo(Shown.ADMINISTRATOR);
  }

  private static SharedSettings settings(Path data, @Nullable String token) {
    return new SharedSettings(data, false, token, null, Duration.ofSeconds(1));
  }
}
