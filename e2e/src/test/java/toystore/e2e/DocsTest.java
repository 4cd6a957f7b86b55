package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The documents' links point to existing files.
class DocsTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern LINK =
      Pattern.compile("\\[[^\\]]*\\]\\((?!\\w+:|#)([^)#]+)[^)]*\\)");

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

  private static Stream<MatchResult> matches(Pattern pattern, Path document) throws IOException {
    return pattern.matcher(Files.readString(document)).results();
  }

  private static List<Path> documents() throws IOException {
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      return Stream.concat(
              Stream.of("README.md", "CONTRIBUTING.md", "gatling/README.md", "tools/lab/README.md")
                  .map(ROOT::resolve),
              docs.filter(file -> file.toString().endsWith(".md")))
          .toList();
    }
  }
}
