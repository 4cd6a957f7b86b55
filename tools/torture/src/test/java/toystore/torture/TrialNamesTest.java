package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import toystore.clients.Project;

/// The launcher reads the names of the trials from a file, so that it can refuse an unknown name
/// before it builds the trials.
class TrialNamesTest {
  @Test
  void fileListsAllTrials() throws IOException {
    assertThat(Files.readAllLines(Project.HOME.resolve("tools/torture/trials")))
        .isEqualTo(Torture.names());
  }
}
