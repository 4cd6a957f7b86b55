package toystore.e2e.browser;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static toystore.common.RootLocale.format;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The lab's pages of the published runs and their index, on a phone and on a desk. One template
/// makes all pages of runs, so that only one of them is checked for accessibility.
@Tag("long")
class EvaluationPageTest {
  private static final Path PUBLISHED = Path.of("../docs/evaluation");
  private static final Path PAGES = Path.of("target/evaluation");
  private static final String CLIPPED_TEXTS =
      """
      [...document.querySelectorAll('svg text')].filter(text => {
        const box = text.getBoundingClientRect();
        const svg = text.closest('svg').getBoundingClientRect();
        return box.width > 0 && (box.left < svg.left - 1 || box.right > svg.right + 1
            || box.top < svg.top - 1 || box.bottom > svg.bottom + 1);
      }).map(text => text.textContent)
      """;

  @Test
  void pagesFitTheirWidthAndClipNoText() throws IOException, InterruptedException {
    try (Chromium chromium = Chromium.open().orElseGet(() -> abort("no chromium"))) {
      try (Page page = chromium.browser().newPage()) {
        List<Path> pages = pages();
        for (Path file : pages) {
          page.navigate(file.toAbsolutePath().normalize().toUri().toString());
          for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
            for (int width : new int[] {360, 1_280}) {
              page.setViewportSize(width, 800);
              String name =
                  format(
                      "%s-%s-%s-%d",
                      file.getName(file.getNameCount() - 2), file.getFileName(), scheme, width);
              assertThat(page.evaluate(CLIPPED_TEXTS)).as(name).isEqualTo(List.of());
              if (pages.indexOf(file) < 2) {
                ShopPageTest.assertAccessible(page, name);
              }
            }
          }
        }
      }
    }
  }

  /// The index and the pages of all runs, as `./toystore lab report` writes them.
  private static List<Path> pages() throws IOException, InterruptedException {
    var pages = new ArrayList<Path>();
    try (Stream<Path> tables = Files.walk(PUBLISHED, 2)) {
      for (Path plan : tables.filter(it -> it.endsWith("plan.json")).sorted().toList()) {
        Path run = PAGES.resolve(requireNonNull(plan.getParent()).getFileName());
        Files.createDirectories(run);
        for (String file : List.of("plan.json", "about.json", "results.csv")) {
          Files.copy(plan.resolveSibling(file), run.resolve(file), REPLACE_EXISTING);
        }
        pages.add(run.resolve("report.html"));
      }
    }
    assertThat(pages).isNotEmpty();
    pages.addFirst(PAGES.resolve("index.html"));
    String report = "python3 ../tools/lab/analysis report --results " + PAGES;
    assertThat(new ProcessBuilder(report.split(" ")).inheritIO().start().waitFor()).isZero();
    return pages;
  }
}
