package toystore.platform.service;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// Settings of the services with a database.
///
/// @param database `jdbc:postgresql://host:port/database`, several hosts separated by commas;
///   absent: an SQLite file in the data folder
/// @param readers number of threads that read from disk, each with its own connection
/// @param queue maximum number of commands that wait for the writer
/// @param batch maximum number of commands in one commit
@ConfigurationProperties("toystore")
public record DatabaseSettings(
    @Nullable String database,
    @DefaultValue("2") int readers,
    @DefaultValue("10000") int queue,
    @DefaultValue("500") int batch) {
  static final String URL = "toystore.database";

  public static final int READ_QUEUE = 1_000;

  public DatabaseSettings {
    SettingCheck.range("toystore.readers", readers, 1, 100);
    SettingCheck.range("toystore.queue", queue, 1, 1_000_000);
    SettingCheck.range("toystore.batch", batch, 1, 10_000);
  }
}
