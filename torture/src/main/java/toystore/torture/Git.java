package toystore.torture;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import toystore.testkit.Project;

/// What git says of the project.
final class Git {
  private Git() {}

  /// The commit this is built from; with a `+` where files were changed since.
  static String commit() {
    var command = new ProcessBuilder("git", "describe", "--always", "--dirty=+", "--exclude=*");
    try {
      Process git = command.directory(Project.HOME.toFile()).redirectErrorStream(true).start();
      return new String(git.getInputStream().readAllBytes(), UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
