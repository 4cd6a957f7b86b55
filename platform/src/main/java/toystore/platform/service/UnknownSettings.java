package toystore.platform.service;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/// Finds settings that no service reads, so that a misspelled name is not silently ignored. An
/// unknown `toystore.*` key in a file or on the command line aborts startup. An unknown
/// `TOYSTORE_*` variable is only a warning, because other programs share the environment, unless it
/// is at most [#MISSPELLED] letters from a known one.
///
/// Known settings are the components of the settings records. A key below the name of a peer, or of
/// another service in `toystore.services`, is checked by that service.
final class UnknownSettings {
  private static final String PREFIX = "toystore.";
  private static final String SERVICES = PREFIX + "services";
  private static final int MISSPELLED = 2;

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
          requireNotMisspelled(key);
          warnings.add(key);
        }
      }
    }
    return warnings;
  }

  private void requireNotMisspelled(String variable) {
    for (String setting : known) {
      if (edits(normalized(setting), normalized(variable)) <= MISSPELLED) {
        throw new StartupException(
            String.format(
                Locale.ROOT,
                "unknown environment variable %s; if it is %s, correct it, otherwise unset it",
                variable,
                setting.toUpperCase(Locale.ROOT).replaceAll("[.-]", "_")));
      }
    }
  }

  /// The smallest number of inserted, deleted and replaced letters (Levenshtein distance).
  private static int edits(String from, String to) {
    int[] above = IntStream.rangeClosed(0, to.length()).toArray();
    for (int i = 1; i <= from.length(); i++) {
      int[] row = new int[above.length];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int replaced = above[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, 1 + Math.min(above[j], row[j - 1]));
      }
      above = row;
    }
    return above[to.length()];
  }

  /// @param key of a variable, too: `toystore.catalog.line.port` is `toystore.catalog.line-port`
  private boolean isKnown(String key, Set<String> otherServices) {
    return !key.startsWith(PREFIX)
        || otherServices.stream().anyMatch(it -> key.startsWith(PREFIX + it + "."))
        || known.stream().anyMatch(it -> normalized(it).equals(normalized(key)));
  }

  /// The name without the index of an element: `hosts[0]`, and `HOSTS_0` of a variable.
  private static String normalized(String key) {
    return key.toLowerCase(Locale.ROOT)
        .replaceFirst("(\\[\\d+]|[._]\\d+)$", "")
        .replaceAll("[._-]", "");
  }
}
