package toystore.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/// Answers that clients received, one a line, each on disk before it counts: what is compared with
/// a store whose own files may be wrong. Any thread.
public final class Journal implements AutoCloseable {
  private final Path file;
  private final FileChannel channel;

  /// @param folder where it begins a file of its own
  public Journal(Path folder) throws IOException {
    file = Files.createTempFile(folder, "answers-", ".txt");
    channel = FileChannel.open(file, StandardOpenOption.APPEND);
  }

  /// Writes a line down and syncs it.
  public synchronized void write(String line) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// All lines, read from disk.
  public List<String> lines() throws IOException {
    return Files.readAllLines(file);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
