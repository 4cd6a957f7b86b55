package toystore.service;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// The settings that all services share.
///
/// @param data the store's data folder; a service keeps its files in a folder of its own below
/// @param supervised whether a launcher holds this process's standard input: the process ends with
///   it, and leaves an interrupt from the keyboard to it
/// @param adminToken the administrator's bearer token; absent: made and kept in the data folder
@ConfigurationProperties("toystore")
public record StoreSettings(
    @DefaultValue("data") Path data,
    @DefaultValue("false") boolean supervised,
    @Nullable String adminToken) {

  /// Where the service of this name keeps its files.
  public Path folder(String service) {
    return data.toAbsolutePath().normalize().resolve(service);
  }

  @Override
  public String toString() {
    return "StoreSettings[data=" + data + ", supervised=" + supervised + "]";
  }
}
