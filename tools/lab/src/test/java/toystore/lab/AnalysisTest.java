package toystore.lab;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AnalysisTest {
  @Test
  void olderPythonIsNamed() {
    assertThat(Analysis.missing("Python 3.8.20")).isEqualTo("found Python 3.8.20");
    assertThat(Analysis.missing("Python 2.7.18")).isEqualTo("found Python 2.7.18");
    assertThat(Analysis.missing("Python 3.9.0")).isEmpty();
    assertThat(Analysis.missing("Python 3.14.0rc1")).isEmpty();
  }
}
