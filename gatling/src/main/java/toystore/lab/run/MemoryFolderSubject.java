package toystore.lab.run;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.commons.io.FileUtils;

/// A subject whose files are in main memory, so that a sync takes no time. It shows what durability
/// costs; what it has acknowledged is lost with the machine.
///
/// @param subject the same subject on disk
record MemoryFolderSubject(String name, Subject subject) implements Subject {
  private static final Path MEMORY = Path.of("/dev/shm");

  @Override
  public boolean hasCondition(String condition) {
    return subject.hasCondition(condition);
  }

  @Override
  public String missing() throws IOException, InterruptedException {
    return Files.isDirectory(MEMORY) ? subject.missing() : "there is no file system " + MEMORY;
  }

  @Override
  public Running start(Path folder) throws IOException, InterruptedException {
    Path files = Files.createTempDirectory(MEMORY, "toystore-lab-");
    try {
      return new RunningInMemory(subject.start(files), files);
    } catch (IOException | InterruptedException | RuntimeException e) {
      FileUtils.deleteDirectory(files.toFile());
      throw e;
    }
  }

  private record RunningInMemory(Running running, Path files) implements Running {
    @Override
    public URI url() {
      return running.url();
    }

    @Override
    public Map<String, Long> pids() {
      return running.pids();
    }

    @Override
    public Map<String, URI> metrics() {
      return running.metrics();
    }

    @Override
    public Map<String, List<String>> values() {
      return running.values();
    }

    @Override
    public URI apply(String condition) throws IOException {
      return running.apply(condition);
    }

    @Override
    public void close() throws IOException, InterruptedException {
      running.close();
      FileUtils.deleteDirectory(files.toFile());
    }
  }
}
