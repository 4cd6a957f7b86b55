package toystore.platform.storage;

import java.sql.SQLException;

/// A file of an open database was moved, deleted or replaced. The message names the file.
final class MovedFileException extends SQLException {
  private static final long serialVersionUID = 1L;

  MovedFileException(String message) {
    super(message);
  }
}
