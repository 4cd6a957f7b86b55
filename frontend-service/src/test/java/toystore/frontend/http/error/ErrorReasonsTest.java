package toystore.frontend.http.error;

import static java.util.Comparator.comparing;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;
import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import toystore.clients.GeneratedRegion;
import toystore.clients.Project;
import toystore.platform.error.ErrorReason;

/// docs/reference/errors.md lists every reason with its status and its comment in [ErrorReason].
class ErrorReasonsTest {
  private static final Path SOURCE =
      Project.HOME.resolve("platform/src/main/java/toystore/platform/error/ErrorReason.java");
  private static final Pattern CONSTANT =
      Pattern.compile("((?:^ +/// .*\n)+)^  ([A-Z_]+)\\(", Pattern.MULTILINE);

  @Test
  void reasonsAreDocumented() throws IOException {
    Map<String, String> meanings =
        CONSTANT
            .matcher(Files.readString(SOURCE))
            .results()
            .collect(
                Collectors.toMap(
                    it -> it.group(2), it -> it.group(1).replaceAll("\\s*/// ", " ").strip()));
    GeneratedRegion.check(
        "docs/reference/errors.md",
        "reasons",
        "\n| status | reason | meaning |\n|---|---|---|\n"
            + Arrays.stream(ErrorReason.values())
                .sorted(comparing(ErrorReasonsTest::status))
                .map(it ->
                    format(
                        "| %d | `%s` | %s |\n",
                        status(it),
                        it,
                        requireNonNull(meanings.get(it.name()), "no comment of " + it)))
                .collect(joining())
            + "\n");
  }

  private static int status(ErrorReason reason) {
    return ApiException.of(reason, "").status();
  }
}
