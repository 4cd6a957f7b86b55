package toystore.e2e.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import toystore.gatling.report.Published;
import toystore.gatling.report.Report;
import toystore.gatling.result.RunFolder;

/// The pages of the lab's reports, drawn from two stored runs.
@Timeout(120)
class ReportPageTest {
  private static final Path STORED = Path.of("../docs/evaluation");

  @Test
  void reportsFitTheirWidth(@TempDir Path folder) throws IOException {
    var runs = new ArrayList<RunFolder>();
    for (String experiment : List.of("containers", "query-vs-buy")) {
      Path run = Files.createDirectory(folder.resolve(experiment));
      for (String file :
          List.of("about.properties", "samples.csv", "observations.csv", "samples.hlog")) {
        Files.copy(STORED.resolve(experiment).resolve(file), run.resolve(file));
      }
      runs.add(RunFolder.read(run));
      Report.write(runs.getLast(), Published.read(STORED.resolve("published.csv")), null);
    }
    Report.writeIndex(folder, runs);

    try (Chromium chromium = Chromium.open().orElseGet(() -> abort("no chromium"))) {
      for (int width : List.of(320, 1_280)) {
        Page page =
            chromium.browser().newPage(new Browser.NewPageOptions().setViewportSize(width, 800));
        page.navigate(folder.resolve("containers/report.html").toUri().toString());
        ShopPageTest.check(page, "report-" + width);
        page.navigate(folder.resolve("index.html").toUri().toString());
        ShopPageTest.check(page, "reports-" + width);
        page.evaluate("document.querySelectorAll('details').forEach(it => it.open = true)");
        ShopPageTest.check(page, "reports-open-" + width);
        page.locator("td a").first().click();
        assertThat(page.locator(":target h2").first()).isInViewport();
      }
    }
  }
}
