package toystore.gatling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationSettingsTest {
  @AfterEach
  void clear() {
    List.of("clients", "queries", "url").forEach(System::clearProperty);
  }

  @Test
  void whatIsNotStatedHasItsDefault() {
    assertThat(SimulationSettings.clients(List.of(1, 2))).containsExactly(1, 2);
    assertThat(SimulationSettings.number("queries", 1_000)).isEqualTo(1_000);
    assertThat(SimulationSettings.seed()).isBetween(1, 1_000_000);
    assertThat(SimulationSettings.url()).isEqualTo("http://127.0.0.1:8080");
  }

  @Test
  void statedValuesAreUsed() {
    System.setProperty("clients", "20, 1,1000");
    System.setProperty("queries", "1000000");
    System.setProperty("url", "https://[::1]:8443");
    assertThat(SimulationSettings.clients(List.of(1))).containsExactly(20, 1, 1_000);
    assertThat(SimulationSettings.number("queries", 7)).isEqualTo(1_000_000);
    assertThat(SimulationSettings.url()).isEqualTo("https://[::1]:8443");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "-1", "+7", "007", "1e2", "1ms", "0x10", "1.5", "٣", "1000001"})
  void wrongNumbersAreRefused(String stated) {
    System.setProperty("queries", stated);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SimulationSettings.number("queries", 1_000))
        .withMessage(
            "-Dqueries: expected a whole number from 1 to 1000000, got \"" + stated + "\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "1,0", "1,,2", "1,2,", "1,2,1", "1;2", "1e2", "٣", "1001"})
  void wrongNumbersOfClientsAreRefused(String stated) {
    System.setProperty("clients", stated);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SimulationSettings.clients(List.of(1)))
        .withMessage(
            "-Dclients: expected different whole numbers with commas, such as 1,2,5, from 1 to"
                + " 1000, got \""
                + stated
                + "\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "127.0.0.1:8080", "http://", "ftp://h", "http://h/", "http://h:1 "})
  void wrongUrlsAreRefused(String stated) {
    System.setProperty("url", stated);
    assertThatIllegalArgumentException()
        .isThrownBy(SimulationSettings::url)
        .withMessage(
            "-Durl: expected a URL such as http://127.0.0.1:8080, without a path, got \""
                + stated
                + "\"");
  }
}
