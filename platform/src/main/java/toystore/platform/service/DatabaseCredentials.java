package toystore.platform.service;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/// The user with whom all services log in to PostgreSQL.
///
/// @param databaseUser absent: the first line of `databaseUserFile`
/// @param databasePassword absent: the first line of `databasePasswordFile`
@ConfigurationProperties("toystore")
record DatabaseCredentials(
    @Nullable String databaseUser,
    @Nullable Path databaseUserFile,
    @Nullable String databasePassword,
    @Nullable Path databasePasswordFile) {
  @Override
  public String toString() {
    return "DatabaseCredentials[user=" + databaseUser + "]";
  }
}
