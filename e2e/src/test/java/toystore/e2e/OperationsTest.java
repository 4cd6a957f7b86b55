package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import toystore.account.AccountApplication;
import toystore.catalog.CatalogApplication;
import toystore.exchange.ExchangeApplication;
import toystore.frontend.FrontendApplication;
import toystore.order.OrderApplication;
import toystore.payment.PaymentApplication;
import toystore.platform.service.ExitCode;
import toystore.platform.service.ServerSettings;
import toystore.platform.service.ServiceProcess;
import toystore.platform.service.StoreServiceDescriptor;

/// The reference lists exactly the settings and exit codes of the code.
class OperationsTest {
  private static final Path REFERENCE = Path.of("..", "docs", "reference");
  private static final Pattern SETTING =
      Pattern.compile("^\\| `(toystore\\.[a-z.-]+)` \\| ([^|]+) \\|", Pattern.MULTILINE);

  /// Settings that follow from the services' descriptors, as the page says.
  private static final Pattern DERIVED =
      Pattern.compile("toystore\\.[a-z]+\\.(port|management-port|[a-z]+-target)");

  private static final Map<String, Class<? extends Record>> SETTINGS =
      Map.of(
          CatalogApplication.NAME, CatalogApplication.SETTINGS,
          OrderApplication.NAME, OrderApplication.SETTINGS,
          AccountApplication.NAME, AccountApplication.SETTINGS,
          PaymentApplication.NAME, PaymentApplication.SETTINGS,
          ExchangeApplication.NAME, ExchangeApplication.SETTINGS,
          FrontendApplication.NAME, FrontendApplication.SETTINGS);

  @Test
  void documentedSettingsAndDefaultsMatchCode() throws IOException {
    Map<String, String> said = new TreeMap<>();
    SETTING
        .matcher(Files.readString(REFERENCE.resolve("settings.md")))
        .results()
        .forEach(row -> said.put(row.group(1), row.group(2).replace("`", "")));

    Map<String, String> real = new TreeMap<>();
    SETTINGS.forEach((program, own) -> {
      StoreServiceDescriptor service = StoreServiceDescriptor.of(program);
      for (Class<? extends Record> type : ServiceProcess.settings(service, own)) {
        var annotation = type.getAnnotation(ConfigurationProperties.class);
        String prefix = annotation == null ? service.prefix() : annotation.value();
        for (RecordComponent component : type.getRecordComponents()) {
          String name = prefix + "." + dashed(component.getName());
          // a setting without a default is described in words
          real.put(name, defaultOf(type, component, said.getOrDefault(name, "")));
        }
      }
      real.putAll(ownDefaults(service));
    });
    real.keySet().removeIf(it -> DERIVED.matcher(it).matches());
    assertThat(said).isEqualTo(real);
  }

  @Test
  void exitCodesAreDocumented() throws IOException {
    assertThat(REFERENCE.resolve("exit-codes.md"))
        .content()
        .contains(
            "| " + ExitCode.START_REFUSED + " |",
            "| " + ExitCode.DISK_FAILED + " |",
            "| " + ExitCode.TAKEN_OVER + " |");
  }

  private static Map<String, String> ownDefaults(StoreServiceDescriptor service) {
    Map<String, String> defaults = new TreeMap<>(ServerSettings.defaults(service));
    defaults.keySet().removeIf(key -> !key.startsWith(service.prefix() + "."));
    defaults.replaceAll((_, value) -> value.replaceAll("[${}]", "")); // another setting
    return defaults;
  }

  private static String dashed(String name) {
    return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  private static String defaultOf(
      Class<? extends Record> type, RecordComponent component, String inWords) {
    var parameters = type.getDeclaredConstructors()[0].getParameters();
    for (var parameter : parameters) {
      var value = parameter.getAnnotation(DefaultValue.class);
      if (parameter.getName().equals(component.getName())
          && value != null
          && !String.join("", value.value()).isEmpty()) {
        return value.value()[0];
      }
    }
    return inWords;
  }
}
