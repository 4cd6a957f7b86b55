package toystore.platform.service;

import static toystore.common.RootLocale.format;

import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;

/// Finds settings that no service reads: `toystore.*` in files and on the command line, and
/// `TOYSTORE_*` in the environment. They abort startup, because a service without a setting that
/// was meant for it may use another database, or be open to the network.
///
/// Known settings are the components of the settings records. Those below the name of another
/// service are checked by that service.
final class UnknownSettings {
  private static final String PREFIX = "toystore.";

  /// A variable of the script `toystore`.
  private static final String JAVA_HOME = PREFIX + "java.home";

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

  /// The names of all settings of the service.
  Set<String> known() {
    return known;
  }

  /// @throws StartupException with the first unknown setting
  void check(ConfigurableEnvironment environment) {
    for (PropertySource<?> source : environment.getPropertySources()) {
      if (source instanceof EnumerablePropertySource<?> keys) {
        for (String key : keys.getPropertyNames()) {
          if (!isKnown(key.toLowerCase(Locale.ROOT).replace('_', '.'))) {
            throw new StartupException(
                format(
                    "unknown setting %s; remove it, or use one of %s",
                    key, String.join(", ", known)));
          }
        }
      }
    }
  }

  /// @param key of a variable, too: `toystore.catalog.line.port` is `toystore.catalog.line-port`
  private boolean isKnown(String key) {
    return !key.startsWith(PREFIX)
        || key.equals(JAVA_HOME)
        || StoreServiceDescriptor.NAMES.stream()
            .filter(it -> !it.equals(service.name()))
            .anyMatch(it -> key.startsWith(PREFIX + it + "."))
        || known.stream().anyMatch(it -> normalized(it).equals(normalized(key)));
  }

  /// The name without the index of an element: `hosts[0]`, and `HOSTS_0` of a variable.
  private static String normalized(String key) {
    return key.toLowerCase(Locale.ROOT)
        .replaceFirst("(\\[\\d+]|[._]\\d+)$", "")
        .replaceAll("[._-]", "");
  }
}
