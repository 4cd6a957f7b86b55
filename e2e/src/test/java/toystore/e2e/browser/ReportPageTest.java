package toystore.e2e.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.microsoft.playwright.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import toystore.gatling.report.PublishedResults;
import toystore.gatling.report.Report;
import toystore.gatling.result.RunFolder;

/// The pages of the lab's reports, drawn from a stored run.
@Timeout(120)
class ReportPageTest {
  private static final Path STORED = Path.of("../docs/evaluation");

  @Test
  void reportsFitTheirWidth(@TempDir Path folder) throws IOException {
    Path copy = Files.createDirectory(folder.resolve("noise"));
    for (String file :
        List.of("about.properties", "samples.csv", "observations.csv", "samples.hlog")) {
      Files.copy(STORED.resolve("noise").resolve(file), copy.resolve(file));
    }
    RunFolder run = RunFolder.read(copy);
    Report.write(run, PublishedResults.read(STORED.resolve("published.csv")), null);
    Report.writeIndex(folder, List.of(run));

    try (Chromium chromium = Chromium.open().orElseGet(() -> abort("no chromium"))) {
      Page page = chromium.browser().newPage();
      page.setViewportSize(320, 800);
      page.navigate(copy.resolve("report.html").toUri().toString());
      ShopPageTest.check(page, "report-320");
      page.setViewportSize(1_280, 800);
      page.navigate(folder.resolve("index.html").toUri().toString());
      page.locator("td a").first().click();
      assertThat(page.locator(":target h2").first()).isInViewport();
      page.evaluate("document.querySelectorAll('details').forEach(it => it.open = true)");
      ShopPageTest.check(page, "reports-1280");
    }
  }
}
