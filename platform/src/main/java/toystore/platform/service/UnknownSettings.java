package toystore.platform.service;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/// Finds settings that no service reads, so that a misspelled name is not silently ignored. An
/// unknown `toystore.*` key in a file or on the command line aborts startup. An unknown
/// `TOYSTORE_*` variable is only a warning, because other programs share the environment.
///
/// Known settings are the components of the settings records. A key below the name of a peer, or of
/// another service in `toystore.services`, is checked by that service.
final class UnknownSettings {
  private static final String PREFIX = "toystore.";
  private static final String SERVICES = PREFIX + "services";

  private final StoreServiceDescriptor service;
  private final Set<String> known = new TreeSet<>();

  /// @param service its prefix applies to records that have none
  UnknownSettings(StoreServiceDescriptor service, List<Class<? extends Record>> settings) {
    this.service = service;
    for (Class<? extends Record> type : settings) {
      var annotation = type.getAnnotation(ConfigurationProperties.class);
      String prefix = annotation == null ? service.prefix() : annotation.value();
      for (RecordComponent component : type.getRecordComponents()) {
        known.add(prefix + "." + DataObjectPropertyName.toDashedForm(component.getName()));
      }
    }
  }

  /// Throws at the first unknown key and returns the unknown environment variables.
  List<String> check(ConfigurableEnvironment environment) {
    var otherServices = new TreeSet<>(service.peers());
    otherServices.addAll(List.of(environment.getProperty(SERVICES, "").split(",")));
    otherServices.remove(service.name());
    var warnings = new ArrayList<String>();
    for (PropertySource<?> source : environment.getPropertySources()) {
      if (source instanceof EnumerablePropertySource<?> keys) {
        for (String key : keys.getPropertyNames()) {
          if (isKnown(key.toLowerCase(Locale.ROOT).replace('_', '.'), otherServices)) {
            continue;
          }
          if (!StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME.equals(
              source.getName())) {
            throw new StartupException(
                "unknown setting " + key + "; known settings are " + String.join(", ", known));
          }
          warnings.add(key);
        }
      }
    }
    return warnings;
  }

  /// @param key of a variable, too: `toystore.catalog.line.port` is `toystore.catalog.line-port`
  private boolean isKnown(String key, Set<String> otherServices) {
    return !key.startsWith(PREFIX)
        || otherServices.stream().anyMatch(it -> key.startsWith(PREFIX + it + "."))
        || known.stream().anyMatch(it -> normalized(it).equals(normalized(key)));
  }

  private static String normalized(String key) {
    return key.replaceAll("[.-]", "");
  }
}
