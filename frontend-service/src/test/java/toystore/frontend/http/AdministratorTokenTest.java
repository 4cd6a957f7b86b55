package toystore.frontend.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.service.StartRefused;
import toystore.service.StoreSettings;

class AdministratorTokenTest {
  @TempDir Path folder;

  @Test
  void aTokenIsMadeOnceReadableByItsOwnerAlone() throws IOException {
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
    assertThat(first.check("Bearer " + token)).isNotNull();
    assertThat(new AdministratorToken(settings(data, null)).check("bearer " + token)).isNotNull();
  }

  @Test
  void aTokenFromTheSettingsIsNotKept() {
    assertThat(new AdministratorToken(settings(folder, "given")).check("Bearer given")).isNotNull();
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aBlankTokenStopsTheStart() {
    assertThatThrownBy(() -> new AdministratorToken(settings(folder, " ")))
        .isInstanceOf(StartRefused.class)
        .hasMessage("setting toystore.admin-token must be a token, got a blank one");
  }

  @Test
  void anEmptyFileStopsTheStart() throws IOException {
    Path file = Files.createFile(folder.resolve("admin-token"));

    assertThatThrownBy(() -> new AdministratorToken(settings(folder, null)))
        .isInstanceOf(StartRefused.class)
        .hasMessage(file + " must hold the administrator's token, but is empty");
  }

  private static StoreSettings settings(Path data, @Nullable String token) {
    return new StoreSettings(data, false, token);
  }
}
