package toystore.torture;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import toystore.clients.Project;

/// Information about the project from git.
final class Git {
  private Git() {}

  /// The current commit, with a `+` if there are uncommitted changes.
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
