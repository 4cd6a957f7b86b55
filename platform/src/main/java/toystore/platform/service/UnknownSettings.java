package toystore.platform.service;

import static toystore.common.RootLocale.format;

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

/// Finds settings that no service reads. An unknown `toystore.*` key in a file or on the command
/// line aborts startup. An unknown `TOYSTORE_*` variable is only a warning, because other programs
/// share the environment, unless it nearly is the name of a setting: without its database, for
/// example, a service would use another one.
///
/// Known settings are the components of the settings records. Those below the name of another
/// service are checked by that service.
final class UnknownSettings {
  private static final String PREFIX = "toystore.";
  private static final int MISSPELLED = 2;

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

  Set<String> known() {
    return known;
  }

  /// @return the unknown environment variables
  /// @throws StartupException with the first unknown setting
  List<String> check(ConfigurableEnvironment environment) {
    List<String> warnings = new ArrayList<>();
    for (PropertySource<?> source : environment.getPropertySources()) {
      if (source instanceof EnumerablePropertySource<?> keys) {
        boolean variables =
            source.getName().equals(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
        for (String key : keys.getPropertyNames()) {
          if (variables && !isKnown(key) && known.stream().noneMatch(it -> isMeant(it, key))) {
            warnings.add(key);
          } else if (!isKnown(key)) {
            throw new StartupException(
                format(
                    "unknown setting %s; remove it, or use one of %s",
                    key, String.join(", ", known)));
          }
        }
      }
    }
    return warnings;
  }

  /// Whether a variable is a misspelled setting, or a shared one with the name of this service.
  private boolean isMeant(String setting, String variable) {
    String own = normalized(variable).replaceFirst(normalized(service.prefix()), "toystore");
    return normalized(setting).equals(own)
        || edits(normalized(setting), normalized(variable)) <= MISSPELLED;
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

  /// @param name of a variable, too: `TOYSTORE_CATALOG_LINE_PORT` is `toystore.catalog.line-port`
  private boolean isKnown(String name) {
    String key = name.toLowerCase(Locale.ROOT).replace('_', '.');
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
