package toystore.gatling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
  private static final ZonedDateTime NOW = ZonedDateTime.of(2026, 5, 4, 3, 2, 1, 0, ZoneOffset.UTC);

  @Test
  void nothingGivenIsOneClientOnTheUsualPort() {
    assertThat(settings(Map.of()))
        .isEqualTo(
            new Settings(
                URI.create("http://127.0.0.1:8080"),
                ClientCounts.parse("1"),
                1000,
                100,
                Optional.empty(),
                Path.of("target/results/20260504-030201")));
  }

  @Test
  void whatIsGivenIsTaken() {
    assertThat(
            settings(
                Map.of(
                    "baseUrl", "http://shop:80/",
                    "clients", "1-2",
                    "queries", "7",
                    "buys", "3",
                    "product", "Tux",
                    "results", "/tmp/r")))
        .isEqualTo(
            new Settings(
                URI.create("http://shop:80"),
                ClientCounts.parse("1,2"),
                7,
                3,
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
  void aWrongValueIsRefusedByName(String name, String value) {
    assertThatThrownBy(() -> settings(Map.of(name, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(name + ": ")
        .hasMessageEndingWith("found '" + value + "'");
  }

  private static Settings settings(Map<String, String> given) {
    var properties = new Properties();
    properties.putAll(given);
    return Settings.from(properties, Path.of("target"), NOW);
  }
}
