package toystore.torture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A planted bug: a patch to production code that compiles, with a header that names the tests that
/// must detect it.
///
/// ```
/// mistake: the caller is answered before the commit
/// tests:   platform SingleWriterTest
/// says:    is answered only after its commit
///
/// diff --git a/platform/src/main/…
/// ```
///
/// @param description what is wrong with it
/// @param module where the tests are
/// @param tests a class, or class#method; one that ends in IT needs the services' jars
/// @param expectedFailure what the assertion must say, a regular expression: a promise, not that
///   time ran out
record PlantedBug(
    Path patch, String description, String module, String tests, Pattern expectedFailure) {
  static PlantedBug read(Path patch) throws IOException {
    String text = Files.readString(patch);
    String[] tests = field(text, "tests").split("\\s+", 2);
    return new PlantedBug(
        patch,
        field(text, "mistake"),
        tests[0],
        tests[1],
        Pattern.compile(field(text, "says"), Pattern.DOTALL));
  }

  private static String field(String text, String name) {
    Matcher line = Pattern.compile("^" + name + ":\\s*(.*)$", Pattern.MULTILINE).matcher(text);
    if (!line.find()) {
      throw new IllegalArgumentException("the patch has no line '" + name + ":'");
    }
    return line.group(1).strip();
  }

  /// The name of its file.
  String name() {
    return patch.getFileName().toString().replace(".patch", "");
  }
}
