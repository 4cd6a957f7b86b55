package toystore.platform.service;

/// A plain reason not to start, such as a bad line in the catalog file: said in one line, without a
/// stack trace. The message names the file, setting or address, what was wanted and what was found.
public final class StartupException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StartupException(String message) {
    super(message);
  }

  public StartupException(String message, Throwable cause) {
    super(message, cause);
  }
}
