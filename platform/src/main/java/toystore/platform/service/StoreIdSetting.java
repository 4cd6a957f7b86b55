package toystore.platform.service;

import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import toystore.platform.storage.StoreIdentity;

/// The identity of the store, which the launcher creates as a file in the data folder. Where each
/// process has a data folder of its own, or a new one at each start, it is a setting instead.
///
/// @param storeId absent: the one in the file `store-id` of the data folder, if that exists
@ConfigurationProperties("toystore")
public record StoreIdSetting(@Nullable UUID storeId) {
  /// The store of a process.
  ///
  /// @param data the data folder
  /// @return null: the process has no identity, and uses the schemas of any store
  public static @Nullable StoreIdentity identity(Environment environment, Path data) {
    Path folder = data.toAbsolutePath().normalize();
    UUID id = Binder.get(environment).bindOrCreate("toystore", StoreIdSetting.class).storeId;
    Path file = folder.resolve(StoreIdentity.FILE);
    if (id == null && Files.exists(file)) {
      id = read(file);
    }
    return id == null ? null : new StoreIdentity(id, folder);
  }

  private static UUID read(Path file) {
    String text;
    try {
      text = Files.readString(file).strip();
    } catch (IOException e) {
      throw new StartupException("file " + file + " cannot be read: " + e, e);
    }
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      throw new StartupException(format("file %s must have a UUID, got \"%s\"", file, text), e);
    }
  }
}
