package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import toystore.clients.Project;

/// Checks that the page docs/guarantees.md matches the stored results and the patches of planted
/// bugs.
class GuaranteeReportTest {
  private static final Path HOME = Project.HOME;
  private static final Path PAGE = HOME.resolve("docs/guarantees.md");

  @Test
  void pageMatchesTheStoredResults() throws IOException {
    String page = Files.readString(PAGE);
    assertThat(GuaranteeReport.filled(page))
        .as("run ./toystore torture guarantees")
        .isEqualTo(page);
  }

  @Test
  void pageHasNoFailedOrUntriedGuaranteeAndNoMissedBug() throws IOException {
    assertThat(Files.readString(PAGE)).doesNotContain("**failed**", "**missed**", "not run");
  }

  @Test
  void everyPlantedBugBelongsToAGuarantee() throws IOException {
    String guarantees = Files.readString(HOME.resolve("docs/guarantees/guarantees.csv"));
    try (var patches = Files.list(HOME.resolve("tools/torture/mistakes"))) {
      List<String> names =
          patches.map(it -> it.getFileName().toString().replace(".patch", "")).toList();
      assertThat(names).hasSizeGreaterThanOrEqualTo(12);
      assertThat(names)
          .allMatch(it -> Pattern.compile("\\b" + it + "\\b").matcher(guarantees).find());
    }
  }

  @Test
  void everyPlantedBugAppliesAndItsTestExists() throws IOException {
    try (var patches = Files.list(HOME.resolve("tools/torture/mistakes"))) {
      for (Path patch : patches.sorted().toList()) {
        Project.run(List.of("git", "-C", HOME.toString(), "apply", "--check", patch.toString()));
        PlantedBug bug = PlantedBug.read(patch);
        String test = bug.tests().replaceAll("#.*", "") + ".java";
        try (var tests = Files.walk(HOME.resolve(bug.module()).resolve("src/test"))) {
          assertThat(tests).as("%s of %s", test, patch).anyMatch(it -> it.endsWith(test));
        }
      }
    }
  }
}
