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

/// Finds settings that nobody reads, so that a slip of the pen does not pass for a default: a
/// `toystore.*` key in a file or on the command line stops the start, a `TOYSTORE_*` variable is
/// warned of (an environment is shared with others).
///
/// What a service may be told is what its settings records have components. A key under the name of
/// a peer, or of another service that `toystore.services` names, is that service's to judge.
final class UnknownSettings {
  private static final String PREFIX = "toystore.";
  private static final String SERVICES = PREFIX + "services";

  private final ServiceDescriptor service;
  private final Set<String> known = new TreeSet<>();

  /// @param service whose prefix those have that name none
  UnknownSettings(ServiceDescriptor service, List<Class<? extends Record>> settings) {
    this.service = service;
    for (Class<? extends Record> type : settings) {
      var annotation = type.getAnnotation(ConfigurationProperties.class);
      String prefix = annotation == null ? service.prefix() : annotation.value();
      for (RecordComponent component : type.getRecordComponents()) {
        known.add(prefix + "." + DataObjectPropertyName.toDashedForm(component.getName()));
      }
    }
  }

  /// Stops at the first unknown key; returns the unknown environment variables.
  List<String> check(ConfigurableEnvironment environment) {
    var others = new TreeSet<>(service.peers());
    others.addAll(List.of(environment.getProperty(SERVICES, "").split(",")));
    others.remove(service.name());
    var warnings = new ArrayList<String>();
    for (PropertySource<?> source : environment.getPropertySources()) {
      if (source instanceof EnumerablePropertySource<?> keys) {
        boolean variables =
            StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME.equals(source.getName());
        for (String key : keys.getPropertyNames()) {
          if (variables) {
            if (key.startsWith("TOYSTORE_") && !isKnown(asKey(key), others)) {
              warnings.add(key);
            }
          } else if (key.toLowerCase(Locale.ROOT).startsWith(PREFIX)
              && !isKnown(key.toLowerCase(Locale.ROOT), others)) {
            throw new StartupException(
                "unknown setting " + key + "; known settings are " + String.join(", ", known));
          }
        }
      }
    }
    return warnings;
  }

  private boolean isKnown(String key, Set<String> others) {
    String first = key.substring(PREFIX.length()).split("\\.", 2)[0];
    boolean another = key.startsWith(PREFIX + first + ".") && others.contains(first);
    return another || known.stream().anyMatch(name -> squeezed(name).equals(squeezed(key)));
  }

  /// `TOYSTORE_CATALOG_LINE_PORT` → `toystore.catalog.line.port`, which squeezes to the same as
  /// `toystore.catalog.line-port`.
  private static String asKey(String variable) {
    return variable.toLowerCase(Locale.ROOT).replace('_', '.');
  }

  private static String squeezed(String key) {
    return key.replaceAll("[.\\-_]", "").toLowerCase(Locale.ROOT);
  }
}
