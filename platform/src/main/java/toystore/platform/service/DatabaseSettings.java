package toystore.platform.service;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.env.Environment;

/// The settings that every service with a database has below its own prefix.
///
/// @param readers threads that read from disk, each with a connection
/// @param readQueue questions that may wait for them
public record DatabaseSettings(
    @DefaultValue("2") int readers, @DefaultValue("1000") int readQueue) {
  static DatabaseSettings of(ServiceDescriptor service, Environment environment) {
    DatabaseSettings settings =
        Binder.get(environment).bindOrCreate(service.prefix(), DatabaseSettings.class);
    SettingRange.check(service.prefix() + ".readers", settings.readers, 1, 100);
    SettingRange.check(service.prefix() + ".read-queue", settings.readQueue, 1, 1_000_000);
    return settings;
  }
}
