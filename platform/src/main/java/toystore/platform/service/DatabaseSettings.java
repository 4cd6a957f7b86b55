package toystore.platform.service;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.env.Environment;

/// Settings below the prefix of each service with a database.
///
/// @param readers number of threads that read from disk, each with its own connection
/// @param readQueue maximum number of waiting queries
public record DatabaseSettings(
    @DefaultValue("2") int readers, @DefaultValue("1000") int readQueue) {
  static DatabaseSettings of(StoreServiceDescriptor service, Environment environment) {
    DatabaseSettings settings =
        Binder.get(environment).bindOrCreate(service.prefix(), DatabaseSettings.class);
    SettingRange.check(service.prefix() + ".readers", settings.readers, 1, 100);
    SettingRange.check(service.prefix() + ".read-queue", settings.readQueue, 1, 1_000_000);
    return settings;
  }
}
