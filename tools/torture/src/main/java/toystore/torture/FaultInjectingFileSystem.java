package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import toystore.clients.Conditions;
import toystore.clients.Project;
import toystore.clients.StoreProcesses;

/// An in-memory disk with simulated power cuts and other faults: the mounted file system of
/// `tools/torture/crashfs/crashfs.py`. It needs FUSE and Python; `.ci/tools fuse` installs them.
/// One thread.
final class FaultInjectingFileSystem implements AutoCloseable {
  private static final Path PROGRAM = Project.HOME.resolve("tools/torture/crashfs/crashfs.py");

  private final Path folder;
  private final Process process;

  private FaultInjectingFileSystem(Path folder, Process process) {
    this.folder = folder;
    this.process = process;
  }

  /// The reason why it cannot be mounted on this machine.
  static Optional<String> missing() {
    if (Files.notExists(Path.of("/dev/fuse"))) {
      return Optional.of("/dev/fuse does not exist");
    }
    return Files.isExecutable(python())
        ? Optional.empty()
        : Optional.of("mfusepy is not installed; run .ci/tools fuse");
  }

  /// @param folder the mount point; created if necessary
  static FaultInjectingFileSystem mount(Path folder) throws IOException {
    Files.createDirectories(folder);
    Process process =
        new ProcessBuilder(python().toString(), PROGRAM.toString(), folder.toString())
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(StoreProcesses.log("crashfs").toFile()))
            .start();
    var disk = new FaultInjectingFileSystem(folder, process);
    Conditions.await(() -> {
      assertThat(process.isAlive()).as("crashfs process is alive").isTrue();
      return Files.exists(disk.control());
    });
    return disk;
  }

  Path folder() {
    return folder;
  }

  /// Simulates a power cut: data that was not synced is lost, or a random part of it if `torn`. The
  /// processes that had files open must have exited.
  void cut(boolean torn, long seed) {
    String line = torn ? "cut torn seed=" + seed : "cut";
    Conditions.patiently() // the kernel closes the files of a dead process with a short delay
        .ignoreExceptionsInstanceOf(IOException.class)
        .untilAsserted(() -> tell(line));
  }

  /// Sends a command; `crashfs.py` lists them.
  void tell(String line) throws IOException {
    Files.writeString(control(), line);
  }

  /// The counter of `writes`, `syncs`, `folder-syncs`, `cuts` or `faults`.
  long readCounter(String what) throws IOException {
    for (String line : Files.readAllLines(control())) {
      String[] words = line.split(" ");
      if (words[0].equals(what)) {
        return Long.parseLong(words[1]);
      }
    }
    throw new IllegalArgumentException("crashfs has no counter named " + what);
  }

  @Override
  public void close() throws IOException {
    Project.run(List.of("fusermount3", "-u", "-z", folder.toString()));
    process.destroyForcibly();
  }

  private Path control() {
    return folder.resolve(".control");
  }

  private static Path python() {
    return Project.tools().resolve("fuse/bin/python");
  }
}
