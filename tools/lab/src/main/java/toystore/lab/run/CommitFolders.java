package toystore.lab.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import toystore.clients.Project;

/// Folders with checked-out commits: Git worktrees in `target/ab`, removed at the end and when the
/// program is stopped. Any thread.
public final class CommitFolders implements AutoCloseable {
  private final Path home;
  private final Map<String, Path> worktrees = new TreeMap<>(); // by commit; guarded by this
  private final Thread hook = new Thread(this::abandon, "remove-worktrees");

  /// A checked-out commit.
  ///
  /// @param label such as `1a2b3c4d5e6f Subject of the commit`
  public record CommitFolder(String label, Path folder) {}

  /// @param home the project folder
  public CommitFolders(Path home) {
    this.home = home.toAbsolutePath().normalize();
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /// Checks out a commit. The project folder itself serves for `.`, and for its own commit if
  /// nothing is changed.
  ///
  /// @throws IOException if there is no such commit
  public synchronized CommitFolder checkOut(String commit) throws IOException {
    boolean changed = !git("status", "--porcelain").isEmpty();
    String label = git("log", "-1", "--format=%h %s", commit.equals(".") ? "HEAD" : commit, "--");
    if (commit.equals(".")) {
      return new CommitFolder(label + (changed ? ", with changes" : ""), home);
    }
    String id = git("rev-parse", "--verify", "--end-of-options", commit + "^{commit}");
    if (!changed && id.equals(git("rev-parse", "HEAD"))) {
      return new CommitFolder(label, home);
    }
    if (!worktrees.containsKey(id)) {
      Path folder = home.resolve("target/ab").resolve(id.substring(0, 12));
      if (Files.exists(folder)) { // of a run that was killed
        remove(folder);
      }
      worktrees.put(id, folder);
      git("worktree", "add", "--quiet", "--detach", folder.toString(), id);
    }
    return new CommitFolder(label, worktrees.get(id));
  }

  @Override
  public synchronized void close() throws IOException {
    for (Path folder : List.copyOf(worktrees.values())) {
      if (Files.exists(folder)) {
        remove(folder);
      }
    }
    worktrees.clear();
  }

  private void abandon() {
    OwnProcesses.stop(); // they use the folders
    try {
      close();
    } catch (IOException e) {
      System.err.println("a worktree was not removed: " + e.getMessage());
    }
  }

  private void remove(Path folder) throws IOException {
    git("worktree", "remove", "--force", "--force", folder.toString());
  }

  private String git(String... arguments) throws IOException {
    var command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    return Project.run(home, command);
  }
}
