package toystore.lab.floor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Appends a record to a file and waits until it is on disk (`fdatasync`). Threads do not share
/// syncs.
final class SyncOperation implements Operation {
  private static final int RECORD_BYTES = 256;

  private final FileChannel file;

  SyncOperation(Path path) throws IOException {
    file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  @Override
  public void run() throws IOException {
    file.write(ByteBuffer.allocate(RECORD_BYTES));
    file.force(false);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
