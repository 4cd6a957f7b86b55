package toystore.platform.service;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aot.AotDetector;
import org.springframework.boot.env.DefaultPropertiesPropertySource;
import org.springframework.core.SpringProperties;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;

/// The bean definitions that Spring generates at build time. A process with
/// `-Dspring.aot.enabled=true` starts with them and needs less CPU time. Conditions on properties
/// were evaluated at build time, with the service's own settings files. If a start changes settings
/// of Spring, for example to use TLS or to export spans, the conditions are evaluated again.
final class GeneratedBeans {
  private static final Logger log = LoggerFactory.getLogger(GeneratedBeans.class);

  private static final Pattern CONDITIONAL = Pattern.compile("(spring|server|management)\\..+");

  /// No bean depends on these, or (the last) only as on the export endpoint.
  private static final Set<String> HARMLESS =
      Set.of(
          "spring.aot.enabled",
          "spring.application.pid",
          "spring.application.version",
          "spring.config.name",
          "spring.context.exit",
          "management.opentelemetry.enabled");

  private GeneratedBeans() {}

  /// Disables the generated definitions if the user has changed settings of Spring.
  static void check(ConfigurableEnvironment environment) {
    List<String> changed =
        environment.getPropertySources().stream()
            .filter(GeneratedBeans::isUsers)
            .flatMap(GeneratedBeans::keys)
            .filter(it -> CONDITIONAL.matcher(it).matches() && !HARMLESS.contains(it))
            .distinct()
            .toList();
    if (AotDetector.useGeneratedArtifacts() && !changed.isEmpty()) {
      SpringProperties.setProperty(AotDetector.AOT_ENABLED, "false");
      log.info("startup without generated bean definitions, because these are set: {}", changed);
    }
  }

  /// Whether the settings come from outside the program: from arguments, variables or files.
  private static boolean isUsers(PropertySource<?> source) {
    return !source.getName().contains("class path resource")
        && !DefaultPropertiesPropertySource.hasMatchingName(source);
  }

  private static Stream<String> keys(PropertySource<?> source) {
    return source instanceof EnumerablePropertySource<?> keys
        ? Arrays.stream(keys.getPropertyNames())
            .map(key -> key.toLowerCase(Locale.ROOT).replace('_', '.'))
        : Stream.empty();
  }
}
