package toystore.lab.floor;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// What a client of a floor does, once a call. Any thread.
interface Operation extends AutoCloseable {
  int RECORD_BYTES = 256;

  void run() throws Exception;

  @Override
  default void close() throws Exception {}

  /// @param url `grpc://HOST:PORT`, `sync:/FOLDER` or `commit:/FOLDER`
  static Operation of(URI url) throws Exception {
    return switch (url.getScheme()) {
      case "grpc" -> GrpcFloor.operation(url);
      case "sync" -> sync(Path.of(url.getPath(), "records"));
      case "commit" -> new CommitOperation(Path.of(url.getPath(), "records.db"));
      default -> throw new IllegalArgumentException("unknown floor " + url);
    };
  }

  /// Appends a record to a file and waits until it is on disk (`fdatasync`). Threads do not share
  /// syncs.
  private static Operation sync(Path path) throws IOException {
    var file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    return () -> {
      file.write(ByteBuffer.allocate(RECORD_BYTES));
      file.force(false);
    };
  }
}
