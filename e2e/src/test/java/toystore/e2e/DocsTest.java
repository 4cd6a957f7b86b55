package toystore.e2e;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The documents' links point to existing files and headings, and the documents are short. Blocks
/// of code and comments are not counted.
class DocsTest {
  private static final Path ROOT = Path.of("..");

  /// The target, and the heading in it.
  private static final Pattern LINK =
      Pattern.compile("\\[[^\\]]*\\]\\((?!\\w+:)([^)#]*)(?:#([^)]+))?\\)");

  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");
  private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```$|<!--.*?-->|^    .*?$");
  private static final Pattern WORD = Pattern.compile("[^\\s|]*[\\p{L}\\p{N}][^\\s|]*");

  private static final int PARAGRAPH = 80;
  private static final int CELL = 40;

  @Test
  void linksPointToExistingFilesAndHeadings() throws IOException {
    var broken = new ArrayList<String>();
    for (Path document : documents("")) {
      for (MatchResult link : LINK.matcher(prose(document)).results().toList()) {
        Path target = link.group(1).isEmpty() ? document : document.resolveSibling(link.group(1));
        boolean isPage = link.group(2) != null && target.toString().endsWith(".md");
        if (!Files.exists(target) || isPage && !headings(target).contains(link.group(2))) {
          broken.add(ROOT.relativize(document) + " → " + link.group());
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void everyPageIsReachedFromTheListOfPages() throws IOException {
    Path list = ROOT.resolve("docs/README.md");
    Set<Path> linked =
        LINK.matcher(prose(list))
            .results()
            .map(it -> list.resolveSibling(it.group(1)).normalize())
            .collect(toCollection(TreeSet::new));
    assertThat(documents("docs/"))
        .map(Path::normalize)
        .filteredOn(it -> !it.equals(list.normalize()))
        .filteredOn(it -> !it.toString().matches(".*/(decisions/\\d.*|evaluation/published.md)"))
        .allMatch(linked::contains);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "README.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "docs/README.md",
        "docs/tutorial.md",
        "docs/how-to/",
        "docs/reference/",
        "docs/architecture.md",
        "docs/exchange.md",
        "docs/glossary.md",
        "docs/guarantees.md",
        "docs/one-",
        "docs/scale.md",
        "docs/decisions/",
        "docs/model/"
      })
  void paragraphsAndCellsAreShort(String folder) throws IOException {
    var tooLong = new ArrayList<String>();
    for (Path document : documents(folder)) {
      String text = HEADING.matcher(prose(document)).replaceAll("");
      for (String block : text.split("\n{2,}|\n(?=- |\\d+\\. |\\|)")) {
        boolean isRow = block.startsWith("|");
        for (String part : isRow ? block.split("(?<!\\\\)\\|") : new String[] {block}) {
          if (words(part) > (isRow ? CELL : PARAGRAPH)) {
            tooLong.add(
                format("%s, %d words: %s", ROOT.relativize(document), words(part), part.strip()));
          }
        }
      }
    }
    assertThat(tooLong).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          700  | README.md
          250  | docs/README.md
          800  | docs/tutorial.md
          9600 | docs/how-to/, CONTRIBUTING.md, SECURITY.md
          7000 | docs/reference/
          9800 | docs/architecture.md, docs/exchange.md, docs/glossary.md, docs/guarantees.md, docs/one-, docs/scale.md, docs/decisions/, docs/model/
          6700 | docs/evaluation.md, docs/evaluation/claims.md, docs/evaluation/failures.md, docs/evaluation/locks/, docs/performance/
          """)
  void doorsAreShort(int words, String pages) throws IOException {
    long sum = 0;
    for (String folder : pages.split(", ")) {
      for (Path document : documents(folder)) {
        sum += words(prose(document));
      }
    }
    assertThat(sum).isLessThanOrEqualTo(words);
  }

  private static long words(String text) {
    return WORD.matcher(text).results().count();
  }

  /// A document without its blocks of code and its comments.
  private static String prose(Path document) throws IOException {
    return CODE.matcher(Files.readString(document)).replaceAll("");
  }

  /// The anchors of a page's headings, as GitHub makes them.
  private static Set<String> headings(Path document) throws IOException {
    return HEADING
        .matcher(prose(document))
        .results()
        .map(it -> it.group(1).replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1"))
        .map(it -> it.strip().toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", ""))
        .map(it -> it.replace(' ', '-'))
        .collect(toCollection(TreeSet::new));
  }

  /// The documents whose path begins so.
  private static List<Path> documents(String begin) throws IOException {
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      return Stream.concat(
              Stream.of("README.md", "CONTRIBUTING.md", "SECURITY.md").map(ROOT::resolve),
              docs.filter(file -> file.toString().endsWith(".md")))
          .filter(file -> ROOT.relativize(file).toString().startsWith(begin))
          .sorted()
          .toList();
    }
  }
}
