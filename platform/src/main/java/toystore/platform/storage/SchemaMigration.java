package toystore.platform.storage;

import static toystore.common.RootLocale.format;

import java.util.Arrays;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationInfoService;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.core.api.exception.FlywayValidateException;

/// Migrates the schema of a database to the newest version.
final class SchemaMigration {
  private SchemaMigration() {}

  /// @param locations folders of the migrations on the class path
  static Flyway of(FluentConfiguration configuration, String... locations) {
    return configuration
        .locations(Stream.of(locations).map(it -> "classpath:" + it).toArray(String[]::new))
        .ignoreMigrationPatterns(new String[0]) // the default ignores migrations of the future
        .load();
  }

  /// @param database for messages
  /// @throws UnusableFileException if the schema has a newer version or is of a version before the
  ///   first release, or its history is damaged; nothing was changed
  static void run(Flyway flyway, String database) {
    try {
      flyway.migrate();
    } catch (FlywayValidateException e) {
      refuseNewerSchema(database, flyway.info());
      throw new UnusableFileException(
          database
              + " cannot be used: its schema is none that this version of the store wrote; nothing"
              + " was changed; start the version that wrote it, or use another data folder",
          e);
    } catch (NullPointerException e) { // thrown by Flyway if its table is damaged
      throw new UnusableFileException(
          database + " cannot be used: flyway_schema_history is damaged", e);
    }
  }

  private static void refuseNewerSchema(String database, MigrationInfoService schema) {
    MigrationInfo current = schema.current();
    boolean isKnown =
        Arrays.stream(schema.applied())
            .allMatch(it -> !it.getState().isResolved() || it.isChecksumMatching());
    if (isKnown && current != null && !current.getState().isResolved()) { // not among those here
      String newest =
          Arrays.stream(schema.all())
              .filter(it -> it.getState().isResolved() && it.isVersioned())
              .map(it -> String.valueOf(it.getVersion()))
              .reduce("none", (_, last) -> last);
      throw new UnusableFileException(
          format(
              "%s cannot be used: schema version %s is newer than %s, the newest that this version of the store knows; start the version that wrote it, or restore an older backup",
              database, current.getVersion(), newest));
    }
  }
}
