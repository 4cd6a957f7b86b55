package toystore.lab.floor;

import java.net.URI;
import java.nio.file.Path;

/// What a client of a floor does, once a call. Any thread.
interface Operation extends AutoCloseable {
  void run() throws Exception;

  /// @param url `grpc://HOST:PORT`, `sync:/FOLDER` or `commit:/FOLDER`
  static Operation of(URI url) throws Exception {
    return switch (url.getScheme()) {
      case "grpc" -> GrpcFloor.operation(url);
      case "sync" -> new SyncOperation(Path.of(url.getPath(), "records"));
      case "commit" -> new CommitOperation(Path.of(url.getPath(), "records.db"));
      default -> throw new IllegalArgumentException("unknown floor " + url);
    };
  }
}
