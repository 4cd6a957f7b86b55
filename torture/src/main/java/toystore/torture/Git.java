package toystore.torture;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.stream.Stream;
import toystore.testkit.Project;

/// What git says of the project.
final class Git {
  private Git() {}

  /// The commit this is built from; with a `+` where files were changed since.
  static String commit() {
    return output("describe", "--always", "--dirty=+", "--exclude=*");
  }

  /// Without the end of its line.
  static String output(String... words) {
    var command = Stream.concat(Stream.of("git", "-C", Project.HOME.toString()), Stream.of(words));
    try {
      Process git = new ProcessBuilder(command.toList()).redirectErrorStream(true).start();
      return new String(git.getInputStream().readAllBytes(), UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
