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
        boolean variables =
            StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME.equals(source.getName());
        for (String key : keys.getPropertyNames()) {
          if (variables) {
            if (key.startsWith("TOYSTORE_") && !isKnown(toKey(key), otherServices)) {
              warnings.add(key);
            }
          } else if (key.toLowerCase(Locale.ROOT).startsWith(PREFIX)
              && !isKnown(key.toLowerCase(Locale.ROOT), otherServices)) {
            throw new StartupException(
                "unknown setting " + key + "; known settings are " + String.join(", ", known));
          }
        }
      }
    }
    return warnings;
  }

  private boolean isKnown(String key, Set<String> otherServices) {
    String first = key.substring(PREFIX.length()).split("\\.", 2)[0];
    boolean another = key.startsWith(PREFIX + first + ".") && otherServices.contains(first);
    return another || known.stream().anyMatch(name -> normalized(name).equals(normalized(key)));
  }

  /// `TOYSTORE_CATALOG_LINE_PORT` → `toystore.catalog.line.port`, which normalizes to the same text
  /// as `toystore.catalog.line-port`.
  private static String toKey(String variable) {
    return variable.toLowerCase(Locale.ROOT).replace('_', '.');
  }

  private static String normalized(String key) {
    return key.replaceAll("[.\\-_]", "").toLowerCase(Locale.ROOT);
  }
}
