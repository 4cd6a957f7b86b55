package toystore.gatling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientCountsTest {
  @Test
  void parsesNumbersListsAndRanges() {
    assertThat(ClientCounts.parse("3").each()).isEqualTo(List.of(3));
    assertThat(ClientCounts.parse("1,2,5").each()).isEqualTo(List.of(1, 2, 5));
    assertThat(ClientCounts.parse("1-5").each()).isEqualTo(List.of(1, 2, 3, 4, 5));
    assertThat(ClientCounts.parse("8, 1-3").each()).isEqualTo(List.of(8, 1, 2, 3));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "1,", "5-1", "1-", "-1", "0", "1.5", "1,1", "1-2000000000"})
  void parseRejectsOtherTextAndNamesTheSetting(String text) {
    assertThatThrownBy(() -> ClientCounts.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("clients: ");
  }
}
