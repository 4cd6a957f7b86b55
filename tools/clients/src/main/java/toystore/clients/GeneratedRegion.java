package toystore.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A region of a document or deployment file that follows from the code. It begins after the line
/// `generated: NAME` of a comment and ends before the line `end of NAME`. With `-Dupdate`, tests
/// write it, otherwise they compare it.
public final class GeneratedRegion {
  private static final String UPDATE =
      "./mvnw test -Dtest='GeneratedFilesTest,CommandsTest,ErrorReasonsTest' -Dsurefire.failIfNoSpecifiedTests=false -Dupdate";

  private GeneratedRegion() {}

  /// @param file its path in the project
  public static void check(String file, String name, String content) throws IOException {
    Path path = Project.HOME.resolve(file);
    String text = Files.readString(path);
    Matcher found =
        Pattern.compile(
                "(?s)(generated: " + name + "\\b[^\n]*\n)(.*?)([^\n]*end of " + name + "\\b)")
            .matcher(text);
    assertThat(found.find()).as("%s has a generated region %s", file, name).isTrue();
    if (System.getProperty("update") != null) {
      Files.writeString(
          path, new StringBuilder(text).replace(found.start(2), found.end(2), content));
      return;
    }
    assertThat(found.group(2)).as("%s, written by %s", file, UPDATE).isEqualTo(content);
  }
}
