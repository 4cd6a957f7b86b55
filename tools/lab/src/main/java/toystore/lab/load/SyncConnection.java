package toystore.lab.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.commons.io.IOUtils;
import toystore.clients.load.CallSource;
import toystore.clients.load.LoadConnection;

/// Appends a record to a file for each request, whatever it says, and waits until it is on disk
/// (`fdatasync`). Connections do not share syncs. One thread.
final class SyncConnection implements LoadConnection {
  static final Response ON_DISK = new Response(200, "{}".getBytes(UTF_8));
  private static final int RECORD_BYTES = 256;

  private final FileChannel file;

  SyncConnection(URI url) throws IOException {
    file =
        FileChannel.open(
            Path.of(url.getPath()), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  @Override
  public void write(CallSource.Call call) throws IOException {
    file.write(ByteBuffer.allocate(RECORD_BYTES));
  }

  @Override
  public Response read() throws IOException {
    file.force(false);
    return ON_DISK;
  }

  @Override
  public void close() {
    IOUtils.closeQuietly(file);
  }
}
