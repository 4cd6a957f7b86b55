package toystore.platform.service;

/// Aborts startup for a reason that is printed in one line without a stack trace, such as an
/// invalid line in the catalog file. The message names the file, setting or address, what was
/// expected and what was found.
public final class StartupException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StartupException(String message) {
    super(message);
  }

  public StartupException(String message, Throwable cause) {
    super(message, cause);
  }
}
