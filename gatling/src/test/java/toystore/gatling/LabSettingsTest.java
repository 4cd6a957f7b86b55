package toystore.gatling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabSettingsTest {
  private static final ZonedDateTime NOW = ZonedDateTime.of(2026, 5, 4, 3, 2, 1, 0, ZoneOffset.UTC);

  @Test
  void defaultsAreOneClientOnTheDefaultPort() {
    assertThat(settings(Map.of()))
        .isEqualTo(
            new LabSettings(
                Optional.of(URI.create("http://127.0.0.1:8080")),
                Optional.empty(),
                Optional.empty(),
                false,
                Optional.of(ClientCounts.parse("1")),
                Map.of(),
                OptionalInt.of(1),
                OptionalInt.empty(),
                Optional.empty(),
                Path.of("target/results/20260504-030201")));
  }

  @Test
  void homeWithoutBaseUrlLeavesTargetAndEffortToTheExperiment() {
    assertThat(settings(Map.of("home", "/p", "quick", "true")))
        .isEqualTo(
            new LabSettings(
                Optional.empty(),
                Optional.empty(),
                Optional.of(Path.of("/p")),
                true,
                Optional.empty(),
                Map.of(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                Path.of("target/results/20260504-030201")));
  }

  @Test
  void givenSettingsOverrideTheDefaults() {
    assertThat(
            settings(
                Map.of(
                    "baseUrl", "http://shop:80/",
                    "audit", "http://shop:81/audit",
                    "clients", "1-2",
                    "queries", "7",
                    "buys", "3",
                    "repetitions", "2",
                    "warmUp", "30",
                    "product", "Tux",
                    "results", "/tmp/r")))
        .isEqualTo(
            new LabSettings(
                Optional.of(URI.create("http://shop:80")),
                Optional.of(URI.create("http://shop:81/audit")),
                Optional.empty(),
                false,
                Optional.of(ClientCounts.parse("1,2")),
                Map.of("query", 7, "buy", 3),
                OptionalInt.of(2),
                OptionalInt.of(30),
                Optional.of("Tux"),
                Path.of("/tmp/r")));
  }

  @ParameterizedTest
  @CsvSource({
    "baseUrl, localhost:8080",
    "baseUrl, http://127.0.0.1:8080/products",
    "queries, 0",
    "queries, many",
    "buys, -1",
    "buys, 99999999"
  })
  void invalidValueIsRejectedWithItsName(String name, String value) {
    assertThatThrownBy(() -> settings(Map.of(name, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(name + ": ")
        .hasMessageEndingWith("found '" + value + "'");
  }

  private static LabSettings settings(Map<String, String> given) {
    var properties = new Properties();
    properties.putAll(given);
    return LabSettings.from(properties, Path.of("target"), NOW);
  }
}
