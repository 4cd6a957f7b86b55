package toystore.platform.service;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// Settings that all services share.
///
/// @param data data folder of the store; each service has its own folder in it
/// @param supervised whether a launcher holds the standard input of this process; the process then
///   ends with the launcher, injects the faults that it writes, and leaves Ctrl-C to it
/// @param adminToken the administrator's bearer token; absent: the token in `adminTokenFile`
/// @param adminTokenFile file of the token, created at the first start; absent: `admin-token` in
///   the data folder
/// @param deadline maximum time of a call to another service that inherits no deadline
@ConfigurationProperties("toystore")
public record SharedSettings(
    @DefaultValue("data") Path data,
    @DefaultValue("false") boolean supervised,
    @Nullable String adminToken,
    @Nullable Path adminTokenFile,
    @DefaultValue("1s") Duration deadline) {
  public SharedSettings {
    SettingCheck.range("toystore.deadline (in ms)", deadline.toMillis(), 10, 60_000);
  }

  public Path folder(String service) {
    return data.toAbsolutePath().normalize().resolve(service);
  }

  /// File of the administrator's token, used if the settings have no token.
  Path tokenFile() {
    return adminTokenFile == null ? data.resolve("admin-token") : adminTokenFile;
  }

  @Override
  public String toString() {
    return "SharedSettings[data=" + data + ", supervised=" + supervised + "]";
  }
}
