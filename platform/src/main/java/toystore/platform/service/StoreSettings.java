package toystore.platform.service;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// The settings that all services share.
///
/// @param data the store's data folder; a service keeps its files in a folder of its own below
/// @param supervised whether a launcher holds this process's standard input: the process ends with
///   it, and leaves an interrupt from the keyboard to it
/// @param services the names of all services of the store: settings below their names are theirs to
///   judge
/// @param adminToken the administrator's bearer token; absent: the one in `adminTokenFile`
/// @param adminTokenFile the file that keeps it, made at the first start; absent: `admin-token` in
///   the data folder
@ConfigurationProperties("toystore")
public record StoreSettings(
    @DefaultValue("data") Path data,
    @DefaultValue("false") boolean supervised,
    @Nullable List<String> services,
    @Nullable String adminToken,
    @Nullable Path adminTokenFile) {

  /// Where the service of this name keeps its files.
  public Path folder(String service) {
    return data.toAbsolutePath().normalize().resolve(service);
  }

  /// Where the administrator's token is kept, if none is given.
  Path tokenFile() {
    return adminTokenFile == null ? data.resolve("admin-token") : adminTokenFile;
  }

  @Override
  public String toString() {
    return "StoreSettings[data=" + data + ", supervised=" + supervised + "]";
  }
}
