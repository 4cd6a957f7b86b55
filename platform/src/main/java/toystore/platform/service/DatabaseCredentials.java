package toystore.platform.service;

import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.env.Environment;
import toystore.platform.storage.PostgresServer;

/// The user with whom all services log in to PostgreSQL.
///
/// @param databasePassword absent: the first line of `databasePasswordFile`
@ConfigurationProperties("toystore")
public record DatabaseCredentials(
    @DefaultValue("") String databaseUser,
    @DefaultValue("") String databasePassword,
    @Nullable Path databasePasswordFile) {
  private static final String LOGIN_SETTINGS =
      "set TOYSTORE_DATABASE_USER and TOYSTORE_DATABASE_PASSWORD, or TOYSTORE_DATABASE_PASSWORD_FILE";

  /// A user before the host, or a parameter of the driver.
  private static final Pattern SECRET = Pattern.compile("//[^/?]*@|[?&](user|password)=");

  private static final Pattern FIXED_PARAMETER =
      Pattern.compile(
          "[?&](readOnly|readOnlyMode|targetServerType|currentSchema|options|autosave)=");

  /// The server of a URL, with the user and the password in the environment. A file is read again
  /// for each connection.
  ///
  /// @param source what has the URL, for messages
  /// @throws StartupException if the URL or the user is not valid
  public static PostgresServer server(String source, String url, Environment environment) {
    if (SECRET.matcher(url).find()) { // not printed
      throw new StartupException(source + " must not have a user or password; " + LOGIN_SETTINGS);
    }
    if (!url.startsWith("jdbc:postgresql://")) {
      throw new StartupException(
          format("%s must be jdbc:postgresql://HOST:PORT/DATABASE, got \"%s\"", source, url));
    }
    Matcher parameter = FIXED_PARAMETER.matcher(url);
    if (parameter.find()) {
      throw new StartupException(
          source + " must not have the parameter " + parameter.group(1) + ", which the store sets");
    }
    var login = Binder.get(environment).bindOrCreate("toystore", DatabaseCredentials.class);
    if (login.databaseUser.isEmpty()) {
      throw new StartupException(source + " needs a user; " + LOGIN_SETTINGS);
    }
    try {
      login.read(); // before the first connection
    } catch (IOException e) {
      throw new StartupException("setting " + e.getMessage(), e);
    }
    return new PostgresServer(url, login::read);
  }

  private PostgresServer.Login read() throws IOException {
    return new PostgresServer.Login(databaseUser, password());
  }

  private String password() throws IOException {
    if (databasePasswordFile == null) {
      return databasePassword;
    }
    try {
      return Files.readString(databasePasswordFile).lines().findFirst().orElse("");
    } catch (IOException e) {
      throw new IOException(
          "toystore.database-password-file: file " + databasePasswordFile + " cannot be read: " + e,
          e);
    }
  }

  @Override
  public String toString() {
    return "DatabaseCredentials[user=" + databaseUser + "]";
  }
}
