package toystore.platform.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import toystore.platform.storage.PostgresServer;

/// The user with whom all services log in to PostgreSQL.
///
/// @param databaseUser absent: the first line of `databaseUserFile`
/// @param databasePassword absent: the first line of `databasePasswordFile`
@ConfigurationProperties("toystore")
public record DatabaseCredentials(
    @Nullable String databaseUser,
    @Nullable Path databaseUserFile,
    @Nullable String databasePassword,
    @Nullable Path databasePasswordFile) {
  /// The server of a URL, with the user and the password in the environment.
  ///
  /// @param source what has the URL, for messages
  /// @throws StartupException if the URL or the user is not valid
  public static PostgresServer server(String source, String url, Environment environment) {
    if (!url.startsWith("jdbc:postgresql://")) {
      throw new StartupException(
          String.format(
              Locale.ROOT,
              "%s must be jdbc:postgresql://HOST:PORT/DATABASE, got \"%s\"",
              source,
              url));
    }
    if (url.matches(".*[?&](user|password)=.*")) {
      throw new StartupException(
          source
              + " must not have a user or password; set TOYSTORE_DATABASE_USER and TOYSTORE_DATABASE_PASSWORD, or the variables with _FILE to files");
    }
    var login = Binder.get(environment).bindOrCreate("toystore", DatabaseCredentials.class);
    String user = secret("user", login.databaseUser, login.databaseUserFile);
    if (user.isEmpty()) {
      throw new StartupException(
          source
              + " needs a user; set TOYSTORE_DATABASE_USER and TOYSTORE_DATABASE_PASSWORD, or the variables with _FILE to files");
    }
    return new PostgresServer(
        url, user, secret("password", login.databasePassword, login.databasePasswordFile));
  }

  private static String secret(String name, @Nullable String value, @Nullable Path file) {
    if (file == null) {
      return value == null ? "" : value;
    }
    try {
      return Files.readString(file).lines().findFirst().orElse("");
    } catch (IOException e) {
      throw new StartupException(
          "setting toystore.database-" + name + "-file: file " + file + " cannot be read: " + e, e);
    }
  }

  @Override
  public String toString() {
    return "DatabaseCredentials[user=" + databaseUser + "]";
  }
}
