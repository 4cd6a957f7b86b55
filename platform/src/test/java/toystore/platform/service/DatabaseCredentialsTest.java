package toystore.platform.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import toystore.platform.storage.PostgresServer;

class DatabaseCredentialsTest {
  private static final String URL = "jdbc:postgresql://127.0.0.1:5432/toystore";

  @TempDir Path folder;

  private final Map<String, Object> settings =
      new HashMap<>(Map.of("toystore.database-user", "shop"));

  private PostgresServer server(String url) {
    var environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("settings", settings));
    return DatabaseCredentials.server("--database", url, environment);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql://ann:s3cret@127.0.0.1:5432/toystore",
        "jdbc:postgresql://127.0.0.1:5432,ann:s3cret@[::1]:5432/toystore",
        "postgresql://ann:s3cret@127.0.0.1/toystore",
        "jdbc:postgresql://127.0.0.1/toystore?sslmode=require&password=s3cret",
        "jdbc:postgresql://127.0.0.1/toystore?user=s3cret"
      })
  void urlWithALoginIsRefusedAndNotPrinted(String url) {
    assertThatExceptionOfType(StartupException.class)
        .isThrownBy(() -> server(url))
        .withMessageStartingWith("--database must not have a user or password; set TOYSTORE_")
        .satisfies(it -> assertThat(it.getMessage()).doesNotContain("s3cret"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"readOnly", "targetServerType", "currentSchema", "options"})
  void urlWithAParameterOfTheStoreIsRefused(String parameter) {
    assertThatExceptionOfType(StartupException.class)
        .isThrownBy(() -> server(URL + "?ApplicationName=x&" + parameter + "=true"))
        .withMessage(
            "--database must not have the parameter " + parameter + ", which the store sets");
  }

  @Test
  void changedPasswordIsReadFromItsFileAgain() throws Exception {
    Path file = Files.writeString(folder.resolve("password"), "žluťoučký\n");
    settings.put("toystore.database-password-file", file.toString());
    PostgresServer server = server(URL);
    assertThat(server.login().read()).isEqualTo(new PostgresServer.Login("shop", "žluťoučký"));
    Files.writeString(file, "new");
    assertThat(server.login().read().password()).isEqualTo("new");
    assertThat(server.login().read()).hasToString("Login[user=shop]");
  }

  /// Spring Boot reads such a folder, as Docker and Kubernetes mount secrets: the name of a file is
  /// a setting. docs/reference/settings.md has the example.
  @Test
  void credentialsAreReadFromAFolderWithAFileForEachSetting() throws Exception {
    Files.writeString(folder.resolve("toystore.database-user"), "käthe\n");
    Files.writeString(folder.resolve("toystore.database-password"), "žluťoučký kůň\n");
    settings.clear();
    settings.put("spring.config.import", "configtree:" + folder + "/");
    var environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("settings", settings));
    ConfigDataEnvironmentPostProcessor.applyTo(environment);

    PostgresServer server = DatabaseCredentials.server("--database", URL, environment);
    assertThat(server.login().read()).isEqualTo(new PostgresServer.Login("käthe", "žluťoučký kůň"));
  }

  @Test
  void fileThatCannotBeReadIsRefused() {
    settings.put("toystore.database-password-file", folder.resolve("none").toString());
    assertThatExceptionOfType(StartupException.class)
        .isThrownBy(() -> server(URL))
        .withMessageStartingWith("setting toystore.database-password-file: file " + folder);
  }
}
