package toystore.platform.storage;

/// The database does not contain what was written. The message names file, table and row.
public final class CorruptDataException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CorruptDataException(String message) {
    super(message);
  }
}
