package toystore.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommitFoldersTest {
  @TempDir Path home;

  @BeforeEach
  void commitTwice() throws IOException, InterruptedException {
    git("init", "--quiet");
    Files.writeString(home.resolve(".gitignore"), "target/\n");
    commit("First");
    commit("Second");
  }

  @Test
  void checksOutAnOlderCommitAndRemovesItAtTheEnd() throws IOException {
    Path folder;
    try (var commits = new CommitFolders(home)) {
      var first = commits.checkOut("HEAD~1");
      folder = first.folder();
      assertThat(first.label()).endsWith(" First");
      assertThat(folder.resolve("file")).hasContent("First");
      assertThat(commits.checkOut("HEAD~1")).isEqualTo(first);
    }
    assertThat(folder).doesNotExist();
  }

  @Test
  void usesTheWorkingTreeForItsOwnCommitUnlessItIsChanged() throws IOException {
    try (var commits = new CommitFolders(home)) {
      assertThat(commits.checkOut("HEAD").folder()).isEqualTo(home);
      Files.writeString(home.resolve("file"), "changed");
      assertThat(commits.checkOut("HEAD").folder()).isNotEqualTo(home);
      assertThat(commits.checkOut(".").folder()).isEqualTo(home);
      assertThat(commits.checkOut(".").label()).endsWith(" Second, with changes");
    }
  }

  @Test
  void refusesAnUnknownCommit() throws IOException {
    try (var commits = new CommitFolders(home)) {
      assertThatThrownBy(() -> commits.checkOut("nope"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("nope");
    }
  }

  private void commit(String subject) throws IOException, InterruptedException {
    Files.writeString(home.resolve("file"), subject);
    git("add", ".");
    git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-q", "-m", subject);
  }

  private void git(String... arguments) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("git", "-C", home.toString()));
    command.addAll(List.of(arguments));
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
  }
}
