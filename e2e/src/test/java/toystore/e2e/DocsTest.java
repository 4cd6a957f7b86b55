package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The documents' links point to existing files, and the line counts in them are about right.
class DocsTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern LINK =
      Pattern.compile("\\[[^\\]]*\\]\\((?!\\w+:|#)([^)#]+)[^)]*\\)");
  private static final Pattern LENGTH =
      Pattern.compile("\\[[^\\]]*\\]\\(([^)]+)\\) \\((\\d+) lines\\)");

  /// Allowed difference between a documented and the actual line count.
  private static final double TOLERANCE = 0.25;

  @Test
  void linksPointToExistingFiles() throws IOException {
    var broken = new ArrayList<String>();
    for (Path document : documents()) {
      matches(LINK, document)
          .map(link -> link.group(1))
          .filter(target -> !Files.exists(document.resolveSibling(target)))
          .forEach(target -> broken.add(ROOT.relativize(document) + " → " + target));
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void documentedLineCountsAreWithinTolerance() throws IOException {
    var wrong = new ArrayList<String>();
    for (Path document : documents()) {
      for (MatchResult mention : matches(LENGTH, document).toList()) {
        int said = Integer.parseInt(mention.group(2));
        int has = Files.readAllLines(document.resolveSibling(mention.group(1))).size();
        if (Math.abs(has - said) > TOLERANCE * said) {
          wrong.add(String.format(Locale.ROOT, "%s: said %d, has %d", mention.group(1), said, has));
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  private static Stream<MatchResult> matches(Pattern pattern, Path document) throws IOException {
    return pattern.matcher(Files.readString(document)).results();
  }

  private static List<Path> documents() throws IOException {
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      return Stream.concat(
              Stream.of(ROOT.resolve("README.md"), ROOT.resolve("gatling/README.md")),
              docs.filter(file -> file.toString().endsWith(".md")))
          .toList();
    }
  }
}
